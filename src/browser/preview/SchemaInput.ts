import { beginForm } from "../../domain/forms/FormDraft.ts"
import { formModel } from "../../domain/forms/FormModel.ts"
import { readForm } from "../../domain/forms/FormReading.ts"
import { isObject } from "../../domain/isObject.ts"
import { schemaForm } from "../forms/schemaForm.ts"
import type { FormOptions } from "../runtime/session.ts"
import type { JsonObject, ToolData } from "../runtime/types.ts"

const nothing = (): (() => void) => () => undefined

/**
 * Arguments to begin with: what the schema sets, and examples of what it asks for. `undefined` if that is not all it asks
 * for: then a person has to say more.
 */
const startOf = (schema: unknown): JsonObject | undefined => {
  const model = formModel(schema)
  const set = readForm(model, schema, beginForm(model)).arguments
  const { properties, required } = isObject(schema) ? schema : {}
  const wanted = Array.isArray(required) ? required.map(String) : []
  const examples = wanted.flatMap((name) => {
    const field: unknown = isObject(properties) ? properties[name] : undefined
    const given: unknown = isObject(field) ? field["examples"] : undefined
    return Array.isArray(given) && given.length > 0 ? [[name, given[0]] as const] : []
  })
  const start = { ...Object.fromEntries(examples), ...set }
  return wanted.every((name) => Object.hasOwn(start, name)) ? start : undefined
}

/** A form of ours on the host's own page, for any schema. */
export class SchemaInput {
  readonly element: HTMLElement
  #fold: (args: JsonObject) => void = () => undefined
  #input: (args: JsonObject) => void = () => undefined

  /** `given` takes the place of the values that the form begins with. */
  constructor(tool: ToolData, onSubmit: (args: JsonObject) => void, options: FormOptions = {}, given?: JsonObject) {
    let tellBusy = (_isBusy: boolean): void => undefined
    this.element = schemaForm(
      {
        tool,
        extras: undefined,
        memory: { get: () => undefined, set: () => undefined },
        isRunning: false,
        inputIsPartial: false,
        call: async (args) => {
          tellBusy(false)
          onSubmit(args)
          return {}
        },
        callTool: () => Promise.reject(new Error("Nothing is called from here.")),
        cancel: () => undefined,
        onInput: (listener) => {
          this.#input = listener
          return () => undefined
        },
        onResult: (listener) => {
          this.#fold = (args) => listener({}, args)
          return () => undefined
        },
        onBusy: (listener) => {
          tellBusy = listener
          return () => undefined
        },
        onContext: nothing,
        onReplaced: nothing
      },
      options
    )
    const start = given ?? startOf(tool.inputSchema)
    if (start !== undefined) this.#input(start)
  }

  /** One line with what was sent. */
  fold(args: JsonObject): void {
    this.#fold(args)
  }

  /** Checks what is typed, and then calls back; or else says what is wrong. */
  submit(): void {
    this.element.querySelector("form")?.requestSubmit()
  }
}
