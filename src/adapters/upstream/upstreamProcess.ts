import { Deferred, Duration, Effect, Exit } from "effect"
import type { ChildProcess } from "node:child_process"
import type { FrameLink } from "../../services/host/FrameLink.ts"
import { makeStreamLink, type StreamLinkOptions } from "../platform/streamLink.ts"
import { releaseOutput, signalGroup } from "./startServer.ts"

/** A server has this long to end by itself after its input ended; then SIGTERM, then SIGKILL. */
const GRACE = Duration.millis(300)
const TERM_GRACE = Duration.millis(500)
/** The last output of a process may arrive so long after its end. */
const OUTPUT_GRACE_MS = 200

/** How a server ended; both are null if it lives on but closed its standard input or output. */
interface ServerEnd {
  readonly exitCode: number | null
  readonly signal: string | null
}

/** A running server: one process and what it started. */
export interface UpstreamProcess {
  /** Its standard input and output. `ended` of the listener is not called: see {@link UpstreamProcess.ended}. */
  readonly link: FrameLink
  /** Its id, which on POSIX is that of its process group too. */
  readonly pid: number
  /** Succeeds when the server is of no more use, after all that it wrote was read. */
  readonly ended: Effect.Effect<ServerEnd>
  /** Ends the server and everything in its process group, within 1.5 s. */
  readonly stop: Effect.Effect<void>
}

/** `child` has pipes for standard input and output and, except on Windows, leads a process group. */
export const makeUpstreamProcess = (child: ChildProcess, options: StreamLinkOptions): UpstreamProcess => {
  const { pid, stdin, stdout } = child
  if (pid === undefined || stdin === null || stdout === null) throw new Error("a child process without pipes")
  const ended = Deferred.makeUnsafe<ServerEnd>()
  const exit = Deferred.makeUnsafe<void>()
  let isPaused = false
  let isGraceOver = false

  const report = (): void => {
    Deferred.doneUnsafe(ended, Exit.succeed({ exitCode: child.exitCode, signal: child.signalCode }))
  }
  // While reading is paused, a server's last words wait in the pipe, however long that takes.
  const reportSoon = (): void => {
    const timer = setTimeout(() => {
      isGraceOver = true
      if (!isPaused) report()
    }, OUTPUT_GRACE_MS)
    timer.unref()
  }
  const onExit = (): void => {
    Deferred.doneUnsafe(exit, Exit.void)
    reportSoon()
  }
  // It was started some time ago, and may have ended since.
  if (child.exitCode === null && child.signalCode === null) child.once("exit", onExit)
  else onExit()
  child.once("close", report)
  // A server that lives on but has closed its input or output is of no use. One that exits tells by `exit` first.
  stdout.once("end", reportSoon)
  stdin.once("error", reportSoon)
  // Errors after the start (a signal that could not be sent) do no harm, but without a listener they would end us.
  child.on("error", () => undefined)

  const link = makeStreamLink(stdout, stdin, options)
  const within = (time: Duration.Duration) => Effect.timeoutOption(Deferred.await(exit), time)
  const signal = (name: "SIGTERM" | "SIGKILL" | 0) => signalGroup(child, name)
  const closePipes = Effect.sync(() => {
    stdin.destroy()
    stdout.destroy()
  })
  return {
    link: {
      ...link,
      listen: (listener) => {
        releaseOutput(child)
        link.listen({ ...listener, ended: () => undefined })
      },
      pause: () => {
        isPaused = true
        link.pause()
      },
      resume: () => {
        isPaused = false
        link.resume()
        if (isGraceOver) reportSoon()
      }
    },
    pid,
    ended: Deferred.await(ended),
    stop: Effect.gen(function* () {
      link.end()
      yield* within(GRACE)
      if (!signal("SIGTERM")) return
      yield* within(TERM_GRACE)
      for (let waited = 0; waited < 10 && signal(0); waited += 1) yield* Effect.sleep(Duration.millis(20))
      signal("SIGKILL")
      yield* within(TERM_GRACE)
    }).pipe(Effect.ensuring(closePipes))
  }
}
