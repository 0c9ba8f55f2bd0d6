import { afterEach, assert, describe, it } from "@effect/vitest"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { type Answer, type ModelStandIn, startModelStandIn } from "../../fixtures/model-stand-in/ModelStandIn.ts"
import { appsCapability, bin, initialize, noModel, root, startWrapper } from "../../fixtures/RawClient.ts"
import { turn } from "../../fixtures/RawHttp.ts"

type Era = "legacy" | "modern"
type Json = Readonly<Record<string, unknown>>
interface Progress {
  readonly progress: number
  readonly total?: number | undefined
  readonly message?: string | undefined
}

const page = (title: string): string => `<!-- rich -->
<script type="module">
import { show, header, table } from "mcp-gen-ui/parts"
// ${"Words that take the model some time to write. ".repeat(40)}
show((data) => [header("${title}"), table(data.days)])
</script>
`

/** How often the model's stand-in looks whether it may go on. */
const POLL_MS = 10

const isWriting = (message: string | undefined): boolean => message?.startsWith("Writing the UI of ") === true

/** Some fifty pieces, about a second of writing; it does not go on before that much of it was told. */
const slowly = (title: string, timesTold: () => number): Answer => ({
  text: page(title),
  chunkSize: 40,
  chunkDelayMs: 20,
  pace: async (index) => {
    while (timesTold() < (index < 15 ? 0 : index < 35 ? 1 : 2)) await sleep(POLL_MS)
  }
})

const server = [process.execPath, `${root}examples/weather-server.mjs`]
const running: Array<() => Promise<unknown>> = []

afterEach(async () => {
  for (const stop of running.splice(0).toReversed()) await stop()
})

const standIn = async (answer: (index: number) => Answer): Promise<ModelStandIn> => {
  const model = await startModelStandIn({ answer: (_request, index) => answer(index) })
  running.push(model.close)
  return model
}

const environment = (model: ModelStandIn) => ({
  ...noModel,
  ANTHROPIC_API_KEY: "sk-ant-0123456789",
  ANTHROPIC_BASE_URL: model.url
})

const clientOf = (era: Era): Client => {
  const client = new Client(
    { name: "host", version: "1" },
    { capabilities: appsCapability, versionNegotiation: { mode: era === "legacy" ? "legacy" : { pin: "2026-07-28" } } }
  )
  running.push(() => client.close())
  return client
}

const overStdio = async (era: Era, model: ModelStandIn): Promise<Client> => {
  const client = clientOf(era)
  const args = [bin, "--", ...server]
  const env = environment(model)
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: "ignore" as const }))
  return client
}

const overHttp = async (era: Era, model: ModelStandIn): Promise<Client> => {
  const wrapper = startWrapper(server, { flags: ["--http", "0"], env: environment(model) })
  running.push(async () => {
    wrapper.signal("SIGTERM")
    await wrapper.exit
  })
  const address = () => /serving (http:\/\/\S+\/mcp)/.exec(wrapper.log())?.[1]
  while (address() === undefined) await turn()
  const client = clientOf(era)
  await client.connect(new StreamableHTTPClientTransport(new URL(String(address()))))
  return client
}

const refine = (client: Client, feedback: string, options: object = {}) =>
  client.callTool({ name: "_ui_refine", arguments: { toolName: "get_forecast", feedback } }, options)

const textOf = async (client: Client): Promise<string> => {
  const { contents } = await client.readResource({ uri: "ui://get_forecast" })
  const [content] = contents
  return content !== undefined && "text" in content ? content.text : ""
}

/** What was told while a generation of about a second ran. */
const isToldWell = (told: ReadonlyArray<Progress>): void => {
  assert.strictEqual(told[0]?.message, "Asking the model")
  const written = told.filter(({ message }) =>
    /^Writing the UI of get_forecast: [\d,]+ characters$/.test(message ?? "")
  )
  assert.isAtLeast(written.length, 2)
  assert.isTrue(told.every(({ total }) => total === undefined))
  const numbers = told.map(({ progress }) => progress)
  assert.deepStrictEqual(
    numbers,
    [...new Set(numbers)].toSorted((left, right) => left - right)
  )
}

