import { singularWords } from "./OptionMembers.ts"
import { type SchemaField, typesOf } from "./SchemaFields.ts"

/** A field that takes a file, and how its bytes are written. */
export interface FileField {
  readonly as: "base64" | "base64url" | "data-url"
  /** For the browser's file picker: `image/png`. */
  readonly accept?: string
  /** Characters that the written file may have. */
  readonly maxLength?: number
}

const FORMATS: Readonly<Record<string, FileField["as"]>> = {
  "data-url": "data-url",
  "data-uri": "data-url",
  byte: "base64",
  base64: "base64",
  base64url: "base64url",
  binary: "base64"
}
/** Where only a description says so, the name has to agree: cursors and signatures are base64 too. */
const FILE_WORD =
  /^(?:attachment|audio|avatar|blob|body|byte|content|data|document|file|icon|image|logo|media|payload|pdf|photo|picture|thumbnail|upload|video)$/
const MEDIA_TYPE = /^[\w.+*-]+\/[\w.+*-]+$/

const writtenAs = ({ name, schema }: SchemaField): FileField["as"] | undefined => {
  const { contentEncoding, description, format } = schema
  for (const named of [format, contentEncoding]) {
    const as = typeof named === "string" ? FORMATS[named.toLowerCase()] : undefined
    if (as !== undefined) return as
  }
  if (typeof description !== "string" || !singularWords(name).some((word) => FILE_WORD.test(word))) return undefined
  if (/\bdata[ -]ur[il]s?\b/i.test(description)) return "data-url"
  return /\bbase-?64\b/i.test(description) ? "base64" : undefined
}

const fileField = (field: SchemaField): FileField | undefined => {
  const { contentMediaType, maxLength } = field.schema
  const as = typesOf(field.schema).join() === "string" && !("enum" in field.schema) ? writtenAs(field) : undefined
  if (as === undefined) return undefined
  return {
    as,
    ...(typeof contentMediaType === "string" && MEDIA_TYPE.test(contentMediaType) && { accept: contentMediaType }),
    ...(typeof maxLength === "number" && { maxLength })
  }
}

/** The fields of a tool that take files, by their paths. */
export const fileFields = (fields: ReadonlyArray<SchemaField>): Readonly<Record<string, FileField>> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const file = fileField(field)
      return file === undefined ? [] : [[field.path, file]]
    })
  )
