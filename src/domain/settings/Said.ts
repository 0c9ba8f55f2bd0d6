import type { ConfigProblem } from "./ConfigProblem.ts"

/** A value, and who said it. */
export interface Said<Value> {
  readonly value: Value
  /** The flag, variable or file that said it. */
  readonly source: string
  /** Where in a file, as `formatConfigPath` writes it; empty for a flag or a variable. */
  readonly path: string
}

/** Something a person should know about the run's settings, said once the log is open. */
export interface SettingsNotice {
  readonly level: "info" | "warn"
  readonly event: string
  readonly message: string
}

/** Takes what is wrong with the settings, and what a person should know about them. */
export interface Told {
  readonly problem: (source: string, path: string, text: string) => void
  readonly notice: (notice: SettingsNotice) => void
}

/** Collects in the given lists. */
export const tellInto = (problems: Array<ConfigProblem>, notices: Array<SettingsNotice>): Told => ({
  problem: (source, path, text) => {
    problems.push({ source, path, text })
  },
  notice: (notice) => {
    notices.push(notice)
  }
})
