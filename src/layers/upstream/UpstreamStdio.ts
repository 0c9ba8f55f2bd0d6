import { Clock, Deferred, Duration, Effect, Exit, Fiber, Layer, Result } from "effect"
import { makeBackoff } from "../../adapters/upstream/backoff.ts"
import { guardGroup } from "../../adapters/upstream/orphanGuard.ts"
import { makeUpstreamProcess, type UpstreamProcess } from "../../adapters/upstream/upstreamProcess.ts"
import { FirstServer, type StartedServer, startServer } from "../../adapters/upstream/startServer.ts"
import { serverName } from "../../domain/wire/serverName.ts"
import { makeRedactor } from "../../domain/observability/Redaction.ts"
import { secretsOfRun } from "../../domain/observability/secretsOfRun.ts"
import { readHead } from "../../domain/wire/Frame.ts"
import type { FrameLink, FrameListener } from "../../services/host/FrameLink.ts"
import type { StdioUpstream } from "../../services/settings/Settings.ts"
import {
  Upstream,
  UpstreamExited,
  type UpstreamListener,
  type UpstreamUnavailable
} from "../../services/upstream/Upstream.ts"

const nameOf = ({ args, command }: StdioUpstream): string => serverName(command, args)

/** A server may write the secrets that we gave it. */
const secretsToldTo = (upstream: StdioUpstream): ReadonlyArray<string> =>
  secretsOfRun({ llm: { apiKey: undefined }, http: undefined, cache: { url: undefined }, upstream }, process.env)

/** Before each new start in a row. */
const FIRST_DELAY = Duration.millis(500)
const LONGEST_DELAY = Duration.seconds(30)
/** A server that lived this long was well: the next delay is the first again. */
const WELL_AFTER_MS = 30_000
/** After so many ends in a row without a message in between, we give the server up. */
const MAX_SILENT_ENDS = 10
/** A server that was asked and said nothing yet is said to be silent: it may be installing, or no MCP server at all. */
const SILENCE = Duration.seconds(10)
/** Starting the guard would delay the first messages. A server that is started again is guarded at once. */
const GUARD_AFTER_FIRST_MS = 150
const GUARD_BY_MS = 250

const about = Effect.annotateLogs({ component: "upstream" })

const logCut = (line: Uint8Array): Effect.Effect<void> => {
  const text = new TextDecoder().decode(line.subarray(0, 200))
  return about(Effect.logWarning(`the server ended within a message, which is left out: ${JSON.stringify(text)}`))
}

const silenceText = (name: string, said: string): string =>
  `"${name}" has not answered for ${Duration.toSeconds(SILENCE)} s. If it is still being installed or started, wait; else check that it speaks MCP over stdio.` +
  (said === "" ? "" : ` The last that it wrote on standard error:\n${said.replaceAll(/^/gm, "  ")}`)

