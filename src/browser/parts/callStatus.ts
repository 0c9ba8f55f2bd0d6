import type { CallProgress, ViewSession } from "../runtime/session.ts"
import type { CallToolResultLike, JsonObject } from "../runtime/types.ts"
import { button } from "./button.ts"
import { h } from "./dom.ts"
import { fmt } from "./format.ts"
import { errorBox } from "./layout.ts"
import { clip, jsonOf, messageOf, textOf } from "./values.ts"

/** Milliseconds after which a call counts as slow: its time is shown, and it can be cancelled. */
const SLOW_MS = 5_000

/** Milliseconds before the form is offered: after the host has answered, and while it has not. */
const HOST_PATIENCE_MS = 400
const SILENT_HOST_MS = 2_000

const METHOD_NOT_FOUND = -32601
const REQUEST_TIMEOUT = -32001
const LAST_RESERVED = -32000

/** Changes the arguments in place as they arrive, so that rows do not jump. */
const argumentList = (): { readonly element: HTMLElement; readonly show: (args: JsonObject) => void } => {
  const element = h("dl", { class: "mg-sent", tabindex: 0 })
  const rows = new Map<string, { readonly name: HTMLElement; readonly value: HTMLElement }>()
  const show = (args: JsonObject): void => {
    for (const [name, row] of rows) {
      if (Object.hasOwn(args, name)) continue
      row.name.remove()
      row.value.remove()
      rows.delete(name)
    }
    for (const [name, value] of Object.entries(args)) {
      let row = rows.get(name)
      if (row === undefined) {
        row = { name: h("dt", {}, name), value: h("dd") }
        rows.set(name, row)
        element.append(row.name, row.value)
      }
      const text = clip(Array.isArray(value) || typeof value === "string" ? textOf(value) : jsonOf(value), 400)
      if (row.value.textContent !== text) row.value.textContent = text
    }
  }
  return { element, show }
}

const hintFor = (error: unknown): string => {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined
  if (code === METHOD_NOT_FOUND)
    return "This host may not let a view call tools. Ask for it in the conversation instead."
  // Not one of JSON-RPC's own codes: the message says why.
  if (Number(code) > LAST_RESERVED) return ""
  if (code === REQUEST_TIMEOUT) return "It took too long; the server may still be at work."
  return "The connection to the server may be lost."
}

/** What a view shows of a call that did not happen: the message, what may be wrong, what was sent, and Retry. */
export const callFailure = (
  session: ViewSession,
  error: unknown,
  sent: JsonObject,
  retry: HTMLElement
): HTMLElement => {
  const message = `${messageOf(error, "No reason was given.")}\n${hintFor(error)}`.trim()
  return errorBox({
    title: "The call did not go through",
    message,
    sent: session.withoutSecrets(sent),
    actions: [retry]
  })
}

export interface CallStatusOptions {
  /** Of the tool, for people. */
  readonly title: string
  /** Hidden while the host makes the call: its place shows the arguments. */
  readonly form: HTMLElement | undefined
  /** Whether a result is on screen. Then a thin line shows a call until it is slow. */
  readonly hasResult: () => boolean
  /** The host has not told of any call. */
  readonly onQuiet: () => void
}

export interface CallStatus {
  readonly element: HTMLElement
  /** Calls the tool; the call can be cancelled here when it is slow. Rejects as `session.call` does. */
  readonly call: (args: JsonObject) => Promise<CallToolResultLike>
  readonly retry: (args: JsonObject) => HTMLElement
}

/**
 * Says how the call on screen is going: arguments that arrive, progress, the time when it is slow, and a button to end
 * it.
 */
