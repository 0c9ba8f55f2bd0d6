import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { startModelStandIn } from "../../test/fixtures/model-stand-in/ModelStandIn.ts"
import { isRecord } from "../eval/json.ts"
import { cleanEnvironment, wrapperBin } from "../support/paths.ts"
import type { ChosenTool } from "./chosenTools.ts"

/** What the product does with an answer of a model. */
export interface Served {
  /** The document that a host gets. */
  readonly html: string
  /** What the model was asked, the first time. */
  readonly system: string
  readonly prompt: string
  /** Why the built-in UI stands in; nothing where the answer was served. */
  readonly fallback: string | undefined
  /** How often the model was asked: more than once when the first answer could not be used. */
  readonly asked: number
}

const MODEL = "claude-opus-4-6"
const recordedServer = fileURLToPath(new URL("recordedServer.ts", import.meta.url))
const CAPABILITIES = { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } } }

/** A server's own UI would be served in place of ours. */
const withoutUi = ({ _meta, ...definition }: Readonly<Record<string, unknown>>): unknown => definition

const fallbackIn = (html: string): string | undefined => {
  const json = /id="mcp-gen-ui-data">([^]*?)<\/script>/.exec(html)?.[1]
  const facts: unknown = JSON.parse(json ?? "{}")
  const fallback = isRecord(facts) ? facts.fallback : undefined
  return isRecord(fallback) ? `${String(fallback.code)}: ${String(fallback.message)}` : undefined
}

/**
 * Runs the product as a host does, in front of a server that answers with the recorded result: calls the tool, so that the result
 * is known, then reads its UI, with `answer` as what the model says. Every run is a process of its own without a cache.
 */
export const serveOnce = async (chosen: ChosenTool, answer: string): Promise<Served> => {
  const folder = mkdtempSync(join(tmpdir(), "preference-"))
  const model = await startModelStandIn({ answer: () => ({ text: answer, chunkSize: 4000 }) })
  const client = new Client({ name: "preference", version: "1" }, { capabilities: CAPABILITIES })
  try {
    const { call, server, tool, tools } = chosen
    const result = "result" in call.answer ? call.answer.result : {}
    const file = join(folder, "case.json")
    writeFileSync(
      file,
      JSON.stringify({ server, tool: tool.name, tools: tools.map(({ definition }) => withoutUi(definition)), result })
    )
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [wrapperBin, "--no-cache", "--", process.execPath, recordedServer, file],
        env: {
          ...cleanEnvironment(),
          HOME: folder,
          ANTHROPIC_API_KEY: "stand-in",
          ANTHROPIC_BASE_URL: model.url,
          ANTHROPIC_MODEL: MODEL
        } as Record<string, string>,
        stderr: "ignore"
      })
    )
    await client.callTool({ name: tool.name, arguments: { ...call.arguments } })
    const { contents } = await client.readResource({ uri: `ui://${tool.name}` })
    const [content] = contents
    const html = content !== undefined && "text" in content ? content.text : ""
    const [first] = model.requests
    return {
      html,
      system: first?.system ?? "",
      prompt: first?.prompt ?? "",
      fallback: fallbackIn(html),
      asked: model.requests.length
    }
  } finally {
    await client.close()
    await model.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
