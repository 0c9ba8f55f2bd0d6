/** Variables by name, as of a process. */
export type Environment = Readonly<Record<string, string | undefined>>

/** A reference in the file that could not be followed; `path` as in {@link formatPath}. */
export interface ReferenceProblem {
  readonly path: ReadonlyArray<PropertyKey>
  readonly text: string
}

const REFERENCE = /\$\$\{|\$\{([^}]*)(\}?)/g

/** Whether a string of the file refers to the environment, so that the file itself holds no secret. */
export const hasReference = (text: string): boolean => [...text.matchAll(REFERENCE)].some((match) => match[0] !== "$${")

/**
 * Replaces `${NAME}` in every string value by that environment variable; `$${` stands for a plain `${`. Keys are
 * left alone. A variable that is not set is a problem; an empty one is not.
 */
export const resolveReferences = (
  document: unknown,
  environment: Environment
): { readonly document: unknown; readonly problems: ReadonlyArray<ReferenceProblem> } => {
  const problems: Array<ReferenceProblem> = []
  const resolve = (value: unknown, path: ReadonlyArray<PropertyKey>): unknown => {
    if (typeof value === "string") {
      return value.replaceAll(REFERENCE, (whole, name: string | undefined, closed: string | undefined) => {
        if (whole === "$${") return "${"
        if (name === undefined || closed !== "}" || !/^[A-Za-z_]\w*$/.test(name)) {
          problems.push({
            path,
            text: "has a ${ that no variable name and } follow; write ${NAME}, or $${ for the two characters themselves"
          })
          return whole
        }
        const found = environment[name]
        if (found === undefined)
          problems.push({ path, text: `needs the environment variable ${name}, which is not set` })
        return found ?? whole
      })
    }
    if (Array.isArray(value)) return value.map((item, index) => resolve(item, [...path, index]))
    if (typeof value === "object" && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolve(item, [...path, key])]))
    }
    return value
  }
  return { document: resolve(document, []), problems }
}
