import { isObject } from "../isObject.ts"

/** Numbers that JavaScript cannot hold exactly stay text, as do `NaN` and `Infinity`. */
const numberIn = (text: string): number | string => {
  const digits = text.replace(/\D/g, "").length
  return digits > 0 && digits < 16 && Number.isFinite(Number(text)) ? Number(text) : text
}

const momentIn = (milliseconds: unknown): string | undefined => {
  const date = new Date(Number(milliseconds))
  return Number.isFinite(date.getTime()) ? date.toISOString() : undefined
}

/** A UUID (subtypes 3 and 4) as people write it; other bytes stay Base64. */
const binaryIn = (base64: string, type: unknown): string =>
  /^0?[34]$/.test(String(type)) && /^[\w+/]{22}==$/.test(base64)
    ? Array.from(atob(base64), (byte) => byte.charCodeAt(0).toString(16).padStart(2, "0"))
        .join("")
        .replace(/(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")
    : base64

/**
 * The plain value of an object of MongoDB Extended JSON (v2, relaxed and canonical; dates of v1): `{"$oid": "…"}` is a
 * text. `undefined` if it is another object, such as `$ref` or an operator of a query.
 */
export const extendedValue = (object: Readonly<Record<string, unknown>>): unknown => {
  const [name = "", second] = Object.keys(object)
  // Ask this first: most objects are records.
  if (!name.startsWith("$") || second !== undefined) return undefined
  const value = object[name]
  if (/^\$m(in|ax)Key$/.test(name)) return name.slice(1)
  if (name === "$undefined") return null
  if (typeof value === "string")
    return /^\$number(Int|Long|Double|Decimal)$/.test(name)
      ? numberIn(value)
      : /^\$(oid|date|uuid|symbol|code)$/.test(name)
        ? value
        : undefined
  if (name === "$date") return momentIn(isObject(value) ? value.$numberLong : value)
  if (!isObject(value)) return undefined
  const { base64, options, pattern, subType, t } = value
  if (name === "$timestamp") return momentIn(Number(t) * 1000)
  if (name === "$binary" && typeof base64 === "string") return binaryIn(base64, subType)
  return name === "$regularExpression" ? `/${String(pattern)}/${String(options)}` : undefined
}
