import { Ajv, type ValidateFunction } from "ajv"
import { Ajv2020 } from "ajv/dist/2020.js"
import addFormats from "ajv-formats"
import { isRecord } from "./json.ts"

/** What ajv says of values of one schema. */
export interface Validator {
  /** Drafts in which the schema can be read at all. */
  readonly drafts: ReadonlyArray<string>
  /** What is wrong with a value, in the words of ajv; `undefined` when every draft that can read the schema takes it. */
  readonly problemOf: (value: unknown) => string | undefined
}

const options = (isUnicode: boolean) =>
  ({
    strict: false,
    logger: false,
    unicodeRegExp: isUnicode,
    validateSchema: false,
    addUsedSchema: false
  }) as const

const makers: Readonly<Record<string, (isUnicode: boolean) => Ajv | Ajv2020>> = {
  "2020-12": (isUnicode) => new Ajv2020(options(isUnicode)),
  "draft-07": (isUnicode) => new Ajv(options(isUnicode))
}

/** `$schema` names a draft that one of the two does not know: both are asked all the same. */
const withoutDraft = (schema: unknown): unknown => {
  if (!isRecord(schema)) return schema
  const { $schema: _draft, ...rest } = schema
  return rest
}

const compile = (draft: string, schema: unknown): ValidateFunction | undefined => {
  const plain = withoutDraft(schema)
  if (!isRecord(plain) && typeof plain !== "boolean") return undefined
  for (const isUnicode of [true, false]) {
    try {
      const ajv = makers[draft]?.(isUnicode)
      if (ajv === undefined) return undefined
      addFormats.default(ajv)
      return ajv.compile(plain)
    } catch {
      // The next way, or another draft, may read it.
    }
  }
  return undefined
}

const draftsFor = (schema: unknown): ReadonlyArray<string> => {
  const named = isRecord(schema) && typeof schema.$schema === "string" ? schema.$schema : ""
  return named.includes("draft-0") ? ["draft-07", "2020-12"] : ["2020-12", "draft-07"]
}

/**
 * Reads a schema in JSON Schema 2020-12 and draft-07. Keywords that only one of the two knows count in that one, so a value
 * that both take is right whichever the server means.
 */
export const validatorOf = (schema: unknown): Validator => {
  const read = draftsFor(schema).flatMap((draft) => {
    const validate = compile(draft, schema)
    return validate === undefined ? [] : [{ draft, validate }]
  })
  return {
    drafts: read.map(({ draft }) => draft),
    problemOf: (value) => {
      for (const { draft, validate } of read) {
        if (validate(value)) continue
        const first = validate.errors?.[0]
        return `${draft}: ${first?.instancePath || "the whole"} ${first?.message ?? "is wrong"}`
      }
      return undefined
    }
  }
}
