import { noteOf } from "../builtin/fallbackNote.ts"
import { attempt } from "../parts/values.ts"
import type { Bridge } from "./Bridge.ts"
import type { RuntimeSession } from "./createSession.ts"
import { isGeneratedPageGone } from "./generatedPage.ts"
import { hideLoadingLine, isBlank } from "./loadingLine.ts"
import { showNotice } from "./notices.ts"
import { type FaultKind, faultMessage, losesData } from "./pageFault.ts"
import { clearTimeout, setTimeout } from "./platform.ts"
import type { CallToolResultLike } from "./types.ts"

/** Milliseconds that a generated page has to begin, and then to draw a result. */
const PATIENCE_MS = 1_000

/** The frame changed its size while something was drawn. */
const NOISE = /ResizeObserver loop|^Transition was aborted/
const UNDONE = /^(PressNeeded|AbortError)$/
/** The server or the host refused something: no fault of the page. */
const REFUSED = /^(RpcError|CallFailed)$/

/** How many refusals are shown at most. */
const MAX_REFUSALS = 3

/**
 * Contains what goes wrong with a generated page: its code throws, it never begins, it shows nothing, or nothing of the
 * result. Then the version before takes its place if it is new, else the built-in view, with the last input and result.
 */
export const installErrorBoundary = (session: RuntimeSession, { gate }: Bridge, byHand: boolean): void => {
  let result: CallToolResultLike | undefined
  /** The result of which something was seen on the page. */
  let seen: unknown
  let refusals = MAX_REFUSALS

  const fail = (kind: FaultKind, error: unknown): void => {
    const go = (): void => {
      if (isGeneratedPageGone() || session.intercept({ kind, error, result })) return
      hideLoadingLine()
      session.fallbackToBasic(error)
    }
    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", go, { once: true })
    else go()
  }
  session.viewFailed = (error) => fail("threw", error)

  const failed = (error: unknown): void => {
    const message = faultMessage(error)
    const name = String(attempt(() => (error as Error).name))
    if (NOISE.test(message) || UNDONE.test(name)) return
    if (!REFUSED.test(name)) session.viewFailed(error)
    else if (refusals-- > 0) showNotice(noteOf(message))
  }
  window.addEventListener("error", (event) => {
    if (event instanceof ErrorEvent) failed(event.error ?? event.message)
  })
  window.addEventListener("unhandledrejection", (event) => failed(event.reason))

  let timer: number | undefined
  const look = (): void => {
    timer = undefined
    // It may wait for more than this result.
    if (session.isRunning || gate.isBusy) return lookSoon()
    if (isGeneratedPageGone()) return
    if (!byHand && !session.isStarted) fail("not started", "It never asked for data.")
    else if (result === undefined) return
    else if (isBlank()) fail("empty", "It showed nothing.")
    else if (seen !== result && losesData(result)) fail("lost data", "It showed nothing of it.")
    else seen = result
  }
  const lookSoon = (): void => {
    timer ??= setTimeout(look, PATIENCE_MS)
  }
  // The next view has a time of its own.
  session.observeLeave(() => {
    clearTimeout(timer)
    timer = setTimeout(look, PATIENCE_MS)
  })
  // A page may empty itself long after it has drawn.
  new MutationObserver(() => void (result && lookSoon())).observe(document, { childList: true, subtree: true })
  window.addEventListener("load", lookSoon)
  session.observeResult((latest) => {
    result = latest
    lookSoon()
  })
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
