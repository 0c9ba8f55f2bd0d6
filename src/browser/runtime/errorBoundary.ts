import { button, errorBox } from "../parts/index.ts"
import { attempt, clip, jsonOf, messageOf } from "../parts/values.ts"
import { RpcError } from "./Bridge.ts"
import type { RuntimeSession } from "./createSession.ts"
import { isGeneratedPageGone } from "./generatedPage.ts"
import { hideLoadingLine, isBlank } from "./loadingLine.ts"
import { showNotice } from "./notices.ts"
import { setTimeout } from "./platform.ts"
import { PressNeeded } from "./pressGate.ts"
import type { CallToolResultLike } from "./types.ts"

/** Milliseconds that a generated page has to begin, and then to draw a result. */
const PATIENCE_MS = 3_000

/** After this many dismissed boxes, another error is not news. */
const MAX_DISMISSED = 3

/** The frame changed its size while something was drawn. */
const NOISE = /ResizeObserver loop|^Transition was aborted/

const said = (error: unknown): string => attempt(() => messageOf(error, "")) || "The code of this view failed."

const rawOf = (result: CallToolResultLike | undefined): string =>
  result === undefined ? "" : clip(jsonOf(result, 2), 20_000)

/**
 * Contains errors of a generated page: shows a box that can be dismissed, keeps the raw result available, and offers
 * the built-in view. Only the first error gets a box: a page that fails again and again must not change it while
 * somebody uses it.
 */
export const installErrorBoundary = (session: RuntimeSession): void => {
  let result: CallToolResultLike | undefined
  let box: HTMLElement | undefined
  let shown: { readonly title: string; readonly message: string; readonly cause: unknown } | undefined
  let dismissals = 0
  const dismissed = new Set<string>()

  const draw = (): void => {
    if (shown === undefined) return
    const { title, message, cause } = shown
    const next = errorBox({
      title,
      message,
      detail: rawOf(result),
      actions: [
        button("Switch to basic view", () => session.fallbackToBasic(cause), { kind: "primary" }),
        button("Dismiss", () => {
          dismissed.add(message)
          dismissals++
          clear()
        })
      ]
    })
    next.dataset.boundary = ""
    if (box?.isConnected === true) box.replaceWith(next)
    else showNotice(next)
    box = next
  }

  const clear = (): void => {
    box?.remove()
    box = undefined
    shown = undefined
  }

  const show = (title: string, message: string, cause?: unknown): void => {
    if (isGeneratedPageGone() || dismissed.has(message) || dismissals >= MAX_DISMISSED) return
    if (shown !== undefined) return
    shown = { title, message, cause }
    hideLoadingLine()
    try {
      draw()
    } catch {
      session.showPlain(message)
    }
  }

  const failed = (error: unknown): void => {
    const message = said(error)
    if (error instanceof PressNeeded) return
    if (NOISE.test(message) || session.intercept(error)) return
    const report = (): void => show("Something in this view went wrong", message, error)
    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", report, { once: true })
    else report()
  }

  window.addEventListener("error", (event) => {
    if (event instanceof ErrorEvent) failed(event.error ?? event.message)
  })
  window.addEventListener("unhandledrejection", (event) => {
    const { reason } = event
    // The host refused something: nothing is wrong with the view.
    if (reason instanceof RpcError || (reason instanceof DOMException && reason.name === "AbortError")) return
    failed(reason)
  })

  const expect = (isWrong: () => boolean, title: string, message: string): unknown =>
    setTimeout(() => {
      if (isWrong()) show(title, message)
    }, PATIENCE_MS)
  window.addEventListener("load", () =>
    expect(() => !session.isStarted, "This view did not start", "Its code never asked for the data of the tool.")
  )

  let isExpecting = false
  const expectContent = (): void => {
    if (result === undefined || isExpecting) return
    isExpecting = true
    expect(
      () => {
        isExpecting = false
        return isBlank()
      },
      "This view is empty",
      "The basic view shows everything there is."
    )
  }
  // A page may empty itself long after it has drawn.
  new MutationObserver(expectContent).observe(document, { childList: true, subtree: true })
  session.observeResult((latest) => {
    const isFirst = result === undefined
    result = latest
    if (isFirst) attempt(draw)
    expectContent()
  })
  session.observeLeave(clear)
}

/** Reports to the host's log what the content security policy refused. */
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
