import { prefilled } from "../../domain/forms/prefilled.ts"
import { isObject } from "../../domain/isObject.ts"
import type { RecordTool } from "../../domain/tools/ToolRecords.ts"
import { h } from "../parts/dom.ts"
import { errorBox } from "../parts/layout.ts"
import { messageOf } from "../parts/values.ts"
import { schemaForm } from "../forms/schemaForm.ts"
import type { ViewSession } from "../runtime/session.ts"
import type { JsonObject } from "../runtime/types.ts"

export interface RecordFormOptions {
  readonly tool: RecordTool
  /** What its button says. */
  readonly title: string
  /** What the fields begin with, as far as they have members of these names. */
  readonly record: JsonObject
  /** Sent as they are, and not shown. */
  readonly fixed: JsonObject
  /** Whether it asks before it sends, whatever the tool's annotations say. */
  readonly asks?: boolean
  readonly save: (args: JsonObject) => Promise<void>
}

/** A schema without the arguments that are known. */
const schemaWithout = (schema: unknown, known: JsonObject): unknown => {
  if (!isObject(schema)) return schema
  const properties = Object.entries(isObject(schema.properties) ? schema.properties : {})
  const required: ReadonlyArray<unknown> = Array.isArray(schema.required) ? schema.required : []
  return {
    ...schema,
    properties: Object.fromEntries(properties.filter(([name]) => !Object.hasOwn(known, name))),
    required: required.filter((name) => !Object.hasOwn(known, String(name)))
  }
}

const silent = (): (() => void) => () => undefined

/** The form of another tool than the page's. What goes wrong stands above it, and what was typed stays. */
export const recordForm = (session: ViewSession, options: RecordFormOptions): HTMLElement => {
  const { fixed, record, save, title, tool } = options
  const inputSchema = schemaWithout(tool.inputSchema, fixed)
  const problem = h("div")
  let tellBusy = (_isBusy: boolean): void => undefined
  const annotations = options.asks === true ? { destructiveHint: true } : tool.annotations
  const key = `${tool.name} ${JSON.stringify(fixed)} `
  const own: ViewSession = {
    ...session,
    tool: { name: tool.name, title, inputSchema, annotations },
    extras: session.extras?.forms?.[tool.name],
    isRunning: false,
    inputIsPartial: false,
    onInput: (listener) => {
      listener(prefilled(inputSchema, record))
      return () => undefined
    },
    onResult: silent,
    onFailure: silent,
    onBusy: (listener) => {
      tellBusy = listener
      return () => undefined
    },
    memory: {
      get: (name) => session.memory.get(key + name),
      set: (name, value) => session.memory.set(key + name, value)
    },
    cancel: () => undefined,
    call: async (args) => {
      tellBusy(true)
      problem.replaceChildren()
      try {
        await save({ ...args, ...fixed })
      } catch (error) {
        problem.replaceChildren(errorBox({ title: "Not saved", message: messageOf(error, "The tool gave no reason.") }))
      }
      tellBusy(false)
      return {}
    }
  }
  const form = schemaForm(own, { folds: false })
  form.ariaLabel = title
  return h("div", { class: "mg-stack" }, problem, form)
}
