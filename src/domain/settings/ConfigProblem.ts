import { Runtime, Schema } from "effect"

/** One wrong value: in which source (a file, a flag, a variable), where in it (`""` for the whole), and what. */
export const ConfigProblem = Schema.Struct({ source: Schema.String, path: Schema.String, text: Schema.String })
export type ConfigProblem = typeof ConfigProblem.Type

/**
 * What a run was told is incomplete or wrong, so nothing was started. Holds every problem; exit code 2.
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
