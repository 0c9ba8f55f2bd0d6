import { Cause, Effect, Layer, Logger, Redacted, References } from "effect"
import { closeSync, openSync, writeSync } from "node:fs"
import { LogFileUnavailable } from "../domain/ConfigProblem.ts"
import { logLine } from "../domain/LogLine.ts"
import type { LogEvent } from "../domain/LogLine.ts"
import { makeRedactor, secretsOf } from "../domain/Redaction.ts"
import { RequestId } from "../services/RequestId.ts"
import { Settings } from "../services/Settings.ts"

const MINIMUM_LEVELS = { debug: "Debug", info: "Info", warn: "Warn", error: "Error" } as const

/** Bytes that may wait for a reader of standard error before lines are dropped (and counted). */
const LONGEST_BACKLOG = 1_048_576
/** How long the end of a run waits for a reader that does not read. */
const FLUSH_MS = 1000

const OPEN_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: "its folder does not exist; create it first",
  ENOTDIR: "a part of its path is not a folder",
  EISDIR: "it is a folder",
  EACCES: "no permission",
  EROFS: "the file system is read-only"
}

interface Sink {
  readonly write: (line: string) => void
  readonly flush: Effect.Effect<void>
}

/** Writes at once, so that a line survives whatever ends the process after it. */
const fileSink = Effect.fn("Logging.fileSink")(function* (file: string) {
  const descriptor = yield* Effect.acquireRelease(
    Effect.try({
      try: () => openSync(file, "a"),
      catch: (cause) => {
        const code = cause instanceof Error && "code" in cause ? String(cause.code) : "UNKNOWN"
        return new LogFileUnavailable({ file, detail: OPEN_ERRORS[code] ?? code })
      }
    }),
    (descriptor) => Effect.sync(() => closeSync(descriptor))
  )
  return {
    write: (line) => {
      try {
        writeSync(descriptor, line)
      } catch {
        // A full disk ends the log, not the work that it describes.
      }
    },
    flush: Effect.void
  } satisfies Sink
})

const ignoreClosedPipe = (): void => undefined

/**
 * Never waits for the host: many hosts leave standard error unread, and a full pipe must not hold up a call.
 * What the host does not take is kept up to a bound, then dropped and counted.
 */
const stderrSink = (): Sink => {
  const stream = process.stderr
  // Stays for the life of the process: the write that finds the pipe closed may outlive this layer.
  if (!stream.listeners("error").includes(ignoreClosedPipe)) stream.on("error", ignoreClosedPipe)
  let dropped = 0
  return {
    write: (line) => {
      if (stream.writableLength > LONGEST_BACKLOG) {
        dropped++
        return
      }
      if (dropped > 0) {
        const note = `${new Date().toISOString()} WARN  log lines-dropped ${dropped} lines were not read in time and are lost\n`
        dropped = 0
        stream.write(note)
      }
      stream.write(line)
    },
    flush: Effect.callback<void>((resume) => {
      stream.write("", () => resume(Effect.void))
    }).pipe(Effect.timeoutOption(FLUSH_MS), Effect.asVoid)
  }
}

const secretsIn = (settings: Settings["Service"], environment: Readonly<Record<string, string | undefined>>) => [
  ...(settings.llm.apiKey === undefined ? [] : [Redacted.value(settings.llm.apiKey)]),
  ...secretsOf(settings.upstream.env),
  ...secretsOf(environment)
]

/**
 * The log of a run, in place of Effect's own loggers: to standard error or appended to a file, never to standard
 * output. Each line holds time, level, the annotations `component` and `event`, the message, all other
 * annotations, the ids of {@link RequestId} and the cause; see {@link logLine} for the two formats and the bound.
 *
 * Unless the settings say otherwise, keys are taken out of all of it: the configured one, secrets in the
 * server's and in this process's environment, everything that looks like a key and every value under a name
 * such as `authorization`.
 */
export const layer: Layer.Layer<never, LogFileUnavailable, Settings> = Layer.unwrap(
  Effect.gen(function* () {
    const settings = yield* Settings
    const { file, format, level, redactSensitiveData } = settings.logging
    const redactor = redactSensitiveData ? makeRedactor(secretsIn(settings, process.env)) : undefined
    const logger = Effect.gen(function* () {
      const sink = file === undefined ? stderrSink() : yield* fileSink(file)
      yield* Effect.addFinalizer(() => sink.flush)
      return Logger.make((options) => {
        const { fiber } = options
        const requestId = fiber.getRef(RequestId)
        const now = options.date.getTime()
        const event: LogEvent = {
          time: options.date,
          level: options.logLevel,
          message: options.message,
          annotations: {
            ...fiber.getRef(References.CurrentLogAnnotations),
            ...Object.fromEntries(
              fiber.getRef(References.CurrentLogSpans).map(([label, start]) => [`${label}Ms`, now - start])
            ),
            ...(requestId === "-" ? {} : { requestId })
          },
          cause: options.cause.reasons.length === 0 ? undefined : Cause.pretty(options.cause)
        }
        sink.write(logLine(event, format, redactor))
      })
    })
    return Layer.merge(Logger.layer([logger]), Layer.succeed(References.MinimumLogLevel, MINIMUM_LEVELS[level]))
  })
)
