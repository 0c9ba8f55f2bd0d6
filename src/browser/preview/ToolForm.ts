import { isObject } from "../../domain/isObject.ts"
import { byId, element } from "./element.ts"
import { messageOf } from "./texts.ts"

type Json = Record<string, unknown>

const propertiesOf = (schema: unknown): ReadonlyArray<readonly [string, Json]> => {
  const properties = isObject(schema) ? schema["properties"] : undefined
  return isObject(properties)
    ? Object.entries(properties).map(([name, property]) => [name, isObject(property) ? property : {}])
    : []
}

const requiredOf = (schema: unknown): ReadonlyArray<unknown> => {
  const required = isObject(schema) ? schema["required"] : undefined
  return Array.isArray(required) ? required : []
}

const enumOf = (schema: Json): ReadonlyArray<unknown> | undefined => {
  if (Array.isArray(schema["enum"])) return schema["enum"]
  return schema["type"] === "boolean" ? [true, false] : undefined
}

const exampleOf = (schema: Json): unknown => {
  if (schema["default"] !== undefined) return schema["default"]
  if (Array.isArray(schema["examples"]) && schema["examples"].length > 0) return schema["examples"][0]
  if (schema["const"] !== undefined) return schema["const"]
  const allowed = enumOf(schema)
  if (allowed !== undefined) return allowed[0]
  switch (schema["type"]) {
    case "integer":
    case "number":
      return typeof schema["minimum"] === "number" ? schema["minimum"] : 1
    case "string":
      return ""
    case "array":
      return []
    default:
      return schema["type"] === "object" || isObject(schema["properties"]) ? exampleArguments(schema) : null
  }
}

/** Arguments to begin with: those that are required, and those with a default. */
const exampleArguments = (schema: unknown): Json => {
  const required = requiredOf(schema)
  const wanted = propertiesOf(schema).filter(
    ([name, property]) => required.includes(name) || property["default"] !== undefined
  )
  return Object.fromEntries(wanted.map(([name, property]) => [name, exampleOf(property)]))
}

export type ReadArguments = { readonly values: Json } | { readonly problem: string }

interface Field {
  readonly node: HTMLElement
  /** `undefined` leaves the argument out. Throws when the text is no value; the message is for the person. */
  readonly read: () => unknown
}

const text = (value: unknown): string => (typeof value === "string" ? value : "")

const parseJson = (source: string): unknown => {
  try {
    return JSON.parse(source)
  } catch (cause) {
    throw new Error(`This is not JSON: ${messageOf(cause)}`, { cause })
  }
}

const control = (schema: Json, value: unknown, isRequired: boolean) => {
  const allowed = enumOf(schema)
  if (allowed !== undefined) {
    const input = element("select", { class: "input" })
    if (!isRequired || value === undefined) input.append(element("option", { value: "" }, "—"))
    for (const [index, option] of allowed.entries()) {
      input.append(element("option", { value: index, selected: option === value }, String(option)))
    }
    return { input, read: () => (input.value === "" ? undefined : allowed[Number(input.value)]) }
  }
  if (schema["type"] === "integer" || schema["type"] === "number") {
    const limit = (name: string) => (typeof schema[name] === "number" ? schema[name] : undefined)
    const input = element("input", {
      class: "input",
      type: "number",
      min: limit("minimum"),
      max: limit("maximum"),
      step: schema["type"] === "integer" ? 1 : "any",
      value: typeof value === "number" ? value : undefined
    })
    return { input, read: () => (input.value === "" ? undefined : Number(input.value)) }
  }
  if (schema["type"] === "string") {
    const input = element("input", { class: "input", type: "text", value: text(value) })
    return { input, read: () => (input.value === "" && !isRequired ? undefined : input.value) }
  }
  const input = element("textarea", { class: "input", rows: 3, spellcheck: "false" })
  input.value = value === undefined ? "" : JSON.stringify(value, undefined, 2)
  return { input, read: () => (input.value.trim() === "" ? undefined : parseJson(input.value)) }
}

const makeField = (name: string, schema: Json, value: unknown, isRequired: boolean): Field => {
  const { input, read } = control(schema, value, isRequired)
  const id = `argument-${crypto.randomUUID()}`
  const hint = element("p", { class: "hint", id: `${id}-hint` }, text(schema["description"]))
  const wrong = element("p", { class: "wrong", id: `${id}-wrong` })
  input.id = id
  input.setAttribute("aria-describedby", `${hint.id} ${wrong.id}`)
  if (isRequired) input.setAttribute("aria-required", "true")
  const label = element("label", { for: id }, text(schema["title"]) || name)
  if (!isRequired) label.append(" ", element("span", { class: "optional" }, "optional"))
  return {
    node: element(
      "div",
      { class: input instanceof HTMLTextAreaElement ? "field wide" : "field" },
      label,
      input,
      hint,
      wrong
    ),
    read: () => {
      input.removeAttribute("aria-invalid")
      wrong.textContent = ""
      try {
        return read()
      } catch (error) {
        input.setAttribute("aria-invalid", "true")
        wrong.textContent = messageOf(error)
        throw error
      }
    }
  }
}

/** The arguments of the chosen tool: one field a property, or all of them as JSON. */
export class ToolForm {
  readonly #host: HTMLElement
  #schema: unknown = {}
  #read: () => Json = () => ({})
  #mode: "fields" | "json" = "fields"

  constructor(host: HTMLElement) {
    this.#host = host
    for (const radio of byId("form-mode", HTMLFieldSetElement).querySelectorAll("input")) {
      radio.addEventListener("change", () => {
        const read = this.read()
        this.#mode = radio.value === "json" ? "json" : "fields"
        this.#render("values" in read ? read.values : exampleArguments(this.#schema))
      })
    }
  }

  /** Shows the form of another tool, filled with an example. */
  show(schema: unknown): void {
    this.#schema = schema
    this.#render(exampleArguments(schema))
  }

  read(): ReadArguments {
    try {
      return { values: this.#read() }
    } catch (error) {
      return { problem: messageOf(error) }
    }
  }

  #render(values: Json): void {
    if (this.#mode === "json") return this.#renderJson(values)
    const required = requiredOf(this.#schema)
    const properties = propertiesOf(this.#schema)
    const fields = properties.map(
      ([name, schema]) => [name, makeField(name, schema, values[name], required.includes(name))] as const
    )
    const known = new Set(properties.map(([name]) => name))
    const others = Object.entries(values).filter(([name]) => !known.has(name))
    this.#host.replaceChildren(...fields.map(([, field]) => field.node))
    if (fields.length === 0) this.#host.append(element("p", { class: "quiet" }, "This tool names no arguments."))
    this.#read = () => {
      const read = fields.map(([name, field]) => [name, field.read()] as const)
      return Object.fromEntries([...read.filter(([, value]) => value !== undefined), ...others])
    }
  }

  #renderJson(values: Json): void {
    const source = JSON.stringify(values, undefined, 2)
    const rows = Math.min(16, Math.max(4, source.split("\n").length))
    const input = element("textarea", { class: "input", "aria-label": "Arguments as JSON", rows, spellcheck: "false" })
    input.value = source
    this.#host.replaceChildren(element("div", { class: "wide" }, input))
    this.#read = () => {
      const parsed = parseJson(input.value)
      if (!isObject(parsed)) throw new Error("The arguments must be a JSON object.")
      return parsed
    }
  }
}
