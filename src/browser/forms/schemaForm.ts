import {
  beginForm,
  type Draft,
  draftAt,
  type FieldPath,
  type FormState,
  withValue
} from "../../domain/forms/FormDraft.ts"
import { formModel } from "../../domain/forms/FormModel.ts"
import { type FormError, type FormReading, readForm } from "../../domain/forms/FormReading.ts"
import { isObject } from "../../domain/isObject.ts"
import { toolTitle } from "../builtin/toolTitle.ts"
import { hostTimeZone, refusal } from "../parts/host.ts"
import { icon } from "../parts/icons.ts"
import { button, h } from "../parts/index.ts"
import type { FormOptions } from "../runtime/session.ts"
import type { JsonObject } from "../runtime/types.ts"
import { afterPress } from "./afterPress.ts"
import { type Control, type Form, keepingFocus, pathOf, type Place } from "./Control.ts"
import { fieldControl } from "./fieldControl.ts"
import type { FormSession } from "./FormSession.ts"
import { masked, restored, storable } from "./formMemory.ts"
import { inputSummary } from "./inputSummary.ts"
import { type WholeJson, wholeJson } from "./wholeJson.ts"

/** Milliseconds after the last key before a draft is checked and remembered. */
const PAUSE_MS = 250
const MEMORY = "form"
const MAX_SHOWN_ERRORS = 100

const needsConfirmation = (annotations: unknown): boolean =>
  isObject(annotations) && annotations.destructiveHint === true && annotations.readOnlyHint !== true

/** An error on the page: the control that shows it, and what of its path has no control of its own. */
interface PlacedError {
  readonly control: Control
  readonly where: string
}

/**
 * The form of the session's tool, wired to `session.call`. It follows the call on screen: shows its arguments, folds
 * itself to one line when a result is there (unless told not to), and keeps what a person has begun to type.
 */