describe("progress of a generation", () => {
  for (const [transport, connect] of Object.entries({ stdio: overStdio, HTTP: overHttp })) {
    for (const era of ["legacy", "modern"] as const) {
      it(`is told to who asks for it, over ${transport}, ${era} era`, async () => {
        const read: Array<Progress> = []
        const refined: Array<Progress> = []
        const model = await standIn((index) =>
          slowly(
            `Days ${index}`,
            () => (index === 0 ? read : refined).filter(({ message }) => isWriting(message)).length
          )
        )
        const client = await connect(era, model)
        await client.readResource(
          { uri: "ui://get_forecast" },
          { onprogress: (progress: Progress) => void read.push(progress) }
        )
        isToldWell(read)
        await refine(client, "larger", { onprogress: (progress: Progress) => void refined.push(progress) })
        isToldWell(refined)
        const cached: Array<Progress> = []
        await client.readResource(
          { uri: "ui://get_forecast" },
          { onprogress: (progress: Progress) => void cached.push(progress) }
        )
        assert.deepStrictEqual(cached, [])
        assert.lengthOf(model.requests, 2)
      })
    }
  }

  it("comes under the token as it is written, about four times a second, and never after the answer", async () => {
    const tokens = ["12345678901234567890", '"t\\u00f6ken"', "1.50"]
    const timesTold = (): number =>
      Math.floor(client.received.filter(({ text }) => text.includes("Writing the UI of ")).length / tokens.length)
    const model = await standIn(() => slowly("Days", timesTold))
    const client = startWrapper(server, { env: environment(model) })
    running.push(client.close)
    await initialize(client)
    const since = Date.now()
    for (const [at, token] of tokens.entries()) {
      const params = `{"uri":"ui://get_forecast","_meta":{"progressToken":${token}}}`
      client.send(`{"jsonrpc":"2.0","id":"r${at}","method":"resources/read","params":${params}}`)
    }
    client.send('{"jsonrpc":"2.0","id":"plain","method":"resources/read","params":{"uri":"ui://get_forecast"}}')
    for (const id of ["r0", "r1", "r2", "plain"]) await client.receive((message) => message.id === id)
    const seconds = (Date.now() - since) / 1000
    await client.request("tools/list")

    assert.lengthOf(model.requests, 1)
    const frames = client.received.map(({ text }) => text)
    for (const [at, token] of tokens.entries()) {
      const told = frames.flatMap((text, index) => (text.includes(`"progressToken":${token},`) ? [index] : []))
      assert.isAtLeast(told.length, 3)
      assert.isAtMost(told.length, 2 + seconds * 4)
      assert.isBelow(
        told.at(-1) ?? Infinity,
        frames.findIndex((text) => text.includes(`"id":"r${at}"`))
      )
    }
    assert.lengthOf(
      frames.filter((text) => text.includes("notifications/progress")),
      frames.filter((text) => tokens.some((token) => text.includes(`"progressToken":${token},`))).length
    )
  })

  it("says when a corrected answer is asked for, and when another generation is waited for", async () => {
    const broken = `<!-- rich -->\n<script type="module">\nimport { show } from "mcp-gen-ui/parts"\nshow((data) => {{{\n</script>\n`
    /** Its first words and its last ones come when what was told before them has arrived. */
    const afterwards = (first: string, last: string): Answer => ({
      text: page("Days"),
      chunkSize: 700,
      pace: async (index) => {
        const awaited = index === 0 ? first : index === 2 ? last : ""
        while (!client.received.some(({ text }) => text.includes(awaited))) await sleep(POLL_MS)
      }
    })
    const model = await standIn(
      (index) =>
        [
          { text: broken, chunkDelayMs: 50 },
          afterwards("Asking for a corrected answer", "Writing the UI of get_forecast"),
          afterwards("Waiting for a free place", "Writing the UI of set_units")
        ][index] ?? {}
    )
    const folder = await mkdtemp(join(tmpdir(), "one-at-a-time-"))
    running.push(() => rm(folder, { recursive: true }))
    const config = join(folder, "config.json")
    await writeFile(config, JSON.stringify({ generation: { maxConcurrentGenerations: 1 } }))
    const client = startWrapper(server, { env: environment(model), flags: ["--config", config] })
    running.push(client.close)
    await initialize(client)
    const read = (tool: string) =>
      client.request("resources/read", { uri: `ui://${tool}`, _meta: { progressToken: tool } })
    await Promise.all([read("get_forecast"), read("set_units")])
    const told = (tool: string) =>
      client.received.flatMap(({ message }) => {
        const params = (message.params ?? {}) as Json
        return params.progressToken === tool ? [String(params.message)] : []
      })
    for (const tool of ["get_forecast", "set_units"]) {
      const messages = told(tool)
      assert.strictEqual(new Set(messages).size, messages.length, messages.join("; "))
    }
    assert.include(told("get_forecast"), "Asking for a corrected answer")
    assert.strictEqual(told("set_units")[0], "Waiting for a free place")
    assert.isTrue(told("set_units").some((message) => message.startsWith("Writing the UI of set_units: ")))
  })
})

describe("a refinement that the host cancels", () => {
  for (const era of ["legacy", "modern"] as const) {
    it(`closes the model's socket and leaves the UI as it was, ${era} era`, async () => {
      const told: Array<Progress> = []
      const second = slowly("Second", () => told.filter(({ message }) => isWriting(message)).length)
      const endless: Answer = {
        ...second,
        pace: (index) => (index < 40 ? second.pace?.(index) : undefined) ?? new Promise(() => undefined)
      }
      const model = await standIn((index) => (index === 0 ? { text: page("First") } : endless))
      const client = await overStdio(era, model)
      assert.include(await textOf(client), "First")
      const stop = new AbortController()
      const refining = refine(client, "larger", {
        signal: stop.signal,
        onprogress: (progress: Progress) => {
          told.push(progress)
          if (told.length === 3) stop.abort()
        }
      })
      assert.match(String(await refining.catch((error: unknown) => error)), /abort/i)
      assert.strictEqual(await model.requests[1]?.over, "closed")
      assert.include(await textOf(client), "First")
      const details = await client.callTool({ name: "_ui_inspect", arguments: { toolName: "get_forecast" } })
      assert.deepInclude(details.structuredContent as Json, { status: "generated", history: [] })
      assert.lengthOf(told, 3)
      assert.lengthOf(model.requests, 2)
    })
  }
})
