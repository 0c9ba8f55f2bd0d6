import type { RecordsOptions } from "../../../types/parts.d.ts"
import { labelOf } from "../../domain/labelOf.ts"
import { isObject } from "../../domain/isObject.ts"
import type { JsonRecord } from "../../domain/results/ResultColumn.ts"
import type { RecordTool, ToolRecords } from "../../domain/tools/ToolRecords.ts"
import { button } from "../parts/button.ts"
import { type Child, h } from "../parts/dom.ts"
import { fmt } from "../parts/format.ts"
import { sessionOrNone } from "../parts/host.ts"
import { errorBox, status } from "../parts/layout.ts"
import { detail } from "../parts/records.ts"
import { resultView } from "../parts/resultView.ts"
import { table } from "../parts/table.ts"
import { clip, messageOf, nameIn, optionsOf, textOf } from "../parts/values.ts"
import type { ViewSession } from "../runtime/session.ts"
import type { CallToolResultLike, JsonObject } from "../runtime/types.ts"
import { argumentsFor, callTool, listedRows, recordIn } from "./recordCalls.ts"
import { recordForm } from "./recordForm.ts"
import { recordList } from "./recordList.ts"

/** The most calls that one answer of a person allows. */
const MAX_AGREED = 200
/** What the buttons of this page do: some hosts do not let a view. */
const CALL = "tools/call"
const NO_REASON = "No reason was given."

/** A call with its result. */
interface ShownCall {
  readonly result: CallToolResultLike
  readonly args: JsonObject
}

interface Note {
  readonly text: string
  readonly tone: "success" | "warning"
}

/** The records of one page: the list, and the record that is open in its place. It outlives a list that is read again. */
class RecordsPage {
  readonly #session: ViewSession
  readonly #records: ToolRecords
  readonly #visited = new Map<number, JsonObject>()
  #place = h("div")
  #list = h("div")
  /** What stands in place of the list. */
  #open: HTMLElement | undefined
  /** Of the list on screen. */
  #args: JsonObject = {}
  /** Of a list that this page has asked for. */
  #asked: JsonObject | undefined
  #focus: string | undefined
  #note: Note | undefined
  /** The last press here was a person's: a script cannot agree to anything. */
  #isPressed = false

  constructor(session: ViewSession, records: ToolRecords) {
    this.#session = session
    this.#records = records
  }

  /** `foot` stands below the list. */
  show({ args, result }: ShownCall, options: Partial<RecordsOptions>, foot: Child): HTMLElement | undefined {
    const listed = listedRows(result)
    if (listed === undefined) return undefined
    // Somebody else's call has another list, which goes before an open record.
    if (args !== this.#asked) this.#open = undefined
    this.#args = args
    const { create, get } = this.#records
    const opens = get !== undefined || this.#records.update !== undefined || this.#records.delete !== undefined
    const note = this.#note
    this.#note = undefined
    this.#list = h(
      "div",
      { class: "mg-stack mg-records" },
      note && status(note.text, note.tone),
      recordList({
        session: this.#session,
        listed,
        args,
        noun: this.#records.noun,
        visited: this.#visited,
        table: options,
        onRow: opens ? (row) => void this.#openRecord(row) : undefined,
        actions: (rows) => this.#bulkActions(rows),
        more:
          create &&
          button(`New ${this.#records.noun}`, () => this.#create(create), {
            small: true,
            needs: CALL
          }),
        read: (given, focus) => this.#read(given, focus)
      }),
      foot
    )
    this.#place = h("div", {}, this.#open ?? this.#list)
    this.#place.addEventListener("click", ({ isTrusted }) => void (this.#isPressed = isTrusted), { capture: true })
    queueMicrotask(() => this.#restoreFocus())
    return this.#place
  }

  #restoreFocus(): void {
    const name = this.#focus
    this.#focus = undefined
    if (name === undefined) return
    const sorted = name.startsWith("sort ") ? this.#place.querySelector<HTMLElement>("[aria-sort] button") : undefined
    const controls = [...this.#place.querySelectorAll<HTMLElement>("[data-name]")]
    const control = controls.find(({ dataset }) => dataset.name === name)?.querySelector<HTMLElement>("input,select")
    const pressed = [...this.#place.querySelectorAll<HTMLElement>("button")].find(
      ({ textContent }) => textContent === name
    )
    ;(sorted ?? control ?? pressed)?.focus({ preventScroll: true })
  }

