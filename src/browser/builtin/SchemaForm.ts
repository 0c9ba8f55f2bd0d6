import { argumentsFromJson, initialValues, sameJson, toArguments } from "../../domain/forms/FormArguments.ts"
import type { FormError, FormValues } from "../../domain/forms/FormArguments.ts"
import { formModel } from "../../domain/forms/FormModel.ts"
import type { Field } from "../../domain/forms/FormModel.ts"
import { button, h } from "../parts/index.ts"
import type { FormOptions, ViewSession } from "../runtime/session.ts"
import type { JsonObject } from "../runtime/types.ts"
import { fieldControl, fieldControls } from "./FieldControl.ts"
import type { FieldControl } from "./FieldControl.ts"
import { installFormStyles } from "./styles.ts"
import { toolTitle } from "./toolTitle.ts"

interface Editor {
  readonly element: HTMLElement
  readonly read: () => { readonly arguments: JsonObject; readonly errors: ReadonlyArray<FormError> }
  readonly showErrors: (errors: ReadonlyArray<FormError>) => HTMLElement | undefined
  readonly focusTarget: HTMLElement | undefined
}

const jsonEditor = (args: JsonObject): Editor => {
  const control = fieldControl(
    {
      kind: "json",
      name: "",
      label: "Input as JSON",
      description: "All arguments, as one JSON object.",
      required: false,
      nullable: false,
      defaultValue: undefined,
      examples: [],
      expects: "object"
    },
    JSON.stringify(args, null, 2)
  )
  return {
    element: control.element,
    read: () => argumentsFromJson(String(control.read())),
    showErrors: ([first]) => {
      control.clearErrors()
      return first === undefined ? undefined : control.showError([], first.message)
    },
    focusTarget: control.focusTarget
  }
}

/** The arguments of a call in one quiet line. */
export const inputSummary = (args: JsonObject): HTMLElement => {
  const entries = Object.entries(args)
  if (entries.length === 0) return h("span", { class: "mf-summary" }, "No input")
  const shown = entries.slice(0, 4).map(([name, value]) => {
    const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "")
    const short = text.length > 60 ? `${text.slice(0, 60)}…` : text
    return h("span", {}, h("span", { class: "mf-name" }, name), ` ${short}`)
  })
  const more = entries.length > 4 ? h("span", {}, `and ${entries.length - 4} more`) : null
  return h("span", { class: "mf-summary" }, shown, more)
}

const needsConfirmation = (annotations: unknown): boolean =>
  typeof annotations === "object" &&
  annotations !== null &&
  "destructiveHint" in annotations &&
  annotations.destructiveHint === true &&
  !("readOnlyHint" in annotations && annotations.readOnlyHint === true)

const hasTimes = (field: Field): boolean => {
  if (field.kind === "group") return field.fields.some(hasTimes)
  if (field.kind === "list") return hasTimes(field.item)
  return field.kind === "text" && field.format === "date-time"
}

/**
 * The form of the session's tool, wired to `session.call`. It follows the call on screen: shows its arguments, folds
 * itself to one line when a result is there (unless told not to), and keeps what a person has begun to type.
 */
