export interface HostVariables {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly home: string
  readonly folder: string
  /** Gemini CLI also reads `$NAME`. */
  readonly hasBareNames: boolean
}

/** What only the host knows: what it asks a person for, or what its own commands answer. */
const OF_HOST = /^(?:input|command|config|secret):/

/**
 * A text of a host's file as the host gives it to a server, as far as we know: `${env:NAME}`, `${NAME:-default}`,
 * `${userHome}`. A name that is not set stays as it is written: some hosts replace nothing. `needs` is what we cannot know.
 */
export const replaceHostVariables = (
  text: string,
  { environment, folder, hasBareNames, home }: HostVariables
): { readonly text: string; readonly needs: ReadonlyArray<string> } => {
  const needs: Array<string> = []
  const replaced = text.replaceAll(/\$\{([^{}]*)\}/g, (whole, name: string) => {
    if (OF_HOST.test(name)) needs.push(whole)
    if (name === "userHome") return home
    if (name === "workspaceFolder") return folder
    if (name.startsWith("env:")) return environment[name.slice(4)] ?? ""
    const [variable = "", ...fallback] = name.split(":-")
    return environment[variable] ?? (fallback.length > 0 ? fallback.join(":-") : whole)
  })
  const bare = hasBareNames
    ? replaced.replaceAll(/\$([A-Za-z_]\w*)/g, (whole, name: string) => environment[name] ?? whole)
    : replaced
  return { text: bare, needs }
}
