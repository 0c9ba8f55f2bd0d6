/** What stands at a path of a document, among its own members. */
export const valueAt = (document: unknown, path: ReadonlyArray<PropertyKey>): unknown =>
  path.reduce<unknown>(
    (value, part) =>
      typeof value === "object" && value !== null ? Object.getOwnPropertyDescriptor(value, part)?.value : undefined,
    document
  )

/** `generation.limits.maxHtmlBytes`, `upstream.args[1]`, `generation.tools["my tool"]`. */
export const formatPath = (path: ReadonlyArray<PropertyKey>): string =>
  path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`
    const name = String(part)
    if (!/^[A-Za-z_$][\w$]*$/.test(name)) return `${text}[${JSON.stringify(name)}]`
    return text === "" ? name : `${text}.${name}`
  }, "")
