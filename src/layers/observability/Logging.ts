import { Cause, Effect, Layer, Logger, References, Runtime, Schema } from "effect"
import { closeSync, openSync, writeSync } from "node:fs"
import { APPEND, logFileDetail } from "../../adapters/observability/logFile.ts"
import { systemErrorCode } from "../../adapters/platform/replaceFile.ts"
import { flushStandardError, writeStandardError } from "../../adapters/platform/standardError.ts"
import { type LogEvent, logLine } from "../../domain/observability/LogLine.ts"
import { makeRedactor } from "../../domain/observability/Redaction.ts"
import { RequestId } from "../../services/session/RequestId.ts"
import type { Settings } from "../../services/settings/Settings.ts"

/** The file for logs could not be opened; exit code 2. */
export class LogFileUnavailable extends Schema.TaggedError<LogFileUnavailable>()("LogFileUnavailable", {
  file: Schema.String,
  detail: Schema.String
}) {
  override readonly [Runtime.errorExitCode] = 2

  override get message(): string {
    return `the log file ${this.file} cannot be written: ${this.detail}`
  }
}

const MINIMUM_LEVELS = { debug: "Debug", info: "Info", warn: "Warn", error: "Error" } as const

type LoggingOptions = Settings["Service"]["logging"] & { readonly secrets: ReadonlyArray<string> }

interface Sink {
  readonly write: (line: string) => void
  readonly flush: Effect.Effect<void>
}

/** Writes at once, so that a line survives whatever ends the process after it. */
const fileSink = Effect.fn("Logging.fileSink")(function* (file: string) {
  const descriptor = yield* Effect.acquireRelease(
    Effect.try({
      try: () => openSync(file, APPEND, 0o600),
      catch: (cause) => new LogFileUnavailable({ file, detail: logFileDetail(systemErrorCode(cause)) })
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

const stderrSink: Sink = { write: writeStandardError, flush: flushStandardError }

/**
 * The log of a run, in place of Effect's own loggers: to standard error or appended to a file, never to standard
 * output. Each line holds time, level, the annotations `component` and `event`, the message, all other
 * annotations, the ids of {@link RequestId} and the cause; see {@link logLine} for the two formats and the bound.
 *
 * With `redactSensitiveData` the `secrets` are taken out of all of it, as is everything that looks like a key, and every
 * value under a name such as `authorization`.
 */
export const layer = ({
  file,
  format,
  level,
  redactSensitiveData,
  secrets
}: LoggingOptions): Layer.Layer<never, LogFileUnavailable> => {
  const redactor = redactSensitiveData ? makeRedactor(secrets) : undefined
  const logger = Effect.gen(function* () {
    const sink = file === undefined ? stderrSink : yield* fileSink(file)
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
}
