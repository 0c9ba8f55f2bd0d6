export type JsonRecord = Readonly<Record<string, unknown>>

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Equal as JSON, whatever the order of members. */
export const sameJson = (left: unknown, right: unknown): boolean => {
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((item, index) => sameJson(item, right[index]))
  if (isRecord(left) && isRecord(right)) {
    const names = Object.keys(left)
    return (
      names.length === Object.keys(right).length &&
      names.every((name) => Object.hasOwn(right, name) && sameJson(left[name], right[name]))
    )
  }
  return Object.is(left, right)
}

/** A step of a JSON pointer (RFC 6901) as it is written. */
export const pointerStep = (name: string | number): string =>
  `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`

/** JSON in a few words, for a report. */
export const shortJson = (value: unknown, length = 160): string => {
  const text = JSON.stringify(value) ?? "nothing"
  return text.length > length ? `${text.slice(0, length)}…` : text
}
