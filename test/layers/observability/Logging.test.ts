import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Layer, Redacted } from "effect"
import { execFileSync, spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll } from "vitest"
import { logs } from "../../../src/programs/MainLayer.ts"
import { RequestId } from "../../../src/services/session/RequestId.ts"
import type { Settings } from "../../../src/services/settings/Settings.ts"
import { settingsWith } from "../../fixtures/settings.ts"
import { itEffect } from "../../fixtures/itEffect.ts"

const folder = mkdtempSync(join(tmpdir(), "mcp-gen-ui-logging-"))
afterAll(() => rmSync(folder, { recursive: true }))

const KEY = "a-key-without-a-usual-shape"
type LoggingSettings = Settings["Service"]["logging"]

const lines = Effect.fn(function* (name: string, logging: Partial<LoggingSettings>, program: Effect.Effect<void>) {
  const file = join(folder, `${name}.log`)
  const settings = settingsWith({
    llm: { apiKey: Redacted.make(KEY) },
    upstream: { transport: "stdio", command: "x", args: [], env: { DB_PASSWORD: "of-the-server" }, cwd: undefined },
    logging: { level: "info", format: "json", destination: "file", file, redactSensitiveData: true, ...logging }
  })
  yield* Effect.provide(program, Layer.provide(logs, settings))
  return readFileSync(file, "utf8").split("\n").slice(0, -1)
})

const parsed = (written: ReadonlyArray<string>) => written.map((line): Record<string, unknown> => JSON.parse(line))

