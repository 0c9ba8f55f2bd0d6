import { isObject } from "../isObject.ts"
import { labelOf } from "../labelOf.ts"
import type { FileProblem } from "../schemaProblems.ts"
import type { Tool } from "../tools/Tool.ts"
import type { ViewFile } from "./ViewFile.ts"

type Wizard = Extract<ViewFile, { readonly kind: "wizard" }>
export type ViewInput = NonNullable<Wizard["steps"][number]["fields"]>[number]

const FORMATS: Readonly<Record<string, string>> = {
  date: "date",
  "date-time": "datetime",
  time: "time",
  email: "email",
  uri: "url"
}

const typeOf = (schema: Readonly<Record<string, unknown>>): string | undefined => {
  const types = [schema.type].flat().filter((type) => type !== "null")
  if (types.includes("boolean")) return "checkbox"
  if (types.includes("number") || types.includes("integer")) return "number"
  if (types.includes("string"))
    return FORMATS[String(schema.format)] ?? (Number(schema.maxLength) > 200 ? "textarea" : "text")
  return types.length === 0 ? "text" : undefined
}

/** The fields of a form, as the `form` part takes them: what the view says, and the tool's schema where it says nothing. */
export const inputsOf = (tool: Tool, problems: Array<FileProblem>) => {
  const schema = isObject(tool.inputSchema) ? tool.inputSchema : {}
  const properties = isObject(schema.properties) ? schema.properties : {}
  const known = Object.keys(properties)
  const required: ReadonlyArray<unknown> = Array.isArray(schema.required) ? schema.required : []
  const assureKnown = (key: string, path: string): boolean => {
    const isKnown = known.length === 0 || known.includes(key)
    if (!isKnown) problems.push({ path, text: `found ${JSON.stringify(key)}; allowed: ${known.join(", ")}` })
    return isKnown
  }
  const input = (given: ViewInput, path: string) => {
    const told = typeof given === "string" ? { key: given } : given
    const isKnown = assureKnown(told.key, path)
    const of = isObject(properties[told.key]) ? properties[told.key] : {}
    const facts = isObject(of) ? of : {}
    const options = told.options ?? (Array.isArray(facts.enum) ? facts.enum : undefined)
    const isRequired = told.required ?? required.includes(told.key)
    const type = told.type ?? (options === undefined ? typeOf(facts) : undefined)
    if (isKnown && type === undefined && options === undefined) {
      problems.push({
        path,
        text: `${told.key} is a list or an object: give it a type, or leave it to the tool's own form`
      })
    }
    return {
      key: told.key,
      label: told.label ?? (typeof facts.title === "string" ? facts.title : labelOf(told.key)),
      type: type === "text" ? undefined : type,
      options,
      // What may be left out needs a choice that says so.
      placeholder: told.placeholder ?? (options === undefined || isRequired ? undefined : "–"),
      required: isRequired || undefined,
      min: facts.minimum,
      max: facts.maximum,
      value: facts.default
    }
  }
  return {
    assureKnown,
    input,
    all: (given: ReadonlyArray<ViewInput> | undefined, path: string) =>
      (given ?? []).map((one, at) => input(one, `${path}[${at}]`)),
    /** Every argument that one control can hold. */
    usual: known.filter((name) => {
      const of = properties[name]
      return isObject(of) && (Array.isArray(of.enum) || typeOf(of) !== undefined)
    })
  }
}
