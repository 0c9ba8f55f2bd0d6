/** A piece of JavaScript, which stands as it is where other values become literals. */
export class Code {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/

/** A value as JavaScript. Members that are not there are left out. */
export const codeOf = (value: unknown): string => {
  if (value instanceof Code) return value.text
  if (Array.isArray(value)) return `[${value.map(codeOf).join(", ")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined"
  const members = Object.entries(value).flatMap(([name, inner]) =>
    inner === undefined ? [] : [`${IDENTIFIER.test(name) ? name : JSON.stringify(name)}: ${codeOf(inner)}`]
  )
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`
}

/** A call of a part; empty options are left out. */
export const callOf = (part: string, ...given: ReadonlyArray<unknown>): Code => {
  const last = given.at(-1)
  const isEmpty = !(last instanceof Code) && codeOf(last) === "{}"
  return new Code(`${part}(${(isEmpty ? given.slice(0, -1) : given).map(codeOf).join(", ")})`)
}

/** What names stand for in a text with {members}: the root of a plain name, and of those with a prefix. */
export interface Names {
  readonly of: string
  readonly args: string
  /** Reads a member of what is chosen. */
  readonly chosen?: (path: string) => string
}

/** `data?.a?.b` */
export const memberCode = (of: string, path: string): string =>
  path.split(".").reduce((code, name) => `${code}?.${IDENTIFIER.test(name) ? name : `[${JSON.stringify(name)}]`}`, of)

const named = (path: string, names: Names): string => {
  if (path.startsWith("args.")) return memberCode(names.args, path.slice(5))
  if (names.chosen !== undefined && path.startsWith("chosen.")) return names.chosen(path.slice(7))
  return memberCode(names.of, path)
}

const escaped = (text: string): string => text.replaceAll(/[`\\]|\$\{/g, "\\$&")

/** A text in which `{name}` is a member. A text that is one member only is that member, whatever its type. */
export const textCode = (text: string, names: Names): unknown => {
  const pieces = text.split(/\{([^{}]+)\}/)
  if (pieces.length === 1) return text
  const [before, path = "", after] = pieces
  if (pieces.length === 3 && before === "" && after === "") return new Code(named(path, names))
  const code = pieces.map((piece, at) => (at % 2 === 0 ? escaped(piece) : `\${${named(piece, names)} ?? ""}`))
  return new Code(`\`${code.join("")}\``)
}

/** The same in all texts of a JSON value. */
export const valueCode = (value: unknown, names: Names): unknown => {
  if (typeof value === "string") return textCode(value, names)
  if (Array.isArray(value)) return value.map((item) => valueCode(item, names))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, valueCode(inner, names)]))
}