describe("layer", () => {
  itEffect("writes annotations, the request's id, spans and causes on each line", function* () {
    const program = Effect.logError("failed", Cause.fail(new Error("inner reason"))).pipe(
      Effect.annotateLogs({ component: "library", event: "ui-failed", tool: "get_forecast", code: "TIMEOUT" }),
      Effect.withLogSpan("generation"),
      Effect.provideService(RequestId, "3f0e")
    )
    const [line] = parsed(yield* lines("annotations", {}, Effect.andThen(program, Effect.logInfo("outside"))))
    assert.deepInclude(line, {
      level: "error",
      component: "library",
      event: "ui-failed",
      message: "failed",
      tool: "get_forecast",
      code: "TIMEOUT",
      requestId: "3f0e"
    })
    assert.match(String(line?.timestamp), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    assert.isNumber(line?.generationMs)
    assert.include(String(line?.cause), "inner reason")
  })

  itEffect("leaves the id out of lines that belong to no request", function* () {
    const [line] = parsed(yield* lines("no-request", {}, Effect.logInfo("hello")))
    assert.notProperty(line, "requestId")
  })

  const levels = ["debug", "info", "warn", "error"] as const
  for (const [index, level] of levels.entries()) {
    itEffect(`keeps lines from ${level} up`, function* () {
      const program = Effect.all([
        Effect.logDebug("d"),
        Effect.logInfo("i"),
        Effect.logWarning("w"),
        Effect.logError("e")
      ])
      const written = parsed(yield* lines(`level-${level}`, { level }, Effect.asVoid(program)))
      assert.deepStrictEqual(
        written.map((line) => line.level),
        levels.slice(index)
      )
    })
  }

  const leaky = Effect.logInfo(`message ${KEY}`, { deep: { note: KEY } }, Cause.die(new Error(`cause ${KEY}`))).pipe(
    Effect.annotateLogs({ note: KEY, authorization: "anything", password: "of-the-server", sql: "login of-the-server" })
  )

  itEffect("takes secrets out of messages, annotations and causes", function* () {
    for (const format of ["text", "json"] as const) {
      const written = (yield* lines(`redacted-${format}`, { format }, leaky)).join("\n")
      for (const secret of [KEY, "anything", "of-the-server"]) assert.notInclude(written, secret)
      for (const kept of ["message", "note", "cause", "login"]) assert.include(written, kept)
    }
  })

  itEffect("takes out what is sent to a server behind a URL, and what hosts have to send", function* () {
    const file = join(folder, "http.log")
    const secrets = ["of-the-header", "of-a-plain-header", "of-the-upstream", "of-the-hosts", "of-the-client"]
    const [ofHeader = "", ofPlain = "", ofUpstream = "", ofHosts = "", ofClient = ""] = secrets
    const settings = settingsWith({
      upstream: {
        transport: "http",
        url: "https://example.com",
        headers: { Authorization: Redacted.make(`Custom ${ofHeader}`), "X-A": Redacted.make(ofPlain) },
        token: Redacted.make(ofUpstream),
        oauth: {
          clientId: "c",
          clientSecret: Redacted.make(ofClient),
          clientMetadataUrl: undefined,
          scope: undefined,
          callbackPort: undefined,
          callbackHost: undefined,
          loginTimeoutMs: 1000
        },
        reconnectDelayMs: 1,
        maxReconnectDelayMs: 1
      },
      http: {
        host: "127.0.0.1",
        port: 0,
        token: Redacted.make(ofHosts),
        allowedOrigins: [],
        allowedHosts: [],
        maxSessions: 1,
        sessionIdleMs: 1,
        maxBodyBytes: 1
      },
      logging: { level: "info", destination: "file", file }
    })
    yield* Effect.provide(Effect.logInfo(`begin ${secrets.join(" ")} end`), Layer.provide(logs, settings))
    const written = readFileSync(file, "utf8")
    assert.match(written, /begin (?:\[redacted\] ){5}end/)
  })

  itEffect("leaves them in when redaction is off", function* () {
    const written = (yield* lines("unredacted", { redactSensitiveData: false }, leaky)).join("\n")
    assert.include(written, KEY)
    assert.include(written, "anything")
  })

  itEffect("appends to a file that is there", function* () {
    writeFileSync(join(folder, "append.log"), "earlier\n")
    const written = yield* lines("append", { format: "text" }, Effect.logInfo("later"))
    assert.strictEqual(written[0], "earlier")
    assert.match(written[1] ?? "", /^\S+ INFO {2}later$/)
  })

  itEffect("says why a file cannot be opened", function* () {
    const failure = (file: string) =>
      Effect.flip(
        Layer.build(logs).pipe(Effect.scoped, Effect.provide(settingsWith({ logging: { destination: "file", file } })))
      )
    const missing = yield* failure(join(folder, "nope", "a.log"))
    assert.strictEqual(missing._tag, "LogFileUnavailable")
    assert.match(missing.message, /nope.*folder does not exist; create it first/)
    assert.match((yield* failure(folder)).message, /it is a folder/)
    const pipe = join(folder, "pipe")
    execFileSync("mkfifo", [pipe])
    assert.match((yield* failure(pipe)).message, /it is a pipe that nobody reads/)
  })
})

const program = fileURLToPath(new URL("../../fixtures/logToStderr.ts", import.meta.url))

describe("standard error", () => {
  it("gets every line before the process ends, and standard output none", async () => {
    const child = spawn(process.execPath, [program, "2000", "told"], { stdio: ["ignore", "pipe", "pipe"] })
    let log = ""
    const told = await new Promise((resolve) => child.stdout.setEncoding("utf8").once("data", resolve))
    child.stderr.setEncoding("utf8").on("data", (text: string) => (log += text))
    await new Promise((resolve) => child.on("close", resolve))
    assert.strictEqual(told, "all logged")
    assert.lengthOf(log.trimEnd().split("\n"), 2000)
  })

  it("holds nobody up when the host leaves it unread", async () => {
    const child = spawn(process.execPath, [program, "20000"], { stdio: ["ignore", "pipe", "pipe"] })
    let output = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text))
    const code = await new Promise((resolve) => child.on("exit", resolve))
    assert.strictEqual(code, 0)
    assert.strictEqual(output, "")
    const taken = child.stderr.read() as Buffer | null
    assert.isBelow(taken?.length ?? 0, 200_000)
  })

  it("counts the lines that were lost, once it is read again", async () => {
    const child = spawn(process.execPath, [program, "20000", "again"], { stdio: ["pipe", "ignore", "pipe"] })
    let log = ""
    const paused = new Promise<void>((resolve) => {
      child.stderr.once("readable", () => resolve())
    })
    await paused
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      log += text
      if (log.includes("READY")) child.stdin.end("go")
    })
    child.stdin.write("read\n")
    await new Promise((resolve) => child.on("close", resolve))
    const notes = [...log.matchAll(/(\d+) writes to standard error were not read in time/g)]
    const lost = notes.reduce((sum, [, count]) => sum + Number(count), 0)
    assert.isAbove(lost, 0)
    const kept = log.split("\n").filter((line) => line.includes("line ")).length
    assert.strictEqual(kept + lost, 20_000)
  })

  it("survives a host that closes it", async () => {
    const child = spawn(process.execPath, [program, "2000", "closed"], { stdio: ["pipe", "pipe", "pipe"] })
    let output = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text))
    child.stderr.destroy()
    child.stdin.end("go")
    const code = await new Promise((resolve) => child.on("close", resolve))
    assert.strictEqual(code, 0)
    assert.strictEqual(output, "alive")
  })
})