  /** Reads the list. What goes wrong stands where the page shows failures of its tool. */
  #read(args: JsonObject, focus?: string): Promise<unknown> {
    this.#asked = args
    this.#focus = focus
    return this.#session.call(args).catch(() => undefined)
  }

  #show(node: HTMLElement | undefined): void {
    this.#open = node
    this.#place.replaceChildren(node ?? this.#list)
    ;(node ?? this.#place).querySelector<HTMLElement>("button,input")?.focus({ preventScroll: true })
  }

  /** Back to the list, which is read again. */
  #leave(note: Note): void {
    this.#note = note
    this.#show(undefined)
    void this.#read(this.#args)
  }

  #nameOf(record: JsonRecord): string {
    const id = Object.values(
      argumentsFor(this.#records.get ?? this.#records.delete ?? { name: "", scope: [] }, this.#records, [record], {}) ??
        {}
    ).at(-1)
    return clip(textOf(nameIn(record)?.value), 60) || `${this.#records.noun} ${textOf(id)}`
  }

  #screen(title: string, actions: Child, ...content: ReadonlyArray<Child>): HTMLElement {
    return h(
      "section",
      { class: "mg-stack", "aria-label": title },
      h(
        "div",
        { class: "mg-toolbar" },
        button("Back", () => this.#show(undefined), { small: true, title: "Back to the list" }),
        h("h2", { class: "mg-heading mg-grow" }, title),
        h("div", { class: "mg-toolbar" }, actions)
      ),
      content
    )
  }

  async #openRecord(row: JsonRecord, note?: Note): Promise<void> {
    const { get, update, delete: remove } = this.#records
    const name = this.#nameOf(row)
    const which = get && argumentsFor(get, this.#records, [row], this.#args)
    const content = h(
      "div",
      { class: "mg-stack" },
      which === undefined ? detail(row) : h("p", { class: "mg-muted" }, "Reading…")
    )
    const may = (tool: RecordTool | undefined): tool is RecordTool =>
      tool !== undefined && argumentsFor(tool, this.#records, [row], this.#args) !== undefined
    const actions = [
      may(update) && button("Edit", () => this.#edit(update, row), { small: true, icon: "edit", needs: CALL }),
      may(remove) &&
        button("Delete", () => this.#delete(remove, [row]), {
          small: true,
          kind: "danger",
          confirm: `Delete ${name}?`,
          needs: CALL
        })
    ]
    this.#show(this.#screen(labelOf(this.#records.noun), actions, note && status(note.text, note.tone), content))
    if (get === undefined || which === undefined) return
    try {
      const result = await this.#session.callTool(get.name, which)
      content.replaceChildren(resultView(result, { toolTitle: name, args: which }))
    } catch (error) {
      content.replaceChildren(
        errorBox({
          title: "The record could not be read",
          message: messageOf(error, NO_REASON),
          actions: [button("Retry", () => this.#openRecord(row), { small: true, needs: CALL })]
        }),
        detail(row)
      )
    }
  }

  /** The form begins with what the server has now, not with what the list had. */
  async #edit(update: RecordTool, row: JsonRecord): Promise<void> {
    const { get, noun } = this.#records
    const which = get && argumentsFor(get, this.#records, [row], this.#args)
    const read = get && which ? recordIn(await callTool(this.#session, get.name, which)) : undefined
    const fixed = argumentsFor(update, this.#records, [row], this.#args) ?? {}
    const name = this.#nameOf(row)
    this.#show(
      this.#screen(
        `Edit ${name}`,
        undefined,
        recordForm(this.#session, {
          tool: update,
          title: `Save ${noun}`,
          record: { ...row, ...read },
          fixed,
          save: async (args) => {
            await callTool(this.#session, update.name, args)
            void this.#openRecord({ ...row, ...args }, { text: "Saved.", tone: "success" })
            void this.#read(this.#args)
          }
        })
      )
    )
  }

  #create(create: RecordTool): void {
    const { noun } = this.#records
    const known = create.scope.filter((name) => Object.hasOwn(this.#args, name))
    this.#show(
      this.#screen(
        `New ${noun}`,
        undefined,
        recordForm(this.#session, {
          tool: create,
          title: `Create ${noun}`,
          record: Object.fromEntries(known.map((name) => [name, this.#args[name]])),
          fixed: {},
          save: async (args) => {
            const made = recordIn(await callTool(this.#session, create.name, args))
            this.#leave({ text: `Created ${made === undefined ? noun : this.#nameOf(made)}.`, tone: "success" })
          }
        })
      )
    )
  }

  #bulkActions(rows: ReadonlyArray<JsonRecord>): ReadonlyArray<HTMLElement> {
    const { delete: remove, noun, update } = this.#records
    const what = fmt.plural(rows.length, noun)
    const may = (tool: RecordTool | undefined): tool is RecordTool =>
      tool !== undefined && argumentsFor(tool, this.#records, rows, this.#args) !== undefined
    return [
      ...(may(update) && rows.length > 1
        ? [button(`Edit ${what}`, () => this.#editAll(update, rows), { small: true, icon: "edit", needs: CALL })]
        : []),
      ...(may(remove)
        ? [
            button(`Delete ${what}`, () => this.#delete(remove, rows), {
              small: true,
              kind: "danger",
              confirm: `Delete ${what} for good?`,
              needs: CALL
            })
          ]
        : [])
    ]
  }

  /** Only the fields that are filled in are changed. */
  #editAll(update: RecordTool, rows: ReadonlyArray<JsonRecord>): void {
    const what = fmt.plural(rows.length, this.#records.noun)
    const { id = "" } = update
    this.#show(
      this.#screen(
        `Edit ${what}`,
        h("p", { class: "mg-muted" }, "What stays empty stays as it is."),
        recordForm(this.#session, {
          tool: update,
          title: `Save ${what}`,
          record: {},
          fixed: { [id]: "" },
          asks: true,
          save: async (args) => {
            const done = await this.#each(update, rows, args)
            this.#leave({ ...done, text: `Changed ${done.text}` })
          }
        })
      )
    )
  }

  async #delete(remove: RecordTool, rows: ReadonlyArray<JsonRecord>): Promise<void> {
    const [only] = rows
    if (rows.length === 1 && only !== undefined) {
      await callTool(this.#session, remove.name, argumentsFor(remove, this.#records, rows, this.#args) ?? {})
      return this.#leave({ text: `Deleted ${this.#nameOf(only)}.`, tone: "success" })
    }
    const done = await this.#each(remove, rows, {})
    this.#leave({ ...done, text: `Deleted ${done.text}` })
  }

  /** Calls a tool for each row, or once for all where it takes a list. Goes on after one that fails. */
  async #each(tool: RecordTool, rows: ReadonlyArray<JsonRecord>, args: JsonObject): Promise<Note> {
    const { noun } = this.#records
    const groups = tool.many === true ? [rows] : rows.map((row) => [row])
    const isAgreed = this.#isPressed && groups.length <= MAX_AGREED
    const failures: Array<string> = []
    let count = 0
    for (const group of groups) {
      try {
        const which = argumentsFor(tool, this.#records, group, this.#args) ?? {}
        await callTool(this.#session, tool.name, { ...args, ...which }, isAgreed)
        count += group.length
      } catch (error) {
        failures.push(`${group.map((row) => this.#nameOf(row)).join(", ")}: ${messageOf(error, NO_REASON)}`)
      }
    }
    const failed =
      failures.length === 0 ? "" : ` ${fmt.plural(rows.length - count, "failed")}. ${clip(failures.join(" "), 600)}`
    return { text: `${fmt.plural(count, noun)}.${failed}`, tone: failures.length === 0 ? "success" : "warning" }
  }
}

let page: RecordsPage | undefined

/** The list of a call with what other tools do with its records; `undefined` without such tools, or for what is no list. */
export const joinedRecords = (
  call: ShownCall,
  options: Partial<RecordsOptions> = {},
  foot?: Child
): HTMLElement | undefined => {
  const session = sessionOrNone()
  const joined = session?.extras?.records
  if (session !== undefined && joined !== undefined) page ??= new RecordsPage(session, joined)
  return page?.show(call, options, foot)
}

/** The same for generated pages; what cannot be joined is shown as it is. */
export const records = (call?: unknown, options?: Partial<RecordsOptions>): HTMLElement => {
  const given = optionsOf<RecordsOptions>(options)
  if (!isObject(call) || !isObject(call.result)) return table(call, given)
  const shown = { result: call.result as CallToolResultLike, args: isObject(call.args) ? call.args : {} }
  return joinedRecords(shown, given) ?? resultView(shown.result, { args: shown.args })
}
