export type JsonObject = Readonly<Record<string, unknown>>

/** A JSON object: neither `null`, a list, nor an instance of a class. */
export const isObject = (value: unknown): value is JsonObject => {
  if (typeof value !== "object" || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
