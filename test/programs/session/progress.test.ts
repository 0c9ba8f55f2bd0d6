import { assert, describe, it } from "@effect/vitest"
import type { Client } from "@modelcontextprotocol/client"
import type { Answer } from "../../fixtures/model-stand-in/ModelStandIn.ts"
import { initialize, weather } from "../../fixtures/RawClient.ts"
import { overHttp, overStdio, sdkHost } from "../../fixtures/sdkHosts.ts"
import { serveSessions, startSession } from "../../fixtures/wrapperSession.ts"
import { type Json, startModel, startWithModel } from "../../fixtures/wrapperWithModel.ts"

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

/** What a host was told, and a wait for so much of it about writing. */
class Told {
  readonly all: Array<Progress> = []
  #check: () => void = () => undefined

  readonly hear = (progress: Progress): void => {
    this.all.push(progress)
    this.#check()
  }

  writing(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.#check = () => {
        if (this.all.filter(({ message }) => message?.startsWith("Writing the UI of ")).length >= count) resolve()
      }
      this.#check()
    })
  }
}

/** Some fifty pieces; it goes on after a third of them when something of the writing was told, and after two thirds. */
const paced = (title: string, writing: (count: number) => Promise<unknown>): Answer => ({
  text: page(title),
  chunkSize: 40,
  pace: async (index) => {
    if (index === 15 || index === 35) await writing(index === 15 ? 1 : 2)
  }
})

const connections = {
  stdio: (era: "legacy" | "modern", env: Readonly<Record<string, string>>) => overStdio(era, weather, { env }),
  HTTP: async (era: "legacy" | "modern", env: Readonly<Record<string, string>>) =>
    overHttp(era, (await serveSessions(weather, { env })).url)
}

const refine = (client: Client, feedback: string, options: object = {}) =>
  client.callTool({ name: "_ui_refine", arguments: { toolName: "get_forecast", feedback } }, options)

/** What was told while a generation ran. */
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
  for (const [transport, connect] of Object.entries(connections)) {
    for (const era of ["legacy", "modern"] as const) {
      it(`is told to who asks for it, over ${transport}, ${era} era`, async () => {
        const read = new Told()
        const refined = new Told()
        const { env, model } = await startModel((index) =>
          paced(`Days ${index}`, (count) => (index === 0 ? read : refined).writing(count))
        )
        const client = await connect(era, env)
        const uri = "ui://get_forecast"
        await client.readResource({ uri }, { onprogress: read.hear })
        isToldWell(read.all)
        await refine(client, "larger", { onprogress: refined.hear })
        isToldWell(refined.all)
        const cached = new Told()
        await client.readResource({ uri }, { onprogress: cached.hear })
        assert.deepStrictEqual(cached.all, [])
        assert.lengthOf(model.requests, 2)
      })
    }
  }

  it("comes under the token as it is written, now and then, and never after the answer", async () => {
    const tokens = ["12345678901234567890", '"t\\u00f6ken"', "1.50"]
    const writing = (count: number) => {
      let left = count * tokens.length
      return client.receive((message) => JSON.stringify(message).includes("Writing the UI of ") && (left -= 1) === 0)
    }
    const { env, model } = await startModel(() => paced("Days", writing))
    const client = startSession(weather, { env })
    await initialize(client)
    for (const [at, token] of tokens.entries()) {
      const params = `{"uri":"ui://get_forecast","_meta":{"progressToken":${token}}}`
      client.send(`{"jsonrpc":"2.0","id":"r${at}","method":"resources/read","params":${params}}`)
    }
    client.send('{"jsonrpc":"2.0","id":"plain","method":"resources/read","params":{"uri":"ui://get_forecast"}}')
    for (const id of ["r0", "r1", "r2", "plain"]) await client.receive((message) => message.id === id)
    await client.request("tools/list")

    assert.lengthOf(model.requests, 1)
    const frames = client.received.map(({ text }) => text)
    for (const [at, token] of tokens.entries()) {
      const told = frames.flatMap((text, index) => (text.includes(`"progressToken":${token},`) ? [index] : []))
      assert.isAtLeast(told.length, 3)
      // The model sent some fifty pieces.
      assert.isAtMost(told.length, 10)
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
        await client.receive((message) => JSON.stringify(message).includes(awaited))
      }
    })
    const { client } = await startWithModel({
      answer: (index) =>
        [
          { text: broken },
          afterwards("Asking for a corrected answer", "Writing the UI of get_forecast"),
          afterwards("Waiting for a free place", "Writing the UI of set_units")
        ][index] ?? {},
      config: { generation: { maxConcurrentGenerations: 1 } }
    })
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
      const told = new Told()
      const second = paced("Second", (count) => told.writing(count))
      const endless: Answer = {
        ...second,
        pace: (index) => (index < 40 ? second.pace?.(index) : undefined) ?? new Promise(() => undefined)
      }
      const { env, model } = await startModel((index) => (index === 0 ? { text: page("First") } : endless))
      const client = await overStdio(era, weather, { env })
      const { read } = sdkHost(client)
      assert.include(await read("get_forecast"), "First")
      const stop = new AbortController()
      const refining = refine(client, "larger", {
        signal: stop.signal,
        onprogress: (progress: Progress) => {
          told.hear(progress)
          if (told.all.length === 3) stop.abort()
        }
      })
      assert.match(String(await refining.catch((error: unknown) => error)), /abort/i)
      assert.strictEqual(await model.requests[1]?.over, "closed")
      assert.include(await read("get_forecast"), "First")
      const details = await client.callTool({ name: "_ui_inspect", arguments: { toolName: "get_forecast" } })
      assert.deepInclude(details.structuredContent as Json, { status: "generated", history: [] })
      assert.lengthOf(told.all, 3)
      assert.lengthOf(model.requests, 2)
    })
  }
})
