import type { Progress, Tool } from "@modelcontextprotocol/client"
import { byId, press } from "./element.ts"
import type { ToolData } from "../runtime/types.ts"
import { SchemaInput } from "./SchemaInput.ts"
import { progressText } from "./toolTexts.ts"

const dataOf = ({ annotations, inputSchema, name }: Tool): ToolData => ({
  name,
  title: "Call tool",
  inputSchema,
  annotations
})

export interface CallLineEvents {
  readonly onCall: (values: Record<string, unknown>) => void
  readonly onCancel: () => void
}

/** What the tool is called with, in one line that opens, and how the call goes. */
export class CallLine {
  readonly #place = byId("arguments", HTMLElement)
  readonly #run = press("run", () => this.#form?.submit())
  readonly #cancel: HTMLButtonElement
  readonly #status = byId("call-status", HTMLElement)
  readonly #bar = byId("call-progress", HTMLProgressElement)
  readonly #events: CallLineEvents
  #form: SchemaInput | undefined
  #turn = 0

  constructor(events: CallLineEvents) {
    this.#events = events
    this.#cancel = press("cancel", events.onCancel)
  }

  set canCall(can: boolean) {
    this.#run.disabled = !can
  }

  /** The form of another tool, with these values or with what its schema sets. */
  show(tool: Tool | undefined, values?: Record<string, unknown>): void {
    this.#turn += 1
    this.#tell("")
    this.#form = tool && new SchemaInput(dataOf(tool), (args) => this.#call({ ...args }), { collapsed: true }, values)
    this.#place.replaceChildren(...(this.#form === undefined ? [] : [this.#form.element]))
  }

  /** A call begins. What it tells counts until another one does. */
  begin(): {
    readonly progress: (progress: Progress) => void
    readonly answered: (isError: boolean) => void
    readonly failed: (text: string) => void
  } {
    const turn = (this.#turn += 1)
    const began = performance.now()
    const whileCurrent = (tell: () => void): void => {
      if (this.#turn === turn) tell()
    }
    this.#tell("Calling…")
    this.#cancel.hidden = false
    return {
      progress: (progress) => whileCurrent(() => this.#tell(progressText(progress), progress)),
      answered: (isError) =>
        whileCurrent(() => {
          const took = Math.max(1, Math.round(performance.now() - began)).toLocaleString("en")
          this.#tell(isError ? `The tool reported an error after ${took} ms` : `Answered in ${took} ms`)
        }),
      failed: (text) => whileCurrent(() => this.#tell(text))
    }
  }

  #call(values: Record<string, unknown>): void {
    this.#form?.fold(values)
    this.#events.onCall(values)
  }

  #tell(text: string, { progress, total }: Partial<Progress> = {}): void {
    this.#status.textContent = text
    this.#cancel.hidden = progress === undefined
    this.#bar.hidden = progress === undefined || total === undefined
    if (progress !== undefined && total !== undefined) this.#bar.value = progress / total
  }
}