const make = Effect.fnUntraced(function* (options: StdioUpstream, maxMessageBytes: number) {
  const exited = yield* Deferred.make<never, UpstreamExited>()
  const closing = yield* Deferred.make<void>()
  /** The host has said something. */
  const asked = Deferred.makeUnsafe<void>()
  const log = Effect.runForkWith(yield* Effect.context<never>())

  let frames: FrameListener | undefined
  let watcher: UpstreamListener | undefined
  let server: UpstreamProcess | undefined
  /** The server's link while it takes frames. */
  let link: FrameLink | undefined
  let first = yield* FirstServer
  let lastWords: StartedServer["lastWords"] = () => ""
  let liftGuard: (() => void) | undefined
  let guardTimer: NodeJS.Timeout | undefined
  let isHostBehind = false
  let isBehind = false
  let hasSpoken = false
  let hasEverSpoken = false

  const guardIn = (pid: number, time: number): void => {
    clearTimeout(guardTimer)
    const onFailure = (error: Error): void => {
      log(Effect.logDebug("no watcher: a server may outlive a killed wrapper", error))
    }
    guardTimer = setTimeout(() => {
      liftGuard ??= guardGroup(pid, onFailure)
    }, time).unref()
  }

  const drained = (): void => {
    if (!isBehind) return
    isBehind = false
    frames?.drained()
  }

  const connect = ({ link: own, pid }: UpstreamProcess): void => {
    if (frames === undefined) return
    const { frame, long, oversized } = frames
    const onFrame = (bytes: Uint8Array): void => {
      if (link !== own) return
      if (!hasSpoken && readHead(bytes) !== undefined) {
        hasSpoken = true
        guardIn(pid, hasEverSpoken ? 0 : GUARD_AFTER_FIRST_MS)
        hasEverSpoken = true
      }
      frame(bytes)
    }
    own.listen({
      frame: onFrame,
      ...(oversized !== undefined && { oversized }),
      ...(long !== undefined && { long: (frame) => link === own && hasSpoken && long(frame) }),
      drained,
      ended: () => undefined
    })
    if (isHostBehind) own.pause()
  }

  const start = Effect.suspend(() => {
    const ahead = first
    first = undefined
    return ahead === undefined ? startServer(options) : Fiber.join(ahead)
  })

  const begin = Effect.uninterruptible(
    Effect.map(start, (started) => {
      lastWords = started.lastWords
      server = makeUpstreamProcess(started.child, { maxMessageBytes, onCut: (line) => log(logCut(line)) })
      link = server.link
      guardIn(server.pid, hasEverSpoken ? 0 : GUARD_BY_MS)
      connect(server)
      return server
    })
  )

  const retire = Effect.uninterruptible(
    Effect.suspend(() => {
      clearTimeout(guardTimer)
      return server === undefined ? Effect.void : server.stop
    }).pipe(
      Effect.map(() => {
        server = undefined
        liftGuard?.()
        liftGuard = undefined
      })
    )
  )

  const said = () => lastWords(makeRedactor(secretsToldTo(options)).text)

  const warnOfSilence = Effect.gen(function* () {
    yield* Deferred.await(asked)
    yield* Effect.sleep(SILENCE)
    if (hasEverSpoken) return
    yield* about(Effect.logWarning(silenceText(nameOf(options), said())))
  })

  const endOf = (life: UpstreamProcess) =>
    Effect.map(life.ended, (end) => {
      link = undefined
      return new UpstreamExited({ command: nameOf(options), ...end, silent: !hasSpoken, said: said() })
    })

  /** Waits for the server's end and starts it again, until it is given up or the host leaves. */
  const supervise = Effect.fnUntraced(function* (first: UpstreamProcess) {
    const backoff = yield* makeBackoff(FIRST_DELAY, LONGEST_DELAY)
    let silentEnds = 0
    let startedAt = yield* Clock.currentTimeMillis
    let error = yield* endOf(first)
    for (;;) {
      if ((yield* Clock.currentTimeMillis) - startedAt >= WELL_AFTER_MS) yield* backoff.reset
      silentEnds = hasSpoken ? 1 : silentEnds + 1
      hasSpoken = false
      if (Deferred.isDoneUnsafe(closing) || !hasEverSpoken || silentEnds >= MAX_SILENT_ENDS) break
      const delay = yield* backoff.next
      watcher?.lost(error, delay, [])
      drained()
      yield* Effect.all([retire, Effect.timeoutOption(Deferred.await(closing), delay)], {
        concurrency: "unbounded",
        discard: true
      })
      if (Deferred.isDoneUnsafe(closing)) break
      startedAt = yield* Clock.currentTimeMillis
      const started = yield* Effect.result(begin)
      if (Result.isFailure(started)) {
        yield* about(Effect.logWarning(`The MCP server could not be started again: ${started.failure.message}`))
        continue
      }
      watcher?.restored()
      error = yield* endOf(started.success)
    }
    Deferred.doneUnsafe(exited, Exit.fail(error))
    frames?.ended()
  })

  yield* Effect.addFinalizer(() => retire)
  yield* Effect.forkScoped(supervise(yield* begin))
  yield* Effect.forkScoped(warnOfSilence)
  return Upstream.of({
    link: {
      listen: (listener) => {
        frames = listener
        if (server !== undefined) connect(server)
      },
      send: (frame) => {
        Deferred.doneUnsafe(asked, Exit.void)
        if (link === undefined || link.send(frame)) return true
        isBehind = true
        return false
      },
      pause: () => {
        isHostBehind = true
        link?.pause()
      },
      resume: () => {
        isHostBehind = false
        link?.resume()
      },
      end: () => {
        Deferred.doneUnsafe(closing, Exit.void)
        link?.end()
      }
    },
    name: nameOf(options),
    watch: (listener) => {
      watcher = listener
    },
    reject: () => void log(retire),
    exited: Deferred.await(exited)
  })
})

/**
 * Starts the server as a child process and speaks newline-delimited JSON with it. What it prints on standard error
 * goes to ours, so that it reaches the host's log as it would without us. The environment is ours too, plus `env`.
 *
 * A server that ends, or closes its input or output, is started again after 0.5 s, doubling to 30 s. It is given up
 * (`exited` fails) if it never sent a message at all, or ended ten times in a row without one. A message longer than
 * `maxMessageBytes` is told to the listener's `oversized`.
 *
 * @example
 * import { layerUpstreamStdio, type StdioUpstream } from "mcp-gen-ui"
 *
 * const layerServer = (server: StdioUpstream) => layerUpstreamStdio(server, { maxMessageBytes: 50_000_000 })
 */
export const layer = (
  options: StdioUpstream,
  { maxMessageBytes }: { readonly maxMessageBytes: number }
): Layer.Layer<Upstream, UpstreamUnavailable> => Layer.effect(Upstream, make(options, maxMessageBytes))
