import { Clock, Deferred, Duration, Effect, Exit, Layer, Result } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { statSync } from "node:fs"
import { makeBackoff } from "../../adapters/upstream/backoff.ts"
import { guardGroup } from "../../adapters/upstream/orphanGuard.ts"
import { makeServerProcess, type ServerProcess } from "../../adapters/upstream/serverProcess.ts"
import { writeStandardError } from "../../adapters/platform/standardError.ts"
import { serverEnvironment } from "../../domain/upstream/serverEnvironment.ts"
import { serverName } from "../../domain/wire/serverName.ts"
import { LastWords } from "../../domain/observability/LastWords.ts"
import { makeRedactor } from "../../domain/observability/Redaction.ts"
import { secretsOfRun } from "../../domain/observability/secretsOfRun.ts"
import { readHead } from "../../domain/wire/Frame.ts"
import type { FrameLink, FrameListener } from "../../services/host/FrameLink.ts"
import type { StdioUpstream } from "../../services/settings/Settings.ts"
import {
  Upstream,
  UpstreamExited,
  type UpstreamListener,
  UpstreamUnavailable
} from "../../services/upstream/Upstream.ts"

const isWindows = process.platform === "win32"

const nameOf = ({ args, command }: StdioUpstream): string => serverName(command, args)

const isDirectory = (path: string): boolean => {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

const unavailable = (options: StdioUpstream, cause: NodeJS.ErrnoException): UpstreamUnavailable => {
  const command = nameOf(options)
  if (options.cwd !== undefined && !isDirectory(options.cwd)) {
    return new UpstreamUnavailable({
      command,
      reason: "DirectoryMissing",
      detail: `the working directory "${options.cwd}" of the MCP server does not exist or is no directory (upstream.cwd)`
    })
  }
  if (cause.code === "ENOENT") {
    const hint = /\s/.test(options.command)
      ? `If it has arguments, put them after it: mcp-gen-ui -- ${options.command}`
      : "Check the spelling, give its full path, or install it"
    return new UpstreamUnavailable({
      command,
      reason: "NotFound",
      detail: `the command "${options.command}" was not found on PATH. ${hint}.`
    })
  }
  if (cause.code === "EACCES") {
    return new UpstreamUnavailable({
      command,
      reason: "NotExecutable",
      detail: `"${options.command}" may not be executed. Make it executable (chmod +x), or name the program that runs it, such as node or python.`
    })
  }
  return new UpstreamUnavailable({
    command,
    reason: "Failed",
    detail: `"${command}" could not be started: ${cause.message}`
  })
}

const start = (options: StdioUpstream): Effect.Effect<ChildProcess, UpstreamUnavailable> =>
  Effect.gen(function* () {
    // Windows needs help with .cmd shims and quoting; elsewhere the module is not loaded.
    const run = isWindows ? (yield* Effect.promise(() => import("cross-spawn"))).default : spawn
    return yield* Effect.callback<ChildProcess, UpstreamUnavailable>((resume) => {
      try {
        const child = run(options.command, options.args, {
          cwd: options.cwd,
          env: serverEnvironment(process.env, options.env),
          stdio: ["pipe", "pipe", "pipe"],
          // A process group of its own, so that what the server starts ends with it.
          detached: !isWindows,
          windowsHide: true
        })
        child.once("spawn", () => resume(Effect.succeed(child)))
        child.once("error", (cause) => resume(Effect.fail(unavailable(options, cause))))
      } catch (cause) {
        const error = cause instanceof Error ? cause : new Error(String(cause))
        resume(Effect.fail(unavailable(options, error)))
      }
    })
  })

/** What a server is told may stand in what it writes. */
const secretsToldTo = (upstream: StdioUpstream): ReadonlyArray<string> =>
  secretsOfRun({ llm: { apiKey: undefined }, http: undefined, cache: { url: undefined }, upstream }, process.env)

/** Before each new start in a row. */
const FIRST_DELAY = Duration.millis(500)
const LONGEST_DELAY = Duration.seconds(30)
/** A server that lived this long was well: the next delay is the first again. */
const WELL_AFTER_MS = 30_000
/** So many ends in a row without a message in between, and the server is given up. */
const MAX_SILENT_ENDS = 10
/** The guard against orphans waits until the first message is forwarded, so as not to delay it, but not longer. */
const GUARD_BY_MS = 250

const about = Effect.annotateLogs({ component: "upstream" })

const logCut = (line: Uint8Array): Effect.Effect<void> => {
  const text = new TextDecoder().decode(line.subarray(0, 200))
  return about(Effect.logWarning(`the server ended within a message, which is left out: ${JSON.stringify(text)}`))
}

const make = Effect.fnUntraced(function* (options: StdioUpstream, maxMessageBytes: number) {
  const exited = yield* Deferred.make<never, UpstreamExited>()
  const closing = yield* Deferred.make<void>()
  const log = Effect.runForkWith(yield* Effect.context<never>())

  let frames: FrameListener | undefined
  let watcher: UpstreamListener | undefined
  let server: ServerProcess | undefined
  /** The server's link while it takes frames. */
  let link: FrameLink | undefined
  let lastWords = new LastWords()
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

  const connect = ({ link: own, pid }: ServerProcess): void => {
    if (frames === undefined) return
    const { frame, oversized } = frames
    const onFrame = (bytes: Uint8Array): void => {
      if (link !== own) return
      if (!hasSpoken && readHead(bytes) !== undefined) {
        hasSpoken = true
        hasEverSpoken = true
        guardIn(pid, 0)
      }
      frame(bytes)
    }
    own.listen({
      frame: onFrame,
      ...(oversized !== undefined && { oversized }),
      drained,
      ended: () => undefined
    })
    if (isHostBehind) own.pause()
  }

  const begin = Effect.uninterruptible(
    Effect.map(start(options), (child) => {
      const words = new LastWords()
      lastWords = words
      child.stderr?.on("data", (chunk: Uint8Array) => {
        words.push(chunk)
        writeStandardError(chunk)
      })
      server = makeServerProcess(child, { maxMessageBytes, onCut: (line) => log(logCut(line)) })
      link = server.link
      guardIn(server.pid, GUARD_BY_MS)
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

  const endOf = (life: ServerProcess) =>
    Effect.map(life.ended, (end) => {
      link = undefined
      const said = lastWords.said(makeRedactor(secretsToldTo(options)).text)
      return new UpstreamExited({ command: nameOf(options), ...end, silent: !hasSpoken, said })
    })

  /** Waits for the server's end and starts it again, until it is given up or the host leaves. */
  const supervise = Effect.fnUntraced(function* (first: ServerProcess) {
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
  return Upstream.of({
    link: {
      listen: (listener) => {
        frames = listener
        if (server !== undefined) connect(server)
      },
      send: (frame) => {
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
 */
export const layer = (
  options: StdioUpstream,
  { maxMessageBytes }: { readonly maxMessageBytes: number }
): Layer.Layer<Upstream, UpstreamUnavailable> => Layer.effect(Upstream, make(options, maxMessageBytes))
