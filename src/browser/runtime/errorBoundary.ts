import { button, errorBox } from "../parts/index.ts"
import { clip, jsonOf, messageOf } from "../parts/values.ts"
import { isGeneratedPageGone } from "./generatedPage.ts"
import { isBlank } from "./loadingLine.ts"
import type { RuntimeSession } from "./createSession.ts"
import type { CallToolResultLike } from "./types.ts"

/** So often the box comes back when the page's code wipes it away. */
const RETURNS = 5

/** Milliseconds that a generated page has to begin, and then to draw a result. */
const PATIENCE_MS = 3_000

const NOISE = /ResizeObserver loop/

const said = (error: unknown): string => messageOf(error, "The code of this view failed.")

const rawOf = (result: CallToolResultLike | undefined): string =>
  result === undefined ? "" : clip(jsonOf(result, 2), 20_000)

/**
 * Contains what goes wrong in a generated page (requirement V7): says so in a box that can be dismissed, keeps the
 * raw result at hand, and offers the built-in view in place.
 */
export const installErrorBoundary = (session: RuntimeSession): void => {
  let result: CallToolResultLike | undefined
  let box: HTMLElement | undefined
  let cause: unknown
  let returns = RETURNS

  // A page that fills its body anew must not take the message with it.
  const watcher = new MutationObserver(() => {
    if (box?.isConnected === false && !isGeneratedPageGone() && returns-- > 0) document.body?.prepend(box)
  })

  const show = (title: string, message: string): void => {
    if (isGeneratedPageGone() || document.body === null) return
    const shown = errorBox({
      title,
      message,
      detail: rawOf(result),
      actions: [
        button("Switch to basic view", () => session.fallbackToBasic(cause), { kind: "primary" }),
        button("Dismiss", () => {
          box = undefined
          shown.remove()
        })
      ]
    })
    shown.dataset.boundary = ""
    shown.style.cssText = "flex:none;grid-column:1/-1;inline-size:auto;margin-block-end:12px"
    if (box?.isConnected === true) box.replaceWith(shown)
    else document.body.prepend(shown)
    box = shown
    watcher.observe(document.documentElement, { childList: true, subtree: true })
  }

  const failed = (error: unknown): void => {
    if (NOISE.test(said(error))) return
    cause = error
    const report = (): void => show("Something in this view went wrong", said(error))
    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", report, { once: true })
    else report()
  }

  window.addEventListener("error", (event) => {
    if (event instanceof ErrorEvent) failed(event.error ?? event.message)
  })
  window.addEventListener("unhandledrejection", (event) => {
    if (event.reason instanceof DOMException && event.reason.name === "AbortError") return
    failed(event.reason)
  })

  const expect = (isWrong: () => boolean, title: string, message: string): unknown =>
    setTimeout(() => {
      if (box === undefined && isWrong()) show(title, message)
    }, PATIENCE_MS)
  window.addEventListener("load", () =>
    expect(() => !session.isStarted, "This view did not start", "Its code never asked for the data of the tool.")
  )
  session.observeResult((latest) => {
    result = latest
    expect(isBlank, "This view is empty", "The basic view shows everything there is.")
  })
}

/** Tells the host's log what the content security policy refused. */
export const logPolicyViolations = (session: RuntimeSession): void => {
  document.addEventListener("securitypolicyviolation", (event) => {
    if (session.app.getHostCapabilities()?.logging === undefined) return
    const { effectiveDirective, blockedURI, lineNumber } = event
    void session.app.sendLog({
      level: "warning",
      logger: "mcp-gen-ui",
      data: { event: "securitypolicyviolation", effectiveDirective, blockedURI, lineNumber }
    })
  })
}