export const schemaForm = (session: FormSession, options: FormOptions = {}): HTMLElement => {
  const schema = session.tool.inputSchema
  const model = formModel(schema)
  const { root: rootField } = model
  const title = toolTitle(session.tool)

  let state: FormState = beginForm(model)
  let root: Control | undefined
  let json: WholeJson | undefined
  let lastArgs: JsonObject | undefined
  let isTouched = false
  /** The person has opened the form: it stays open until they send it. */
  let isHeldOpen = false
  let isBusy = false
  let asked: JsonObject | undefined
  let errors = new Map<string, PlacedError>()
  let timer: ReturnType<typeof setTimeout> | undefined
  /** The time zone that the form was drawn for. */
  let zone = hostTimeZone()

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
  const summary = h("div")
  const editButton = button("Edit", () => edit(), { small: true, icon: "edit", title: "Edit input" })
  const againButton = button("Run", () => (isBusy ? session.cancel() : submit()), { small: true })
  const line = h("div", { class: "mf-line" }, summary, h("div", {}, editButton, againButton))
  const root$ = h("section", { class: "mf-form", "aria-label": "Input" }, line, open)

  const top: Place = { parent: undefined, key: undefined }
  const put = (place: Place, value: Draft): void => {
    let { draft } = state
    const above: Array<Place> = []
    for (let at = place.parent; at !== undefined; at = at.parent) above.unshift(at)
    for (const at of above) {
      const path = pathOf(at)
      if (at.begin !== undefined && (draftAt(draft, path) ?? null) === null) draft = withValue(draft, path, at.begin())
    }
    state = { ...state, draft: withValue(draft, pathOf(place), value) }
    for (const at of [...above, place]) at.changed?.()
  }
  const touched = (): void => {
    isTouched = true
    if (asked !== undefined) ask(undefined)
    clearTimeout(timer)
    timer = setTimeout(() => afterPress(settle), PAUSE_MS)
  }
  const form: Form = {
    session,
    get: (place) => draftAt(state.draft, pathOf(place)),
    set: (place, value) => {
      put(place, value === undefined ? place.blank : value)
      touched()
    },
    prepare: put,
    get isFresh() {
      return state.args === undefined
    },
    get timeZone() {
      return zone
    },
    control: (field, place, look) => fieldControl(form, field, place, look)
  }

  const read = (): FormReading => {
    const typed = json?.read()
    if (typed === undefined) return readForm(model, schema, state)
    return typed.errors.length > 0 ? typed : readForm(model, schema, { ...state, draft: typed.arguments })
  }

  const placeError = (path: FieldPath): PlacedError | undefined => {
    let control: Control | undefined = json ?? root
    let depth = 0
    for (const key of path) {
      const next: Control | undefined = control?.child?.(key)
      if (next === undefined) break
      control = next
      depth++
    }
    const rest = path.slice(depth).map((key) => `${typeof key === "number" ? `Item ${key + 1}` : key}: `)
    return control && { control, where: rest.join("") }
  }

  /** Inputs with text that is not in the draft. */
  const pending = (): ReadonlyArray<HTMLElement> => [...body.querySelectorAll<HTMLElement>("[data-pending]")]

  const showErrors = (found: ReadonlyArray<FormError>, isNew: boolean): void => {
    const before = errors
    errors = new Map()
    const shown = new Set<Control>()
    for (const { control } of before.values()) control.showError("")
    for (const { path, message } of found) {
      if (shown.size >= MAX_SHOWN_ERRORS) break
      const key = JSON.stringify(path)
      const known = before.get(key)
      const placed = known?.control.element.isConnected === true ? known : placeError(path)
      if (placed === undefined || shown.has(placed.control) || (known === undefined && !isNew)) continue
      placed.control.showError(placed.where + message)
      shown.add(placed.control)
      errors.set(key, placed)
    }
    const count = errors.size + pending().length
    const more = shown.size < MAX_SHOWN_ERRORS ? "" : " and more"
    problem.textContent =
      count === 0 ? "" : count === 1 ? "One field needs attention." : `${count} fields${more} need attention.`
  }

  const showProblems = (found: ReadonlyArray<FormError>): void => {
    setCollapsed(false)
    showErrors(found, true)
    const [first] = [...errors.values()].sort(({ control: a }, { control: b }) =>
      a.element.compareDocumentPosition(b.element) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1
    )
    first?.control.focus()
  }

  /** Runs when the person pauses: removes errors that are mended, and remembers the draft. */
  const settle = (): void => {
    timer = undefined
    if (problem.textContent !== "") showErrors(read().errors, false)
    remember()
  }

  const argsKept = (): string | undefined => storable(state.args ?? null, rootField)
  const remember = (): void => {
    const typed = json?.read()
    if (!isTouched || (typed !== undefined && typed.errors.length > 0)) return
    const draft = storable(typed?.arguments ?? state.draft, rootField)
    session.memory.set(MEMORY, draft === undefined ? undefined : [argsKept(), draft])
  }
  const recall = (): void => {
    const kept = session.memory.get(MEMORY)
    const [of, draft]: ReadonlyArray<unknown> = Array.isArray(kept) ? kept : []
    if (isTouched || typeof draft !== "string" || of !== argsKept() || draft === of) return
    state = { ...state, draft: restored(draft) }
    isTouched = true
    draw()
    if (session.isRunning) return
    isHeldOpen = true
    setCollapsed(false)
  }

  const draw = (asJson = json !== undefined): void => {
    errors = new Map()
    problem.textContent = ""
    zone = hostTimeZone()
    json = undefined
    if (!asJson) root = fieldControl(form, rootField, top, { isBare: true })
    else {
      const slot = { form, place: top, look: {}, redraw: () => undefined }
      json = wholeJson(readForm(model, schema, { ...state, draft: masked(state.draft) }).arguments, slot, touched)
    }
    keepingFocus(body, () => body.replaceChildren((json ?? root)?.element ?? ""))
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
    if (submitButton.ariaDisabled === "true") return
    const [waiting] = pending()
    const reading = read()
    if (reading.errors.length > 0) return showProblems(reading.errors)
    showErrors([], true)
    if (waiting !== undefined) {
      setCollapsed(false)
      waiting.focus()
    } else if (needsConfirmation(session.tool.annotations)) {
      setCollapsed(false)
      ask(reading.arguments)
    } else run(reading.arguments)
  }

  const toggleJson = (): void => {
    const typed = json?.read()
    if (typed !== undefined && typed.errors.length > 0) return showProblems(typed.errors)
    if (typed !== undefined) state = { ...state, draft: typed.arguments }
    draw(json === undefined)
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
    const why = refusal("tools/call")
    submitButton.ariaBusy = isBusy ? "true" : null
    submitButton.ariaDisabled = isBusy || why !== undefined ? "true" : null
    submitButton.title = why ?? ""
    againButton.hidden = why !== undefined
    const args = lastArgs ?? {}
    const hasInput = hasFields || Object.keys(args).length > 0
    editButton.hidden = !hasInput || againButton.hidden
    editButton.ariaExpanded = String(line.hidden)
    root$.classList.toggle("mf-plain", !hasInput)
    againButton.title = isBusy ? "Cancel" : lastArgs === undefined ? "Run" : "Run again"
    againButton.replaceChildren(icon(isBusy ? "cross" : "refresh"), againButton.title)
    summary.replaceChildren(line.hidden ? "" : inputSummary(args, model))
  }

  // Also listens to inputs that have not written to the draft yet: the name of an entry, a tag.
  open.addEventListener("input", touched)
  open.addEventListener("submit", (event) => {
    event.preventDefault()
    submit()
  })
  open.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target instanceof HTMLTextAreaElement && (event.metaKey || event.ctrlKey))
      submit()
  })

  draw()
  setCollapsed(options.collapsed ?? false)

  session.onContext(() => {
    if (zone !== hostTimeZone() && json === undefined && !body.contains(document.activeElement)) draw()
    if (state.args === undefined) recall()
    drawState()
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
