import { Context, Effect } from "effect"
import type { Fiber } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { statSync } from "node:fs"
import { LastWords } from "../../domain/observability/LastWords.ts"
import { serverEnvironment } from "../../domain/upstream/serverEnvironment.ts"
import { serverName } from "../../domain/wire/serverName.ts"
import type { StdioUpstream } from "../../services/settings/Settings.ts"
import { UpstreamUnavailable } from "../../services/upstream/Upstream.ts"
import { writeStandardError } from "../platform/standardError.ts"

/** A server that was started as a child process, with its standard error read and its standard output not yet. */
export interface StartedServer {
  readonly child: ChildProcess
  /** The last that it wrote on standard error, without secrets. */
  readonly lastWords: (redact: (text: string) => string) => string
}

/**
 * The server of a run, if it was started before the rest of the program was loaded. Whoever would start a server takes
 * this one first. By default there is none.
 */
export const FirstServer = Context.Reference<Fiber.Fiber<StartedServer, UpstreamUnavailable> | undefined>(
  "mcp-gen-ui/adapters/FirstServer",
  { defaultValue: () => undefined }
)

/** Whether what a server writes on standard error goes to ours. Not where many are tried, whose last words are told. */
export const PassesStandardError = Context.Reference<boolean>("mcp-gen-ui/adapters/PassesStandardError", {
  defaultValue: () => true
})

const isWindows = process.platform === "win32"

const isDirectory = (path: string): boolean => {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

/** What to write in place of a command that is not there. */
const adviceFor = (command: string): string => {
  if (/^[A-Za-z]:[^\\/]/.test(command)) {
    return "A shell took its backslashes: write them twice, or as /, or the path in single quotes"
  }
  const words = command.split(/\s+/)
  if (words.length === 1) return "Check the spelling, give its full path, or install it"
  const list = ["--", ...words].map((word) => JSON.stringify(word)).join(", ")
  return `Write each word by itself: mcp-gen-ui -- ${command}, or in a list: ${list}`
}

const unavailable = (options: StdioUpstream, cause: NodeJS.ErrnoException): UpstreamUnavailable => {
  const command = serverName(options.command, options.args)
  if (options.cwd !== undefined && !isDirectory(options.cwd)) {
    return new UpstreamUnavailable({
      command,
      reason: "DirectoryMissing",
      detail: `the working directory "${options.cwd}" of the MCP server does not exist or is no directory (upstream.cwd)`
    })
  }
  if (cause.code === "ENOENT") {
    return new UpstreamUnavailable({
      command,
      reason: "NotFound",
      detail: `the command "${options.command}" was not found on PATH. ${adviceFor(options.command)}.`
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

/** Signals a server and all in its process group; `false` if there is none any more. 0 only asks. */
export const signalGroup = (child: ChildProcess, signal: "SIGTERM" | "SIGKILL" | 0): boolean => {
  const { pid } = child
  if (pid === undefined) return false
  try {
    return isWindows ? signal !== 0 && child.kill(signal) : process.kill(-pid, signal)
  } catch {
    return false
  }
}

const withLastWords = (child: ChildProcess, passesOn: boolean): StartedServer => {
  const words = new LastWords()
  child.stderr?.on("data", (chunk: Uint8Array) => {
    words.push(chunk)
    if (passesOn) writeStandardError(chunk)
  })
  return { child, lastWords: (redact) => words.said(redact) }
}

/**
 * Starts a server as a child process with pipes for standard input, output and error. What it writes on standard error
 * goes to ours, so that it reaches the host's log as it would without us. Its environment is ours too, plus `env`.
 */
export const startServer = Effect.fnUntraced(function* (
  options: StdioUpstream
): Effect.fn.Return<StartedServer, UpstreamUnavailable> {
  // Windows needs help with .cmd shims and quoting; elsewhere the module is not loaded.
  const run = isWindows ? (yield* Effect.promise(() => import("cross-spawn"))).default : spawn
  const passesOn = yield* PassesStandardError
  return yield* Effect.callback<StartedServer, UpstreamUnavailable>((resume) => {
    try {
      const child = run(options.command, options.args, {
        cwd: options.cwd,
        env: serverEnvironment(process.env, options.env),
        stdio: ["pipe", "pipe", "pipe"],
        // A process group of its own, so that what the server starts ends with it.
        detached: !isWindows,
        windowsHide: true
      })
      const server = withLastWords(child, passesOn)
      child.once("spawn", () => resume(Effect.succeed(server)))
      child.once("error", (cause) => resume(Effect.fail(unavailable(options, cause))))
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(String(cause))
      resume(Effect.fail(unavailable(options, error)))
    }
  })
})

/** When a process exits, Node throws away output that nobody listens to. Such a listener keeps it. */
const keepUnread = (): void => undefined

/** From now on somebody listens. */
export const releaseOutput = ({ stdout }: ChildProcess): void => void stdout?.off("readable", keepUnread)

/**
 * Starts a server for {@link FirstServer}. Its output waits until somebody listens. If nobody ever does, the server ends
 * with the scope.
 */
export const startFirstServer = (options: StdioUpstream) =>
  Effect.acquireRelease(startServer(options), ({ child }) =>
    Effect.sync(() => {
      if (child.exitCode === null && child.signalCode === null) signalGroup(child, "SIGTERM")
    })
  ).pipe(
    Effect.tap(({ child }) => Effect.sync(() => child.stdout?.on("readable", keepUnread))),
    Effect.forkScoped({ startImmediately: true })
  )
