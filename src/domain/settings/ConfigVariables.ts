import type { ConfigFlagName, ConfigFlagValue, ConfigFlagValues } from "./ConfigFlags.ts"
import { CONFIG_FLAGS } from "./ConfigFlags.ts"
import type { Environment } from "./ConfigText.ts"
import type { Told } from "./Said.ts"

const ON: ReadonlySet<string> = new Set(["1", "true", "yes", "on"])
const OFF: ReadonlySet<string> = new Set(["0", "false", "no", "off"])

/** The value of a variable; one that is empty or blank counts as not set. */
export const variableOf = (environment: Environment, name: string): string | undefined => {
  const value = environment[name]
  return value === undefined || value.trim() === "" ? undefined : value
}

/** The variables that repeat flags, checked as the command line checks its own. */
export const readConfigVariables = (environment: Environment, tell: Told): ConfigFlagValues => {
  const values: { -readonly [Name in ConfigFlagName]?: ConfigFlagValue } = {}
  for (const name of Object.keys(CONFIG_FLAGS) as ReadonlyArray<ConfigFlagName>) {
    const definition = CONFIG_FLAGS[name]
    const value = variableOf(environment, definition.variable)
    if (value === undefined) continue
    const refuse = (allowed: string) =>
      tell.problem(definition.variable, "", `found ${JSON.stringify(value)}; allowed: ${allowed}`)
    if (definition.kind === "switch") {
      if (ON.has(value.toLowerCase())) values[name] = true
      else if (!OFF.has(value.toLowerCase())) refuse("1, true, yes, on, 0, false, no, off")
    } else if (definition.kind === "choice" && !(definition.choices as ReadonlyArray<string>).includes(value)) {
      refuse(definition.choices.join(", "))
    } else if (definition.kind === "list") {
      values[name] = value.split(/\r?\n/).filter((line) => line.trim() !== "")
    } else values[name] = value
  }
  return values as ConfigFlagValues
}
