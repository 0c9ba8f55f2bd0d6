import { button, errorBox, h, installStyles, resultView } from "../parts/index.ts"
import { cancellationText, messageOf } from "../parts/values.ts"
import type { ViewSession } from "../runtime/session.ts"
import type { CallToolResultLike, FallbackData, JsonObject } from "../runtime/types.ts"
import { clampedText } from "./clampedText.ts"
import { inputSummary } from "./SchemaForm.ts"
import { installFormStyles } from "./styles.ts"
import { toolTitle } from "./toolTitle.ts"

export interface BuiltinViewOptions {
  readonly fallback: FallbackData | null
  /** What made the generated page give way to this one. */
  readonly pageError?: unknown
}

const DESCRIPTION_LENGTH = 180

/** Milliseconds that the host has to bring input or result before the form is offered. */
const HOST_PATIENCE_MS = 400

const UNKNOWN = "The reason is not known"

const noteOf = (text: string): HTMLElement => {
  const note = h("div", { class: "mv-note", role: "note" }, h("p", {}, text))
  note.append(button("Dismiss", () => note.remove(), { kind: "plain", small: true }))
  return note
}

const progress = (): HTMLElement => h("span", { class: "mv-progress", "aria-hidden": "true" })

const fallbackText = ({ message, transient, code }: FallbackData): string => {
  if (code === "NO_MODEL") return ""
  const next = transient ? " A new try is made later." : ""
  return `This is the basic view. ${message}${/[.!?]$/.test(message) ? "" : "."}${next}`
}

/**
 * The built-in UI of any tool: what it does, a form for its input, and its result. It stands in when there is no
 * generated page, and takes the place of one that failed.
 */
export const mountBuiltinView = (session: ViewSession, options: BuiltinViewOptions): void => {
  installStyles()
  installFormStyles()
  const { tool } = session
  const title = toolTitle(tool)
  document.title = title

  const form = session.form({ collapsed: false })
  const status = h("div", { class: "mv-status", role: "status" })
  const outcome = h("section", { class: "mv-result", "aria-label": "Result", tabindex: -1 })
  const notes = h("div", { class: "mv-notes" })
  const fallbackNote = options.fallback === null ? "" : fallbackText(options.fallback)
  if (options.pageError !== undefined)
    notes.append(noteOf(`The generated view failed: ${messageOf(options.pageError, UNKNOWN)}`))
  else if (fallbackNote !== "") notes.append(noteOf(fallbackNote))

  const view = h(
    "main",
    { class: "mv-view" },
    h(
      "header",
      { class: "mv-head" },
      h("h1", { class: "mv-title" }, title),
      tool.description === undefined ? null : clampedText(tool.description, DESCRIPTION_LENGTH, "mv-description")
    ),
    notes,
    form,
    status,
    outcome
  )

  let hasResult = false
  let isWaiting = false
  let isOwnCall = false
  form.hidden = true

  const say = (text: string, ...more: ReadonlyArray<HTMLElement>): void => {
    status.replaceChildren(...(text === "" ? [] : [h("span", {}, text)]), ...more)
  }

  const wait = (text: string, args: JsonObject): void => {
    isWaiting = true
    form.hidden = !hasResult && !isOwnCall
    outcome.classList.toggle("mv-stale", hasResult)
    outcome.setAttribute("aria-busy", "true")
    say(text, ...(form.hidden ? [inputSummary(args)] : []), progress())
  }

  const settle = (text: string): void => {
    isWaiting = false
    form.hidden = false
    outcome.classList.remove("mv-stale")
    outcome.removeAttribute("aria-busy")
    say("", h("span", { class: "mg-hidden" }, text))
  }

  const retry = (args: JsonObject): HTMLElement =>
    button("Retry", () => void session.call(args).catch(() => undefined), { small: true })

  const drawResult = (result: CallToolResultLike, args: JsonObject): void => {
    hasResult = true
    settle(result.isError === true ? `${title} failed.` : `${title}: the result is here.`)
    outcome.replaceChildren(
      resultView(result, {
        outputSchema: tool.outputSchema,
        toolTitle: title,
        maxBytes: session.maxOutputDisplayBytes,
        actions: [retry(args)]
      })
    )
  }

  const drawFailure = (error: unknown, args: JsonObject): void => {
    settle("")
    outcome.replaceChildren(
      errorBox({ title: "The call did not go through", message: messageOf(error, UNKNOWN), actions: [retry(args)] })
    )
  }

  const offerForm = (): void => {
    if (isWaiting || hasResult) return
    form.hidden = false
    say("")
    if (outcome.childElementCount === 0) outcome.append(h("p", { class: "mv-empty" }, "The result will appear here."))
  }

  session.onBusy((busy) => {
    isOwnCall = busy
  })
  session.onInput((args) => {
    if (!session.isRunning) return
    if (session.inputIsPartial) wait("Preparing the call…", args)
    else wait(`Running ${title}…`, args)
  })
  session.onResult(drawResult)
  session.onFailure(drawFailure)
  session.onCancelled((reason) => {
    settle("")
    outcome.replaceChildren(h("p", { class: "mv-empty" }, cancellationText(reason)))
  })

  say("", h("span", { class: "mg-hidden" }, "Loading…"), progress())
  const connected = session.app.connect()
  connected.then(
    () => setTimeout(offerForm, HOST_PATIENCE_MS),
    (error: unknown) => {
      offerForm()
      notes.append(noteOf(`${messageOf(error, UNKNOWN)}. The form cannot call the tool here.`))
    }
  )
  setTimeout(offerForm, HOST_PATIENCE_MS * 5)

  document.body.replaceChildren(view)
}
