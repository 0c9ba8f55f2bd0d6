import { Deferred, Duration, Effect, Exit, Layer } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { statSync } from "node:fs"
import { writeStandardError } from "../adapters/standardError.ts"
import { makeStreamLink } from "../adapters/streamLink.ts"
import type { FrameLink } from "../services/FrameLink.ts"
import type { StdioUpstream } from "../services/Settings.ts"
import { Upstream, UpstreamExited, UpstreamUnavailable } from "../services/Upstream.ts"

/** A server has this long to end by itself after its input ended; then SIGTERM, then SIGKILL. */
const GRACE = Duration.millis(300)
const TERM_GRACE = Duration.millis(500)
/** What a process wrote just before its end may still be on its way. */
const OUTPUT_GRACE = Duration.millis(200)

const isWindows = process.platform === "win32"

const commandLine = (options: StdioUpstream): string => [options.command, ...options.args].join(" ")

const isDirectory = (path: string): boolean => {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

const unavailable = (options: StdioUpstream, cause: NodeJS.ErrnoException): UpstreamUnavailable => {
  const command = commandLine(options)
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
          env: { ...process.env, ...options.env },
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

const signalGroup = (child: ChildProcess, signal: "SIGTERM" | "SIGKILL" | 0): boolean => {
  if (child.pid === undefined) return false
  try {
    return isWindows ? signal !== 0 && child.kill(signal) : process.kill(-child.pid, signal)
  } catch {
    return false
  }
}

/** Ends the server and everything in its process group. */
const stop = (child: ChildProcess, link: FrameLink, exit: Deferred.Deferred<void>): Effect.Effect<void> =>
  Effect.gen(function* () {
    link.end()
    const within = (time: Duration.Duration) => Effect.timeoutOption(Effect.exit(Deferred.await(exit)), time)
    yield* within(GRACE)
    if (!signalGroup(child, "SIGTERM")) return
    yield* within(TERM_GRACE)
    for (let waited = 0; waited < 10 && signalGroup(child, 0); waited += 1) yield* Effect.sleep(Duration.millis(20))
    signalGroup(child, "SIGKILL")
    yield* within(TERM_GRACE)
  })

/**
 * Starts the server as a child process and speaks newline-delimited JSON with it. What it prints on standard error
 * goes to ours, so that it reaches the host's log as it would without us. The environment is ours too, plus `env`.
 */
export const layer = (options: StdioUpstream): Layer.Layer<Upstream, UpstreamUnavailable> =>
  Layer.effect(
    Upstream,
    Effect.gen(function* () {
      const ended = yield* Deferred.make<never, UpstreamExited>()
      const exit = yield* Deferred.make<void>()
      let silent = true
      const { link } = yield* Effect.acquireRelease(
        Effect.gen(function* () {
          const child = yield* start(options)
          const { stdin, stdout } = child
          if (stdin === null || stdout === null) return yield* Effect.die("a child process without pipes")
          const report = (exitCode: number | null, signal: string | null) => {
            if (exitCode !== null || signal !== null) Deferred.doneUnsafe(exit, Exit.void)
            const error = new UpstreamExited({ command: commandLine(options), exitCode, signal, silent })
            Deferred.doneUnsafe(ended, Exit.fail(error))
          }
          const reportSoon = (exitCode: number | null, signal: string | null) =>
            setTimeout(report, Duration.toMillis(OUTPUT_GRACE), exitCode, signal).unref()
          child.once("close", report)
          child.once("exit", reportSoon)
          // A server that lives on but neither hears nor speaks is of no use; one that exits says so first.
          stdout.once("end", () => reportSoon(null, null))
          stdin.once("error", () => reportSoon(null, null))
          child.stderr?.on("data", writeStandardError)
          // An error after the start (a signal that could not be sent) needs no answer, but must be heard.
          child.on("error", () => undefined)
          stdout.once("data", () => {
            silent = false
          })
          return { child, link: makeStreamLink(stdout, stdin) }
        }),
        ({ child, link }) => stop(child, link, exit)
      )
      return Upstream.of({ link, name: commandLine(options), exited: Deferred.await(ended) })
    })
  )
