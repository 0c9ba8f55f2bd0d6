import { Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { endProcessWithin } from "../adapters/platform/endProcess.ts"
import { writeStandardError } from "../adapters/platform/standardError.ts"
import { nameOfUpstream } from "../adapters/documents/serverIdentity.ts"
import { commandLineText } from "../domain/settings/commandLineText.ts"
import { makeRedactor } from "../domain/observability/Redaction.ts"
import { secretsOfRun } from "../domain/observability/secretsOfRun.ts"
import type { SettingsNotice } from "../domain/settings/ConfigProblem.ts"
import { readHead } from "../domain/wire/Frame.ts"
import { unanswered } from "../domain/wire/RequestFailed.ts"
import * as HostConnectionStdio from "../layers/host/HostConnectionStdio.ts"
import { logNotices } from "../layers/settings/Settings.ts"
import { HttpHosts } from "../services/host/HttpHosts.ts"
import { HostConnection } from "../services/host/HostConnection.ts"
import { Session } from "../services/session/Session.ts"
import { type HttpServing, Settings } from "../services/settings/Settings.ts"
import type { UpstreamUnavailable } from "../services/upstream/Upstream.ts"
import { languageModel, logs, sessions, telemetry, wrapper } from "./MainLayer.ts"

/** How long everything may take to end in order after the conversation. */
const END_GRACE_MS = 8000

/** By then a host has sent its first request. */
const FIRST_REQUEST_MS = 500

/** There is no server: answer the first request of the host with the reason. */
const refuseHost = Effect.fnUntraced(function* (error: UpstreamUnavailable) {
  const host = yield* HostConnection
  const reason = makeRedactor(secretsOfRun(yield* Settings, process.env)).text(error.message)
  const isPerson = process.stdin.isTTY
  yield* Effect.callback<void>((resume) => {
    if (isPerson) return resume(Effect.void)
    host.listen({
      frame: (frame) => {
        const head = readHead(frame)
        if (head?.kind !== "request") return
        host.send(unanswered(head.method, "UPSTREAM_EXITED", reason).frame(head.id, randomUUID()))
        resume(Effect.void)
      },
      drained: () => undefined,
      ended: () => resume(Effect.void)
    })
  }).pipe(Effect.timeoutOption(FIRST_REQUEST_MS))
  return yield* error
})

/** A person who typed this waits for something to happen. Nothing would: the host is missing. */
const tellPerson = Effect.gen(function* () {
  if (!process.stdin.isTTY) return
  const settings = yield* Settings
  const words = process.argv.slice(2)
  const line = makeRedactor(secretsOfRun(settings, process.env)).text(commandLineText(words))
  writeStandardError(
    `mcp-gen-ui: "${nameOfUpstream(settings.upstream)}" runs and waits for a host, which starts this line by itself.\n` +
      `  Look at its UIs    mcp-gen-ui preview ${line}\n` +
      `  See what is wrong  mcp-gen-ui doctor ${line}\n` +
      "  Put it into hosts  mcp-gen-ui wrap\n" +
      "  Stop               Ctrl-C\n"
  )
})

const serveStdio = Effect.gen(function* () {
  const session = yield* Session
  yield* tellPerson
  yield* session.run.pipe(Effect.ensuring(Effect.sync(() => endProcessWithin(END_GRACE_MS, 1))))
}).pipe(
  Effect.provide(Layer.provide(wrapper, languageModel)),
  Effect.catchTag("UpstreamUnavailable", refuseHost),
  Effect.provide(Layer.unwrap(Effect.map(Settings, HostConnectionStdio.layer)))
)

/**
 * Writes the address to standard error as soon as hosts can connect, at any log level: people and scripts wait for it.
 */
const serveHttp = Effect.fnUntraced(function* (serving: HttpServing) {
  const { layer } = yield* Effect.promise(() => import("../layers/host/HttpHosts.ts"))
  return yield* Effect.gen(function* () {
    const { url } = yield* HttpHosts
    yield* Effect.sync(() => writeStandardError(`mcp-gen-ui: serving ${url}\n`))
    return yield* Effect.never
  }).pipe(Effect.provide(Layer.provide(layer(serving), sessions)))
})

/**
 * Logs the notices and wraps the server of the settings. Over standard input and output it serves one host until that ends
 * the conversation. It fails with `UpstreamUnavailable` if the server does not start, with the others if it ends and does
 * not come back. Over HTTP it serves hosts until it is interrupted; it fails if it cannot listen.
 */
export const wrapServer = Effect.fnUntraced(
  function* ({ http }: Settings["Service"], notices: ReadonlyArray<SettingsNotice>) {
    yield* logNotices(notices)
    return yield* http === undefined ? serveStdio : serveHttp(http)
  },
  (effect, settings) =>
    Effect.provide(
      effect,
      telemetry(process.env).pipe(Layer.provideMerge(logs), Layer.provideMerge(Layer.succeed(Settings, settings)))
    )
)
