import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type ModelStandIn, startModelStandIn } from "../../test/fixtures/model-stand-in/ModelStandIn.ts"
import { isRecord, type JsonRecord } from "../eval/json.ts"
import { cleanEnvironment, recordedServer, wrapperBin } from "../support/paths.ts"
import type { ChosenTool } from "./chosenTools.ts"

/** What the product does with an answer of a model. */
export interface Served {
  /** The document that a host gets. */
  readonly html: string
  /** What the model was asked, the first time. */
  readonly system: string
  readonly prompt: string
  /** Why the built-in UI stands in; nothing where the answer was served. */
  readonly refused: string | undefined
}

const CAPABILITIES = { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } } }

/** A server's own UI would be served in place of ours. */
const withoutUi = ({ _meta, ...definition }: JsonRecord): JsonRecord => definition

const refusedIn = (html: string): string | undefined => {
  const json = /id="mcp-gen-ui-data">([^]*?)<\/script>/.exec(html)?.[1]
  const data: unknown = JSON.parse(json ?? "{}")
  const fallback = isRecord(data) ? data.fallback : undefined
  return isRecord(fallback) ? `${String(fallback.code)}: ${String(fallback.message)}` : undefined
}

/** A host in front of the product, which has read the UI of a tool after one call of it. */
export interface Host {
  readonly client: Client
  readonly model: ModelStandIn
  readonly html: string
}

/**
 * Runs the product as a host does, in front of a server that answers with the recorded result: calls the tool, so that the result
 * is known, then reads its UI, with `answers` as what the model says, the last one again and again; without one there is
 * no model, and the UI is the built-in one. Every run is a process of its own, and nothing is kept after it.
 */
export const withHost = async <A>(
  chosen: ChosenTool,
  answers: ReadonlyArray<string>,
  flags: ReadonlyArray<string>,
  use: (host: Host) => Promise<A>
): Promise<A> => {
  const folder = mkdtempSync(join(tmpdir(), "preference-"))
  const model = await startModelStandIn({
    answer: (_, index) => ({ text: answers[index] ?? answers.at(-1) ?? "", chunkSize: 4000 })
  })
  const client = new Client({ name: "preference", version: "1" }, { capabilities: CAPABILITIES })
  const { result, server, tool, tools } = chosen
  const definitions = tools.map(({ definition }) => withoutUi({ ...definition }))
  const file = join(folder, "case.json")
  writeFileSync(file, JSON.stringify({ server, tools: definitions, results: { [tool.name]: result } }))
  const key = { ANTHROPIC_API_KEY: "stand-in", ANTHROPIC_BASE_URL: model.url }
  try {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [wrapperBin, ...flags, "--", process.execPath, recordedServer, file],
      env: { ...cleanEnvironment(), HOME: folder, ...(answers.length === 0 ? {} : key) } as Record<string, string>,
      stderr: "ignore"
    })
    await client.connect(transport)
    await client.callTool({ name: tool.name, arguments: { ...chosen.arguments } })
    const { contents } = await client.readResource({ uri: `ui://${encodeURIComponent(tool.name)}` })
    const [content] = contents
    if (content === undefined || !("text" in content)) throw new Error(`${chosen.id}: no document was served`)
    return await use({ client, model, html: content.text })
  } finally {
    await client.close()
    await model.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What the product does with this answer; without one, its built-in UI. */
export const serveOnce = (chosen: ChosenTool, answer?: string): Promise<Served> =>
  withHost(chosen, answer === undefined ? [] : [answer], ["--no-library"], ({ html, model }) => {
    const [first] = model.requests
    return Promise.resolve({
      html,
      system: first?.system ?? "",
      prompt: first?.prompt ?? "",
      refused: answer === undefined ? undefined : refusedIn(html)
    })
  })
