import { Runtime, Schema } from "effect"
import type { Environment } from "./ConfigText.ts"

/** One wrong value: in which source (a file, a flag, a variable), where in it (`""` for the whole), and what. */
export const ConfigProblem = Schema.Struct({ source: Schema.String, path: Schema.String, text: Schema.String })
export type ConfigProblem = typeof ConfigProblem.Type

/**
 * The settings are incomplete or wrong, so nothing was started. Holds every problem; exit code 2.
 *
 * @example
 * import { Console, Effect, Layer } from "effect"
 * import { layerSettings, type SettingsSources } from "mcp-gen-ui"
 *
 * const check = (sources: SettingsSources) =>
 *   Layer.build(layerSettings(sources)).pipe(
 *     Effect.catchTag("ConfigRejected", ({ problems }) => Console.error(problems.length))
 *   )
 */
export class ConfigRejected extends Schema.TaggedError<ConfigRejected>()("ConfigRejected", {
  problems: Schema.Array(ConfigProblem)
}) {
  override readonly [Runtime.errorExitCode] = 2

  override get message(): string {
    const lines = this.problems.map(({ source, path, text }) =>
      [source, path, text].filter((part) => part !== "").join(": ")
    )
    return lines.length === 1
      ? (lines[0] ?? "")
      : `${lines.length} problems, nothing was started:\n${lines.map((line) => `  ${line}`).join("\n")}`
  }
}

/** A single problem. */
export const rejected = (text: string, source = ""): ConfigRejected =>
  new ConfigRejected({ problems: [{ source, path: "", text }] })

/** A value, and who said it. */
export interface Said<Value> {
  readonly value: Value
  /** The flag, variable or file that said it. */
  readonly source: string
  /** Where in a file, as `formatPath` writes it; empty for a flag or a variable. */
  readonly path: string
}

/** A value that stands in the file, if it does. */
export const saidIn = <Value>(file: string, path: string, value: Value | undefined): Said<Value> | undefined =>
  value === undefined ? undefined : { value, source: file, path }

/** A secret from its variable, trimmed, else from the file. */
export const saidSecret = (
  environment: Environment,
  variable: string,
  inFile: Said<string> | undefined
): Said<string> | undefined => {
  const value = environment[variable]?.trim() ?? ""
  return value === "" ? inFile : { value, source: variable, path: "" }
}

/** What a person should know about the settings; logged once the log is open. */
export interface SettingsNotice {
  readonly level: "info" | "warn"
  readonly event: string
  readonly message: string
}

export interface Told {
  readonly problem: (source: string, path: string, text: string) => void
  readonly notice: (notice: SettingsNotice) => void
}

export const tellInto = (problems: Array<ConfigProblem>, notices: Array<SettingsNotice>): Told => ({
  problem: (source, path, text) => {
    problems.push({ source, path, text })
  },
  notice: (notice) => {
    notices.push(notice)
  }
})
