import { Console, Context, Deferred, Duration, Effect, Exit, Layer } from "effect"
import { nameOfUpstream } from "../../adapters/documents/serverIdentity.ts"
import { errorFrame, memberSpan, notificationFrame, readHead, requestFrame } from "../../domain/wire/Frame.ts"
import { METHOD_NOT_FOUND } from "../../domain/wire/RequestFailed.ts"
import { valueOf } from "../../domain/wire/JsonBytes.ts"
import { readToolList, stringAt } from "../../domain/wire/Rewrites.ts"
import * as LanguageModelNone from "../../layers/generation/LanguageModelNone.ts"
import type { FrameLink, FrameListener } from "../../services/host/FrameLink.ts"
import { HostConnection } from "../../services/host/HostConnection.ts"
import { ToolsUnavailable } from "../../layers/session/ServerTools.ts"
import { Session } from "../../services/session/Session.ts"
import type { UpstreamExited, UpstreamLost, UpstreamUnavailable } from "../../services/upstream/Upstream.ts"
import { Settings } from "../../services/settings/Settings.ts"
import { wrapper } from "../MainLayer.ts"

/** For one answer, as hosts have it. A server may have to be installed first. */
const PATIENCE = Duration.seconds(60)
/** For a list of many pages, and everything before it. */
const PATIENCE_IN_ALL = Duration.minutes(2)
/** After it, say what we wait for. */
const SILENCE = Duration.seconds(10)

const adviceFor = (transport: Settings["Service"]["upstream"]["transport"]): string =>
  transport === "stdio"
    ? "Run the command by itself in a terminal: if it is still being installed, wait for that and try again; " +
      "else check that it speaks MCP over stdio"
    : "Check that the URL is that of an MCP server, and that the server is well"
const MAX_PAGES = 1000

/** What the host says that it can show. Nothing, so that the wrapper adds nothing, unless a program wants to see UIs. */
export const HostCapabilities = Context.Reference<object>("mcp-gen-ui/programs/HostCapabilities", {
  defaultValue: () => ({})
})

/** A host inside this process that shows no UIs, so that everything passes through as the server says it. */
const plainHost = ({ upstream }: Settings["Service"]) => {
  const listening = Deferred.makeUnsafe<FrameListener>()
  const waiting = new Map<string, Deferred.Deferred<Uint8Array>>()
  const name = nameOfUpstream(upstream)
  const silent = (what: string, time: Duration.Duration) => {
    const detail = `"${name}" did not answer ${what} within ${Duration.toSeconds(time)} s. ${adviceFor(upstream.transport)}.`
    return new ToolsUnavailable({ detail })
  }
  let asked = 0
  let hear: (frame: Uint8Array) => void = () => undefined

  const link: FrameLink = {
    listen: (listener) => {
      hear = (frame) => listener.frame(frame)
      Deferred.doneUnsafe(listening, Exit.succeed(listener))
    },
    send: (frame) => {
      const head = readHead(frame)
      if (head?.kind === "response") {
        const answer = waiting.get(head.id)
        if (answer !== undefined) Deferred.doneUnsafe(answer, Exit.succeed(frame))
      } else if (head?.kind === "request") {
        const refusal = errorFrame(head.id, { code: METHOD_NOT_FOUND, message: "this host only lists tools" })
        queueMicrotask(() => hear(refusal))
      }
      return true
    },
    pause: () => undefined,
    resume: () => undefined,
    end: () => undefined
  }

  const ask = Effect.fnUntraced(function* (method: string, params: Readonly<Record<string, unknown>>) {
    asked += 1
    const id = String(asked)
    const answer = Deferred.makeUnsafe<Uint8Array>()
    waiting.set(id, answer)
    hear(requestFrame(id, method, params))
    const notice = `mcp-gen-ui: "${name}" has not answered ${method} yet; it has ${Duration.toSeconds(PATIENCE)} s`
    const frame = yield* Deferred.await(answer).pipe(
      Effect.timeoutOrElse({
        duration: SILENCE,
        orElse: () => Effect.andThen(Console.error(notice), Deferred.await(answer))
      }),
      Effect.timeoutOrElse({ duration: PATIENCE, orElse: () => Effect.fail(silent(method, PATIENCE)) })
    )
    if (memberSpan(frame, "result") !== undefined) return frame
    const detail = stringAt(frame, ["error", "message"]) ?? `its answer to ${method} has no result`
    return yield* new ToolsUnavailable({ detail })
  })

  const listTools = Effect.gen(function* () {
    yield* Deferred.await(listening)
    yield* ask("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: yield* HostCapabilities,
      clientInfo: { name: "mcp-gen-ui", version: "0" }
    })
    hear(notificationFrame("notifications/initialized", undefined))
    const definitions: Array<unknown> = []
    let cursor: string | undefined
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const answer = yield* ask("tools/list", cursor === undefined ? {} : { cursor })
      const { next, tools } = readToolList(answer)
      if (tools === undefined) return yield* new ToolsUnavailable({ detail: "there is no list in its answer" })
      for (const tool of tools) definitions.push(valueOf(answer, tool))
      if (next === undefined || next === cursor) break
      cursor = next
    }
    return definitions
  })

  return { link, listTools, silent }
}

/**
 * Starts the server of the settings, or connects to it, as a session does, and answers the elements of its `tools/list`
 * result, all pages. The server is ended before this returns. Fails if it does not start, ends, or has no such list.
 */
export const listServerTools: Effect.Effect<
  ReadonlyArray<unknown>,
  ToolsUnavailable | UpstreamExited | UpstreamLost | UpstreamUnavailable,
  Settings
> = Effect.gen(function* () {
  const { link, listTools, silent } = plainHost(yield* Settings)
  const settings = Layer.effect(
    Settings,
    Effect.map(Settings, (told) => ({ ...told, http: undefined, forceUi: false }))
  )
  return yield* Effect.gen(function* () {
    const session = yield* Session
    const ended = Effect.andThen(session.run, new ToolsUnavailable({ detail: "the conversation ended" }))
    return yield* Effect.raceFirst(listTools, ended)
  }).pipe(
    Effect.provide(
      wrapper.pipe(
        Layer.provide([Layer.succeed(HostConnection, HostConnection.of(link)), LanguageModelNone.layer]),
        Layer.provide(settings)
      )
    ),
    Effect.timeoutOrElse({
      duration: PATIENCE_IN_ALL,
      orElse: () => Effect.fail(silent("all that it was asked", PATIENCE_IN_ALL))
    })
  )
})
