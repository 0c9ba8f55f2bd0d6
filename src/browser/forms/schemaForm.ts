import { beginForm, type Draft, draftAt, type FormState, withValue } from "../../domain/forms/FormDraft.ts"
import { formModel } from "../../domain/forms/FormModel.ts"
import { type FormError, type FormReading, readForm } from "../../domain/forms/FormReading.ts"
import { sameJson } from "../../domain/forms/sameJson.ts"
import { toolTitle } from "../builtin/toolTitle.ts"
import { hostTimeZone } from "../parts/host.ts"
import { button, h } from "../parts/index.ts"
import type { FormOptions, ViewSession } from "../runtime/session.ts"
import type { JsonObject } from "../runtime/types.ts"
import { afterPress } from "./afterPress.ts"
import { type Control, type Form, pathOf, type Place } from "./Control.ts"
import { fieldControl } from "./fieldControl.ts"
import { restored, storable, withTexts } from "./formMemory.ts"
import { inputSummary } from "./inputSummary.ts"
import { installFormStyles } from "./styles.ts"
import { type WholeJson, wholeJson } from "./wholeJson.ts"

/** Milliseconds after the last key in which a draft is checked again and remembered. */
const PAUSE_MS = 250
const MEMORY = "form"

const needsConfirmation = (annotations: unknown): boolean =>
  typeof annotations === "object" &&
  annotations !== null &&
  "destructiveHint" in annotations &&
  annotations.destructiveHint === true &&
  !("readOnlyHint" in annotations && annotations.readOnlyHint === true)

/**
 * The form of the session's tool, wired to `session.call`. It follows the call on screen: shows its arguments, folds
 * itself to one line when a result is there (unless told not to), and keeps what a person has begun to type.
 */
