import { clampedText } from "../forms/clampedText.ts"
import { empty, errorBox, fmt, h, header, installStyles, status } from "../parts/index.ts"
import { setAccent } from "../parts/accent.ts"
import { headingOf } from "../../domain/results/ResultHeading.ts"
import { resultShape } from "../../domain/results/ResultShape.ts"
import { callFailure, callStatus } from "../parts/callStatus.ts"
import { fullscreenButton } from "../parts/fullscreenButton.ts"
import { placeNow } from "../parts/host.ts"
import { cancellationText, clip, jsonOf, messageOf } from "../parts/values.ts"
import { extraHooks } from "../runtime/extraHooks.ts"
import { faultMessage } from "../runtime/pageFault.ts"
import type { ViewSession } from "../runtime/session.ts"
import type { CallToolResultLike, FallbackData, JsonObject } from "../runtime/types.ts"
import { fallbackNote, noteOf } from "./fallbackNote.ts"
import { toolTitle } from "./toolTitle.ts"

export interface BuiltinViewOptions {
  readonly fallback: FallbackData | null
  /** Why the built-in view replaced the generated page. */
  readonly pageError?: unknown
  /** Called when a part of this view fails after it was drawn. */
  readonly onError?: (error: unknown) => void
}

const DESCRIPTION_LENGTH = 180

const UNKNOWN = "The reason is not known"

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

/**
 * The built-in UI of any tool: description, form and result. Shown when there is no generated page, or after one
 * failed.
 */
export const mountBuiltinView = (session: ViewSession, options: BuiltinViewOptions): void => {
  installStyles()
  const { tool } = session
  const title = toolTitle(tool)
  document.title = title
  setAccent(undefined, tool)

  let shown: { readonly result: CallToolResultLike; readonly args: JsonObject; readonly place: string } | undefined
  const form = session.form({ collapsed: false })
  const running = callStatus(session, {
    title,
    form,
    hasResult: () => shown !== undefined,
    onQuiet: () => {
      if (notice.childElementCount === 0) fill(outcome, empty("The result will appear here."))
    }
  })
  const notice = h("div", { class: "mg-stack" })
  const outcome = h("section", { class: "mg-stack mg-content", "aria-label": "Result", tabindex: -1 })
  const notes = h("div", { class: "mv-notes" })
  const heading = h("span", {}, title)
  const under = h("span", { class: "mv-under" })
  const about = h("div", {}, tool.description && clampedText(tool.description, DESCRIPTION_LENGTH, "mv-description"))
  const note =
    options.pageError === undefined
      ? fallbackNote(options.fallback, "builtin")
      : noteOf("The view made for this failed; this is the standard view.", faultMessage(options.pageError) || UNKNOWN)
  if (note !== undefined) notes.append(note)

  const view = h(
    "main",
    { class: "mg-app mg-stack" },
    h(
      "div",
      { class: "mg-top" },
      header([heading, under], { subtitle: about, actions: fullscreenButton(session), icon: tool.name }),
      form
    ),
    notes,
    running.element,
    notice,
    outcome
  )

  /** Replaces the content of a place without losing the focus. */
  const fill = (place: HTMLElement, ...content: ReadonlyArray<HTMLElement>): void => {
    const hadFocus = place.contains(document.activeElement)
    place.replaceChildren(...content)
    if (hadFocus) outcome.focus({ preventScroll: true })
  }

  const settle = (): void => {
    if (session.isRunning) return
    outcome.classList.remove("mg-stale")
    outcome.removeAttribute("aria-busy")
  }

  const drawResult = (result: CallToolResultLike, args: JsonObject): void => {
    settle()
    fill(notice)
    const given = {
      outputSchema: tool.outputSchema,
      toolTitle: title,
      maxBytes: session.maxOutputDisplayBytes,
      args,
      actions: [running.retry(args)]
    }
    try {
      shown = { result, args, place: placeNow() }
      // Its place is for what was asked.
      about.parentElement?.remove()
      const shape = resultShape(result)
      const said = headingOf(shape, tool.name, args, fmt.number)
      heading.textContent = said ?? title
      under.textContent = said === undefined ? "" : title
      fill(outcome, extraHooks.drawResult(shape, result, given))
    } catch (error) {
      const detail = clip(jsonOf(result, 2), 100_000)
      fill(outcome, errorBox({ title: "This result could not be drawn", message: messageOf(error, UNKNOWN), detail }))
    }
  }

  session.onInput(() => {
    if (!session.isRunning) return
    fill(notice)
    if (shown === undefined) fill(outcome)
    outcome.classList.toggle("mg-stale", shown !== undefined)
    outcome.setAttribute("aria-busy", "true")
  })
  session.onResult((result, args) => {
    try {
      drawResult(result, args)
    } catch (error) {
      options.onError?.(error)
    }
  })
  session.onFailure((error, args) => {
    settle()
    fill(notice, callFailure(session, error, args, running.retry(args)))
  })
  session.onCancelled((reason) => {
    settle()
    fill(notice, status(cancellationText(reason), "neutral"))
  })
  session.onContext(() => {
    // The locale or time zone has changed: draw dates and numbers again.
    if (shown === undefined || shown.place === placeNow()) return
    session.select({ items: [] })
    drawResult(shown.result, shown.args)
  })

  session.app.connect().catch((error: unknown) => {
    notes.append(noteOf(`${sentence(messageOf(error, UNKNOWN))} The form cannot call the tool here.`))
  })

  document.body.replaceChildren(view)
}