export const schemaForm = (session: ViewSession, options: FormOptions = {}): HTMLElement => {
  installFormStyles()
  const model = formModel(session.tool.inputSchema)
  const hasFields = model.root.kind !== "group" || model.root.fields.length > 0
  const title = toolTitle(session.tool)
  const timeZone = (): string | undefined => session.context?.timeZone
  let values: FormValues = initialValues(model, undefined, timeZone())
  let lastArgs: JsonObject | undefined
  let editor: Editor
  let isJson = false
  let isTouched = false
  let abort: AbortController | undefined

  const collapsedLine = h("div", { class: "mf-line" })
  const body = h("div", { class: "mf-body" })
  const problem = h("p", { class: "mf-problem", role: "status" })
  const actions = h("div", { class: "mg-toolbar" })
  const open = h(
    "form",
    { class: "mf-open", novalidate: true, "aria-label": `Input of ${title}` },
    body,
    problem,
    actions
  )
  const root = h("section", { class: "mf-form", "aria-label": "Input" }, collapsedLine, open)

  const fieldsEditor = (): Editor => {
    const control: FieldControl =
      model.root.kind === "group"
        ? fieldControls(model.root.fields, values.current)
        : fieldControl(model.root, values.current)
    return {
      element: control.element,
      read: () => toArguments(model, { ...values, current: control.read() }),
      showErrors: (errors) => {
        control.clearErrors()
        const targets = errors.map((error) => control.showError(error.path, error.message))
        return targets.find((target) => target !== undefined)
      },
      focusTarget: control.focusTarget
    }
  }

  const mount = (next: Editor): void => {
    editor = next
    body.replaceChildren(next.element)
    problem.textContent = ""
  }

  const setArguments = (args: JsonObject): void => {
    values = initialValues(model, args, timeZone())
    isTouched = false
    mount(isJson ? jsonEditor(args) : fieldsEditor())
  }

  const setCollapsed = (collapsed: boolean): void => {
    const hadFocus = open.contains(document.activeElement)
    open.hidden = collapsed
    collapsedLine.hidden = !collapsed
    drawLine()
    if (collapsed && hadFocus) collapsedLine.querySelector("button")?.focus()
  }

  const fold = (): void => {
    if (options.folds === false) drawLine()
    else setCollapsed(true)
  }

  const showProblems = (errors: ReadonlyArray<FormError>): void => {
    setCollapsed(false)
    const target = editor.showErrors(errors)
    const [first] = errors
    problem.textContent =
      errors.length === 1 && first !== undefined && target === undefined
        ? `${first.path.join(" › ")}: ${first.message}`
        : `${errors.length === 1 ? "One field needs" : `${errors.length} fields need`} attention.`
    target?.focus()
  }

  const run = (args: JsonObject): void => {
    lastArgs = args
    isTouched = false
    abort = new AbortController()
    drawActions("busy")
    drawLine()
    session.call(args, { signal: abort.signal }).catch(() => undefined)
  }

  const submit = (): void => {
    if (abort !== undefined) return
    const read = editor.read()
    editor.showErrors([])
    problem.textContent = ""
    if (read.errors.length > 0) showProblems(read.errors)
    else if (needsConfirmation(session.tool.annotations)) {
      setCollapsed(false)
      drawActions("confirm", read.arguments)
    } else run(read.arguments)
  }

  const toggleJson = (): void => {
    const read = editor.read()
    if (isJson) {
      if (read.errors.length > 0) return showProblems(read.errors)
      isJson = false
      values = initialValues(
        model,
        sameJson(read.arguments, {}) && values.args === undefined ? undefined : read.arguments,
        timeZone()
      )
      mount(fieldsEditor())
    } else {
      isJson = true
      mount(jsonEditor(read.arguments))
    }
    isTouched = true
    drawActions("idle")
    editor.focusTarget?.focus()
  }

  const drawActions = (state: "idle" | "busy" | "confirm", args: JsonObject = {}): void => {
    const hadFocus = actions.contains(document.activeElement)
    if (state === "confirm") {
      const yes = button("Run it", () => run(args), { kind: "danger" })
      actions.replaceChildren(
        h("p", { class: "mf-confirm", role: "alert" }, "This tool may change or delete data for good. Run it?"),
        yes,
        button("Keep editing", () => {
          drawActions("idle")
          actions.querySelector("button")?.focus()
        })
      )
      yes.focus()
      return
    }
    const isBusy = state === "busy"
    const submitButton = h(
      "button",
      { type: "submit", class: "mg-button mg-button-primary" },
      isBusy ? "Running…" : title
    )
    if (isBusy) {
      submitButton.setAttribute("aria-disabled", "true")
      submitButton.setAttribute("aria-busy", "true")
    }
    const cancel = isBusy ? button("Cancel", () => abort?.abort()) : null
    const json =
      hasFields && !isBusy && model.root.kind === "group"
        ? button(isJson ? "Edit as form" : "Edit as JSON", toggleJson, { kind: "plain" })
        : null
    actions.replaceChildren(...[submitButton, cancel, json].filter((node) => node !== null))
    if (hadFocus) (cancel ?? submitButton).focus()
  }

  const drawLine = (): void => {
    const hadFocus = collapsedLine.contains(document.activeElement)
    const args = lastArgs ?? {}
    const edit = button(
      "Edit input",
      () => {
        setCollapsed(false)
        editor.focusTarget?.focus()
      },
      { small: true }
    )
    edit.setAttribute("aria-expanded", "false")
    const main =
      abort === undefined
        ? button(lastArgs === undefined ? "Run" : "Run again", submit, { small: true })
        : button("Cancel", () => abort?.abort(), { small: true })
    const hasInput = hasFields || Object.keys(args).length > 0
    collapsedLine.replaceChildren(...(hasInput ? [inputSummary(args)] : []), h("div", {}, hasInput ? edit : null, main))
    if (hadFocus) main.focus()
  }

  open.addEventListener("submit", (event) => {
    event.preventDefault()
    submit()
  })
  open.addEventListener("input", () => {
    isTouched = true
  })
  open.addEventListener("keydown", (event) => {
    const isTextarea = event.target instanceof HTMLTextAreaElement
    if (event.key === "Enter" && isTextarea && (event.metaKey || event.ctrlKey)) {
      event.preventDefault()
      submit()
    }
  })

  mount(fieldsEditor())
  drawActions("idle")
  setCollapsed(options.collapsed ?? false)

  session.onContext(() => {
    if (timeZone() === values.timeZone || isTouched || isJson || !hasTimes(model.root)) return
    // Drawing again would take the focus away; what is on screen stays true, as the zone is named.
    if (open.contains(document.activeElement)) return
    values = initialValues(model, values.args, timeZone())
    mount(fieldsEditor())
  })
  session.onInput((args) => {
    if (session.inputIsPartial) return
    const isOwn = args === lastArgs
    lastArgs = args
    if (!isOwn && !isTouched) {
      setArguments(args)
      fold()
    } else drawLine()
  })
  session.onResult((result, args) => {
    lastArgs = args
    if (result.isError !== true && !isTouched) fold()
    else drawLine()
  })
  session.onBusy((busy) => {
    if (busy) return
    abort = undefined
    drawActions("idle")
    drawLine()
  })
  return root
}