export const schemaForm = (session: ViewSession, options: FormOptions = {}): HTMLElement => {
  installFormStyles()
  const schema = session.tool.inputSchema
  const model = formModel(schema)
  const { root: rootField } = model
  const title = toolTitle(session.tool)

  let state: FormState = beginForm(model)
  let root: Control | undefined
  let json: WholeJson | undefined
  let lastArgs: JsonObject | undefined
  let isTouched = false
  /** A person has opened it: it stays open until they send it. */
  let isHeldOpen = false
  let isBusy = false
  let asked: JsonObject | undefined
  let errors = new Map<string, { readonly control: Control; readonly message: string }>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const zoneListeners = new Map<HTMLElement, () => void>()

  const body = h("div", { class: "mf-body" })
  const problem = h("p", { class: "mf-problem", role: "status" })
  const question = h("p", { class: "mf-confirm", role: "alert" })
  const submitButton = h("button", { type: "submit", class: "mg-button mg-button-primary" }, title)
  const cancelButton = button("Cancel", () => session.cancel())
  const yesButton = button("Run it", () => asked !== undefined && run(asked), { kind: "danger" })
  const noButton = button("Keep editing", () => {
    ask(undefined)
    submitButton.focus()
  })
  const jsonButton = button("Edit as JSON", () => toggleJson(), { kind: "plain" })
  const actions = h(
    "div",
    { class: "mg-toolbar" },
    submitButton,
    cancelButton,
    jsonButton,
    question,
    yesButton,
    noButton
  )
  const open = h(
    "form",
    { class: "mf-open", novalidate: true, "aria-label": `Input of ${title}` },
    body,
    problem,
    actions
  )
  const summary = h("div", { class: "mf-summary-place" })
  const editButton = button("Edit input", () => edit(), { small: true })
  const againButton = button("Run", () => (isBusy ? session.cancel() : submit()), { small: true })
  const line = h("div", { class: "mf-line" }, summary, h("div", {}, editButton, againButton))
  const root$ = h("section", { class: "mf-form", "aria-label": "Input" }, line, open)

  const top: Place = { parent: undefined, key: undefined }
  const apply = (place: Place, change: (draft: Draft, path: ReadonlyArray<string | number>) => Draft): void => {
    let { draft } = state
    const above: Array<Place> = []
    for (let at = place.parent; at !== undefined; at = at.parent) above.unshift(at)
    for (const at of above) {
      const path = pathOf(at)
      if (at.begin !== undefined && (draftAt(draft, path) ?? null) === null) draft = withValue(draft, path, at.begin())
    }
    state = { ...state, draft: change(draft, pathOf(place)) }
    for (const at of [...above, place]) at.changed?.()
  }
  const touched = (): void => {
    isTouched = true
    if (asked !== undefined) ask(undefined)
    clearTimeout(timer)
    timer = setTimeout(() => afterPress(settle), PAUSE_MS)
  }
  const form: Form = {
    get: (place) => draftAt(state.draft, pathOf(place)),
    edit: (place, change) => {
      apply(place, change)
      touched()
    },
    set: (place, value) =>
      form.edit(place, (draft, path) => withValue(draft, path, value === undefined ? place.blank : value)),
    prepare: (place, value) => apply(place, (draft, path) => withValue(draft, path, value)),
    get isFresh() {
      return state.args === undefined
    },
    get timeZone() {
      return hostTimeZone()
    },
    onTimeZone: (element, listener) => void zoneListeners.set(element, listener),
    control: (field, place, look) => fieldControl(form, field, place, look)
  }

  const read = (): FormReading => {
    const typed = json?.read()
    if (typed === undefined) return readForm(model, schema, state)
    return typed.errors.length > 0 ? typed : readForm(model, schema, { ...state, draft: typed.arguments })
  }

  /** The control that shows an error, with what of the path is below it. */
  const placeError = ({ path, message }: FormError): readonly [Control | undefined, string] => {
    let control: Control | undefined = json ?? root
    let rest = path
    for (;;) {
      const [key, ...below] = rest
      const next: Control | undefined = key === undefined ? undefined : control?.child?.(key)
      if (next === undefined) break
      control = next
      rest = below
    }
    const where = rest.map((key) => (typeof key === "number" ? `Item ${key + 1}` : key)).join(" › ")
    return [control, where === "" ? message : `${where}: ${message}`]
  }

  const showErrors = (found: ReadonlyArray<FormError>, isNew: boolean): void => {
    const before = errors
    errors = new Map()
    for (const error of found) {
      const key = JSON.stringify(error.path)
      const known = before.get(key)
      if (!isNew && known === undefined) continue
      if (known !== undefined && known.message === error.message && known.control.element.isConnected) {
        errors.set(key, known)
        continue
      }
      const [control, message] = placeError(error)
      if (control === undefined || [...errors.values()].some((shown) => shown.control === control)) continue
      control.showError(message)
      errors.set(key, { control, message: error.message })
    }
    const shown = new Set([...errors.values()].map(({ control }) => control))
    for (const { control } of before.values()) if (!shown.has(control)) control.showError("")
    const count = errors.size
    problem.textContent =
      count === 0 ? "" : count === 1 ? "One field needs attention." : `${count} fields need attention.`
  }

  const showProblems = (found: ReadonlyArray<FormError>): void => {
    setCollapsed(false)
    showErrors(found, true)
    const [first] = [...errors.values()].sort(({ control: a }, { control: b }) =>
      a.element.compareDocumentPosition(b.element) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1
    )
    first?.control.focus()
  }

  /** What waits for a pause: errors that are mended go away, and the draft is remembered. */
  const settle = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (problem.textContent !== "") showErrors(read().errors, false)
    remember()
  }

  const remember = (): void => {
    const typed = json?.read()
    if (!isTouched || (typed !== undefined && typed.errors.length > 0)) return
    const draft = storable(typed?.arguments ?? state.draft, rootField)
    const of = storable(state.args ?? null, rootField)
    session.memory.set(MEMORY, draft === undefined || of === undefined ? undefined : { of, draft })
  }
  const recall = (): void => {
    const kept = session.memory.get(MEMORY)
    if (isTouched || typeof kept !== "object" || kept === null || !("of" in kept && "draft" in kept)) return
    if (!sameJson(kept.of, storable(state.args ?? null, rootField)) || sameJson(kept.draft, kept.of)) return
    state = { ...state, draft: restored(kept.draft) }
    isTouched = true
    draw()
    if (session.isRunning) return
    isHeldOpen = true
    setCollapsed(false)
  }

  const draw = (): void => {
    errors = new Map()
    problem.textContent = ""
    zoneListeners.clear()
    if (json === undefined) root = fieldControl(form, rootField, top, { isBare: true })
    else {
      const slot = { form, place: top, look: {}, redraw: () => undefined }
      json = wholeJson(readForm(model, schema, { ...state, draft: withTexts(state.draft) }).arguments, slot, touched)
    }
    body.replaceChildren(...[json ?? root].flatMap((control) => control?.element ?? []))
  }

  const setCollapsed = (collapsed: boolean): void => {
    const hadFocus = open.contains(document.activeElement)
    open.hidden = collapsed
    line.hidden = !collapsed
    drawState()
    if (collapsed && hadFocus) (editButton.hidden ? againButton : editButton).focus()
  }
  const fold = (): void => {
    if (options.folds === false || isHeldOpen) drawState()
    else setCollapsed(true)
  }
  const edit = (): void => {
    isHeldOpen = true
    setCollapsed(false)
    ;(json ?? root)?.focus()
  }

  const ask = (args: JsonObject | undefined): void => {
    asked = args
    question.textContent = args === undefined ? "" : "This tool may change or delete data for good. Run it?"
    drawState()
    if (args !== undefined) yesButton.focus()
  }

  const run = (args: JsonObject): void => {
    lastArgs = args
    isTouched = false
    isHeldOpen = false
    isBusy = true
    clearTimeout(timer)
    session.memory.set(MEMORY, undefined)
    ask(undefined)
    session.call(args).catch(() => undefined)
  }

  const submit = (): void => {
    if (isBusy) return
    const pending = json === undefined ? body.querySelector<HTMLElement>("[data-pending]") : null
    const reading = read()
    if (reading.errors.length > 0) return showProblems(reading.errors)
    showErrors([], true)
    if (pending !== null) {
      setCollapsed(false)
      problem.textContent = "One field needs attention."
      pending.focus()
    } else if (needsConfirmation(session.tool.annotations)) {
      setCollapsed(false)
      ask(reading.arguments)
    } else run(reading.arguments)
  }

  const toggleJson = (): void => {
    const typed = json?.read()
    if (typed !== undefined && typed.errors.length > 0) return showProblems(typed.errors)
    if (typed !== undefined) state = { ...state, draft: typed.arguments }
    if (json === undefined) json = wholeJson({}, { form, place: top, look: {}, redraw: () => undefined }, touched)
    else json = undefined
    draw()
    drawState()
    ;(json ?? root)?.focus()
  }

  const hasFields = rootField.kind !== "group" || rootField.others !== undefined || rootField.fields({}).length > 0

  const drawState = (): void => {
    const isAsking = asked !== undefined
    for (const element of [question, yesButton, noButton]) element.hidden = !isAsking
    submitButton.hidden = isAsking
    cancelButton.hidden = !isBusy
    jsonButton.hidden = isBusy || isAsking || rootField.kind === "json" || !(hasFields || lastArgs !== undefined)
    jsonButton.textContent = json === undefined ? "Edit as JSON" : "Edit as form"
    submitButton.textContent = isBusy ? "Running…" : title
    for (const name of ["aria-busy", "aria-disabled"]) {
      if (isBusy) submitButton.setAttribute(name, "true")
      else submitButton.removeAttribute(name)
    }
    const args = lastArgs ?? {}
    const hasInput = hasFields || Object.keys(args).length > 0
    editButton.hidden = !hasInput
    editButton.setAttribute("aria-expanded", String(line.hidden))
    againButton.textContent = isBusy ? "Cancel" : lastArgs === undefined ? "Run" : "Run again"
    summary.replaceChildren(...(hasInput && !line.hidden ? [inputSummary(args, model)] : []))
  }

  open.addEventListener("submit", (event) => {
    event.preventDefault()
    submit()
  })
  open.addEventListener("keydown", (event) => {
    const isTextarea = event.target instanceof HTMLTextAreaElement
    if (event.key === "Enter" && isTextarea && (event.metaKey || event.ctrlKey)) {
      event.preventDefault()
      submit()
    }
  })

  draw()
  setCollapsed(options.collapsed ?? false)

  session.onContext(() => {
    for (const listener of zoneListeners.values()) listener()
    if (state.args === undefined) recall()
  })
  session.onInput((args) => {
    if (session.inputIsPartial) return
    const isOwn = args === lastArgs
    lastArgs = args
    if (isOwn || isTouched) return drawState()
    state = beginForm(model, args)
    draw()
    fold()
    recall()
  })
  session.onResult((result, args) => {
    lastArgs = args
    if (result.isError !== true && !isTouched) fold()
    else drawState()
  })
  session.onBusy((busy) => {
    isBusy = busy
    drawState()
  })
  session.onReplaced(() => {
    if (timer !== undefined) settle()
  })
  return root$
}
