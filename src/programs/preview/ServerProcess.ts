import { Effect } from "effect"
import type { Scope } from "effect"
import { spawn } from "node:child_process"
import type { ChildProcessWithoutNullStreams } from "node:child_process"
import { StringDecoder } from "node:string_decoder"
import { LastWords } from "../../domain/observability/LastWords.ts"
import { STUDIO_VARIABLE } from "../../domain/session/WrapperTool.ts"
import { makeRedactor, secretsOf } from "../../domain/observability/Redaction.ts"

interface ServerExit {
  readonly code: number | null
  readonly signal: string | null
  /** Why the process could not be started, if it could not. */
  readonly failure?: string | undefined
  /** The last lines that it wrote on standard error, without secrets. */
  readonly said?: string | undefined
}

export interface ServerProcessOptions {
  readonly command: string
  readonly args: ReadonlyArray<string>
  /** One line of stdout, without its end. Answering `false` pauses the process until `resume` is called. */
  readonly onFrame: (line: string, resume: () => void) => boolean
  /** One line of stderr, cut at 4,000 characters. */
  readonly onLog: (line: string) => void
}

export interface ServerProcess {
  /** Writes one JSON-RPC message; it is dropped when the process has ended. */
  readonly send: (message: string) => Effect.Effect<void>
  readonly exit: Effect.Effect<ServerExit>
}

const longestLogLine = 4_000

/** Counted from the end of its input. */
const patience = { terminateAfter: "2 seconds", killAfter: "3 seconds", giveUpAfter: "4 seconds" } as const

/** Calls `take` for every line of a stream of text; a long line is scanned once and joined once. */
const byLine = (take: (line: string) => void) => {
  const decoder = new StringDecoder("utf8")
  let parts: Array<string> = []
  return (chunk: Buffer): void => {
    const text = decoder.write(chunk)
    let start = 0
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
      take([...parts, text.slice(start, end)].join(""))
      parts = []
      start = end + 1
    }
    if (start < text.length) parts.push(text.slice(start))
  }
}

const started = (options: ServerProcessOptions) => {
  const child = spawn(options.command, [...options.args], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, [STUDIO_VARIABLE]: "1" },
    // A group of its own, so that signals reach the children of the server too.
    detached: process.platform !== "win32",
    windowsHide: true
  })
  const lastWords = new LastWords()
  const exited = new Promise<ServerExit>((resolve) => {
    child.once("error", (error) => resolve({ code: null, signal: null, failure: error.message }))
    child.once("close", (code, signal) =>
      resolve({ code, signal, said: lastWords.said(makeRedactor(secretsOf(process.env)).text) })
    )
  })
  child.stdin.on("error", () => {})
  child.stdout.on(
    "data",
    byLine((line) => {
      if (!options.onFrame(line, () => child.stdout.resume())) child.stdout.pause()
    })
  )
  child.stderr.on("data", (chunk: Buffer) => lastWords.push(chunk))
  child.stderr.on(
    "data",
    byLine((line) => options.onLog(line.slice(0, longestLogLine)))
  )
  return { child, exit: Effect.promise(() => exited) }
}

const signalGroup = (child: ChildProcessWithoutNullStreams, signal: NodeJS.Signals) =>
  Effect.sync(() => {
    if (child.pid === undefined) return
    try {
      if (process.platform === "win32") child.kill(signal)
      else process.kill(-child.pid, signal)
    } catch {
      // The group has ended in the meantime.
    }
  })

const end = ({ child, exit }: ReturnType<typeof started>) =>
  Effect.sync(() => {
    child.stdin.end()
    child.stdout.resume()
  }).pipe(
    Effect.andThen(exit),
    Effect.timeoutOrElse({
      duration: patience.terminateAfter,
      orElse: () => signalGroup(child, "SIGTERM").pipe(Effect.andThen(exit))
    }),
    Effect.timeoutOrElse({
      duration: patience.killAfter,
      orElse: () => signalGroup(child, "SIGKILL").pipe(Effect.andThen(exit))
    }),
    Effect.timeoutOption(patience.giveUpAfter)
  )

/**
 * Starts an MCP server over stdio, as a host does, and ends it with the scope: its input is closed first; if it
 * still runs after that it gets SIGTERM, then SIGKILL, with its whole process group.
 */
export const startServerProcess = Effect.fn("preview.startServerProcess")(function* (
  options: ServerProcessOptions
): Effect.fn.Return<ServerProcess, never, Scope.Scope> {
  const server = yield* Effect.acquireRelease(
    Effect.sync(() => started(options)),
    end
  )
  return {
    send: (message) =>
      Effect.sync(() => {
        if (server.child.stdin.writable) server.child.stdin.write(`${message}\n`)
      }),
    exit: server.exit
  }
})
