import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { sessions } from "../../../src/programs/MainLayer.ts"
import type { FrameLink, FrameListener } from "../../../src/services/host/FrameLink.ts"
import { Sessions } from "../../../src/services/session/Sessions.ts"
import { settingsWith } from "../../fixtures/settings.ts"

/** A server with resources of its own, among them none at `ui://`; every reading of its tools finds one tool less. */
const SERVER = `
const tools = ["first", "second"].map((name) => ({ name, inputSchema: { type: "object" } }))
const answers = {
  initialize: ({ protocolVersion }) => ({ result: { protocolVersion, capabilities: { tools: {}, resources: {} }, serverInfo: { name: "r", version: "1" } } }),
  "tools/list": () => ({ result: { tools: tools.splice(0, 1).concat(tools) } }),
  "resources/read": () => ({ error: { code: -32603, message: "nothing here" } })
}
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, ...(answers[method] ?? (() => ({ result: {} })))(params) }))
}).on("close", () => process.exit(0))
`

interface Answer {
  readonly id?: unknown
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

/** A host that renders UIs. */
class Host {
  readonly #waiting = new Map<unknown, (answer: Answer) => void>()
  #listener: FrameListener | undefined
  #ids = 0

  readonly link: FrameLink = {
    listen: (listener) => {
      this.#listener = listener
    },
    send: (frame) => {
      const answer = JSON.parse(new TextDecoder().decode(frame)) as Answer
      this.#waiting.get(answer.id)?.(answer)
      return true
    },
    pause: () => undefined,
    resume: () => undefined,
    end: () => undefined
  }

  #send(message: object): void {
    this.#listener?.frame(new TextEncoder().encode(JSON.stringify({ jsonrpc: "2.0", ...message })))
  }

  notify(method: string): void {
    this.#send({ method })
  }

  ask(method: string, params: object): Effect.Effect<Answer> {
    return Effect.promise(
      () =>
        new Promise((resolve) => {
          const id = (this.#ids += 1)
          this.#waiting.set(id, resolve)
          this.#send({ id, method, params })
        })
    )
  }

  read(uri: string): Effect.Effect<Answer> {
    return this.ask("resources/read", { uri })
  }
}

const upstream = {
  transport: "stdio",
  command: process.execPath,
  args: ["-e", SERVER],
  env: {},
  cwd: undefined
} as const

const layerSessions = sessions.pipe(
  Layer.provideMerge(Logger.layer([])),
  Layer.provide(
    settingsWith({
      upstream,
      dashboards: { one: { cards: [{ tool: "second" }] } },
      llm: { provider: "none" },
      logging: { level: "error" }
    })
  )
)

const connected = Effect.fnUntraced(function* (name: string) {
  const host = new Host()
  const { open } = yield* Sessions
  yield* Effect.forkScoped(yield* open(host.link), { startImmediately: true })
  yield* host.ask("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } } },
    clientInfo: { name, version: "1" }
  })
  host.notify("notifications/initialized")
  return host
})

describe("reading a UI from a server with resources of its own", () => {
  it.live("is our affair as long as there is the tool, and after it is gone", () =>
    Effect.gen(function* () {
      const host = yield* connected("host")
      assert.isUndefined((yield* host.read("ui://first")).error)
      const refreshed = yield* host.ask("tools/call", { name: "_ui_refresh_tools", arguments: {} })
      assert.include(JSON.stringify(refreshed.result), "first")

      const gone = yield* host.read("ui://first")
      assert.strictEqual(gone.error?.code, -32002)
      assert.include(gone.error?.message, 'No UI resource "ui://first"')
      assert.isUndefined((yield* host.read("ui://second")).error)
      const foreign = yield* host.read("ui://never")
      assert.deepStrictEqual(foreign.error, { code: -32603, message: "nothing here" })
    }).pipe(Effect.scoped, Effect.provide(layerSessions))
  )
})

describe("ChatGPT", () => {
  it.live.each([
    ["openai-mcp", true],
    ["host", false]
  ] as const)("gets its own words and a page for its window: %s", ([name, isChatGpt]) =>
    Effect.gen(function* () {
      const host = yield* connected(name)
      const listed = JSON.stringify((yield* host.ask("tools/list", {})).result)
      const alias = '"openai/outputTemplate":"ui://second","openai/widgetAccessible":true'
      assert.strictEqual(listed.includes(alias), isChatGpt)
      assert.strictEqual(listed.includes('"openai/outputTemplate":"ui://dashboard/one"'), isChatGpt)
      assert.strictEqual(listed.includes('"ui":{"visibility":["app"]},"openai/widgetAccessible":true'), isChatGpt)
      assert.strictEqual(
        JSON.stringify((yield* host.read("ui://second")).result).includes(String.raw`\"extras\":{\"openai\":true}`),
        isChatGpt
      )
    }).pipe(Effect.scoped, Effect.provide(layerSessions))
  )
})
