import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { startModelStandIn } from "../../test/fixtures/model-stand-in/ModelStandIn.ts"
import { isRecord, type JsonRecord } from "../eval/json.ts"
import type { ChosenTool } from "../preference/chosenTools.ts"
import { cleanEnvironment, recordedServer, wrapperBin } from "../support/paths.ts"
import type { Profile } from "./profiles.ts"

/** The recorded server speaks the legacy era only. */
const ERAS = {
  legacy: { mode: "legacy", flags: [] },
  modern: { mode: { pin: "2026-07-28" }, flags: ["--translate-eras"] }
} as const
const APPS = { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } } }
const GENERATION_MS = 20_000

/** Nothing of an answer may get lost in the client. */
const anything = {
  "~standard": { version: 1 as const, vendor: "evaluation", validate: (value: unknown) => ({ value }) }
}

const listIn = (value: unknown, name: string): ReadonlyArray<JsonRecord> => {
  const list = isRecord(value) ? value[name] : undefined
  return Array.isArray(list) ? list.filter(isRecord) : []
}

/** A server's own UI would be served in place of ours. */
const withoutUi = ({ _meta, ...definition }: JsonRecord): JsonRecord => definition

/** The client of a host, with the wrapper behind it, and behind that a server that answers as recorded. */
export class EmulatedHost {
  private readonly client: Client
  private readonly log: string
  private readonly documents = new Map<string, string>()
  private readonly end: () => Promise<void>
  private readonly isGenerated: boolean
  private uris: ReadonlyMap<string, string> = new Map()

  private constructor(client: Client, log: string, isGenerated: boolean, end: () => Promise<void>) {
    this.client = client
    this.log = log
    this.isGenerated = isGenerated
    this.end = end
  }

  /** With a `page`, that is what a model answers for each tool; without one there is no model. */
  static async start(profile: Profile, tools: ReadonlyArray<ChosenTool>, page?: string): Promise<EmulatedHost> {
    const folder = mkdtempSync(join(tmpdir(), "hosts-"))
    const [file, log] = [join(folder, "case.json"), join(folder, "calls.log")]
    const definitions = tools.map(({ tool }) => withoutUi({ ...tool.definition }))
    const results = Object.fromEntries(tools.map(({ result, tool }) => [tool.name, result]))
    writeFileSync(file, JSON.stringify({ server: "recorded", tools: definitions, results, log }))
    writeFileSync(log, "")
    const model =
      page === undefined ? undefined : await startModelStandIn({ answer: () => ({ text: page, chunkSize: 4000 }) })
    const key = model === undefined ? {} : { ANTHROPIC_API_KEY: "stand-in", ANTHROPIC_BASE_URL: model.url }
    const { flags, mode } = ERAS[profile.era]
    const client = new Client(
      { name: profile.client, version: "1.0.0" },
      { capabilities: profile.announces ? APPS : {}, versionNegotiation: { mode } }
    )
    const host = new EmulatedHost(client, log, model !== undefined, async () => {
      await client.close()
      await model?.close()
      rmSync(folder, { recursive: true, force: true })
    })
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [wrapperBin, ...flags, "--", process.execPath, recordedServer, file],
      env: { ...cleanEnvironment(), HOME: folder, ...key } as Record<string, string>,
      stderr: "ignore"
    })
    try {
      await client.connect(transport)
      await host.readLists(profile.prefetches)
      return host
    } catch (error) {
      await host.close()
      throw error
    }
  }

  private async readLists(prefetches: boolean): Promise<void> {
    const tools = listIn(await this.request("tools/list"), "tools")
    this.uris = new Map(
      tools.flatMap(({ _meta, name }) => {
        const ui = isRecord(_meta) && isRecord(_meta.ui) ? _meta.ui.resourceUri : undefined
        return typeof ui === "string" ? [[String(name), ui]] : []
      })
    )
    if (!prefetches) return
    const uris = listIn(await this.request("resources/list"), "resources").map(({ uri }) => String(uri))
    await Promise.all(uris.map(async (uri) => this.documents.set(uri, await this.read(uri))))
  }

  request(method: string, params: JsonRecord = {}): Promise<unknown> {
    return this.client.request({ method, params: { ...params } }, anything)
  }

  private async read(uri: string): Promise<string> {
    const [content] = listIn(await this.request("resources/read", { uri }), "contents")
    return String(content?.text)
  }

  /** The document of a tool's UI; nothing where none is offered. */
  async documentOf(tool: string): Promise<string | undefined> {
    const uri = this.uris.get(tool)
    if (uri === undefined) return undefined
    const kept = this.documents.get(uri)
    if (kept !== undefined) return kept
    const end = Date.now() + GENERATION_MS
    for (;;) {
      const html = await this.read(uri)
      if (!this.isGenerated || html.includes('"view":"generated"') || Date.now() > end) return html
      await delay(100)
    }
  }

  /** How many calls of its tools the server has got so far. */
  arrived(): number {
    return readFileSync(this.log, "utf8").split("\n").length - 1
  }

  close(): Promise<void> {
    return this.end()
  }
}