export const callStatus = (session: ViewSession, options: CallStatusOptions): CallStatus => {
  const said = h("span", { role: "status" })
  const time = h("span", { "aria-hidden": true, class: "mg-grow" })
  const cancel = button("Cancel", session.cancel, { small: true })
  const line = h("div", { class: "mg-call-line" }, said, time, cancel)
  const fill = h("span")
  const bar = h("div", { class: "mg-progress", role: "progressbar", "aria-label": "Progress" }, fill)
  const message = h("p", { class: "mg-muted mg-small" })
  const sent = argumentList()
  const element = h("div", { class: "mg-call" }, line, bar, message, sent.element)

  let state: "idle" | "loading" | "typing" | "running" = "loading"
  let since = 0
  let progress: CallProgress | undefined
  let isOwn = false
  let isBusy = false
  let timer: ReturnType<typeof setInterval> | undefined

  const say = (text: string): void => {
    if (said.textContent !== text) said.textContent = text
  }

  const draw = (): void => {
    const elapsed = performance.now() - since
    const isSlow = state === "running" && elapsed >= SLOW_MS
    const isCalling = state === "typing" || state === "running"
    const isOpen = isCalling && (isSlow || !(isBusy || options.hasResult()))
    element.toggleAttribute("data-open", isOpen)
    line.classList.toggle("mg-hidden", !isOpen)
    if (state !== "idle")
      say(
        {
          loading: "Loading…",
          typing: "Preparing the call…",
          running: isSlow ? "Still running" : `Running ${options.title}…`
        }[state]
      )
    time.textContent = isSlow ? ` · ${fmt.duration(Math.floor(elapsed / 1000))}` : ""
    cancel.hidden = !isSlow || !isOwn
    bar.hidden = state === "idle"
    const share = progress?.total === undefined ? undefined : Math.min(1, progress.progress / progress.total)
    const percent = share !== undefined && share >= 0 ? Math.round(share * 100) : undefined
    bar.ariaValueNow = percent === undefined ? null : String(percent)
    fill.style.width = percent === undefined ? "" : `${percent}%`
    message.textContent = progress?.message ?? ""
    message.hidden = !isOpen || message.textContent === ""
    sent.element.hidden = !isOpen || (options.form?.hidden === false && state === "running")
  }

  const become = (next: typeof state): void => {
    if (state !== "running" && next === "running") since = performance.now()
    state = next
    clearInterval(timer)
    if (next === "running") timer = setInterval(draw, 1_000)
    draw()
  }

  const end = (text: string): void => {
    if (session.isRunning) return
    progress = undefined
    if (options.form !== undefined) options.form.hidden = false
    become("idle")
    say(text)
  }

  const quiet = (): void => {
    if (state !== "loading" || session.isRunning) return
    end("")
    options.onQuiet()
  }

  session.onInput((args) => {
    if (!session.isRunning) return
    sent.show(session.withoutSecrets(args))
    const { form } = options
    if (form !== undefined) form.hidden = !isBusy && !options.hasResult() && !form.contains(document.activeElement)
    since = performance.now()
    become(session.inputIsPartial ? "typing" : "running")
  })
  session.onProgress((latest) => {
    progress = latest
    draw()
  })
  session.onResult((result) => end(result.isError === true ? `${options.title} failed` : "Result shown"))
  session.onFailure(() => end(""))
  session.onCancelled(() => end(""))
  session.onBusy((busy) => {
    isBusy = busy
    if (!busy) end(said.textContent ?? "")
  })
  session.onReplaced(() => clearInterval(timer))
  if (options.form !== undefined) options.form.hidden = true
  session.onContext(() => setTimeout(quiet, HOST_PATIENCE_MS))
  setTimeout(quiet, window.parent === window ? 0 : SILENT_HOST_MS)
  draw()

  const call = (args: JsonObject): Promise<CallToolResultLike> => {
    isOwn = true
    return session.call(args).finally(() => {
      isOwn = false
    })
  }
  return {
    element,
    call,
    // `onFailure` and `onCancelled` hear what goes wrong.
    retry: (args) => button("Retry", () => call(args).catch(() => undefined), { small: true, needs: "tools/call" })
  }
}
