import { Runtime, Schema } from "effect"

/** The file for logs could not be opened; exit code 2. */
export class LogFileUnavailable extends Schema.TaggedError<LogFileUnavailable>()("LogFileUnavailable", {
  file: Schema.String,
  detail: Schema.String
}) {
  override readonly [Runtime.errorExitCode] = 2

  override get message(): string {
    return `the log file ${this.file} can not be written: ${this.detail}`
  }
}
