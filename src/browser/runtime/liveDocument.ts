import { isObject } from "../../domain/isObject.ts"
import { noteOf } from "../builtin/fallbackNote.ts"
import { attachedApps } from "./App.ts"
import type { Bridge } from "./Bridge.ts"
import type { RuntimeSession } from "./createSession.ts"
import { showFallback } from "./fallbackNotice.ts"
import { announce, showNotice } from "./notices.ts"
import { requestAnimationFrame, setTimeout } from "./platform.ts"
import { type Fault, faultMessage, toldFault } from "./pageFault.ts"
import { pageReport } from "./pageReport.ts"
import type { FallbackData, PageData } from "./types.ts"
import { keepTyped, watchTyping } from "./typedValues.ts"
import { variantChoice } from "./variantChoice.ts"
import { versionUpdates } from "./versionUpdates.ts"
import type { ForeignView } from "./walls.ts"
import { setView, sourceOfDocument } from "./viewSource.ts"
import type { ViewSource } from "./viewSource.ts"

/** An error of a new version within this time (milliseconds) takes it back. */
const TRIAL_MS = 1_000

/** A page looks at itself this long (milliseconds) after it has got a result, or another version. */
const LOOK_MS = 1_500

/** After this time (milliseconds), the runtime connects an `App` of a new version that did not connect. */
const CONNECT_MS = 200

const readSource = (value: unknown): ViewSource | undefined => {
  if (!isObject(value) || typeof value.version !== "string") return undefined
  const text = (name: string): string => (typeof value[name] === "string" ? value[name] : "")
  return {
    view: value.view === "generated" ? "generated" : "builtin",
    fallback: isObject(value.fallback)
      ? ({ code: "", message: "", transient: false, ...value.fallback } as FallbackData)
      : null,
    version: value.version,
    ...(value.byHand === true ? { byHand: true } : {}),
    readOnlyTools: Array.isArray(value.readOnlyTools) ? value.readOnlyTools.map(String) : [],
    htmlAttributes: text("htmlAttributes"),
    bodyAttributes: text("bodyAttributes"),
    head: text("head"),
    body: text("body")
  }
}

/**
 * Keeps the page up to date while it is open: asks the wrapper (`tool`) for a newer version of its UI and takes it over
 * in place. The connection to the host stays; the new code gets the last input and result again; what a person typed,
 * the focus and the scroll position are kept. A version that fails in its first second gives way to the one before, and
 * the wrapper hears of it; so it does when the one that the document came with fails in its first second on screen. Code of
 * a version may outlive it, and fail in the name of the next ones: of all that follow a generated version one is told.
 */
export const keepDocumentLive = (
  tool: string,
  data: PageData,
  session: RuntimeSession,
  bridge: Bridge,
  raiseWalls: (view: ForeignView) => void
): void => {
  const first = sourceOfDocument(data)
  let shown: ViewSource | undefined
  /** Of the version on trial: how to take it back. */
  let takeBack: ((fault: Fault) => void) | undefined
  let isFresh = true
  /** No code but that of the version on screen has run here. */
  let isAlone = data.view === "builtin"
  let mayReport = true
  let lookSoon = (): void => undefined
  const endFresh = (): void => void (isFresh = false)
  /** `wasAlone`: no code of another generated version had run before. */
  const report = (failed: string, fault: Fault, wasAlone: boolean): void => {
    if (mayReport) tell({ failed, fault: { ...toldFault(fault), isInPlace: failed !== data.version } })
    mayReport &&= wasAlone
  }
  void bridge.opened.then(() => setTimeout(endFresh, TRIAL_MS), endFresh)

  // A person chose the basic view: go back to it when a version fails.
  session.observeLeave(() => {
    endFresh()
    shown = { ...(shown ?? first()), view: "builtin" }
  })

  const mount = (source: ViewSource, restore: () => void): void => {
    session.leaveView()
    raiseWalls(source)
    shown = source
    session.fallback = source.fallback
    showFallback(source.fallback, source.view)
    if (source.view === "builtin") session.showBasic({ fallback: source.fallback })
    else setView(source)
    restore()
    const connect = (): void => {
      for (const app of attachedApps()) if (!app.isConnecting) app.connect().catch(() => undefined)
    }
    void session.app.connect().catch(() => undefined)
    setTimeout(connect, CONNECT_MS)
    lookSoon()
  }

  const takeOver = (source: ViewSource): void => {
    const begun = performance.now()
    const before = shown ?? first()
    // Where a document lets every script run, there are no walls around what a model wrote.
    const isUnwalled = data.byHand === true && source.view === "generated" && source.byHand !== true
    if (source.version === before.version || isUnwalled) return
    const restore = keepTyped()
    const wasAlone = isAlone
    isAlone &&= source.view === "builtin"
    const trial = (fault: Fault): void => {
      takeBack = undefined
      report(source.version, fault, wasAlone)
      const restoreLater = keepTyped()
      mount(before, () => {
        restore()
        restoreLater()
      })
      const text = "A new version of this view failed; this is the one before."
      showNotice(noteOf(text, faultMessage(fault.error)))
      announce(text)
    }
    takeBack = trial
    setTimeout(() => {
      if (takeBack === trial) takeBack = undefined
    }, TRIAL_MS)
    try {
      mount(source, restore)
    } catch (error) {
      return trial({ kind: "threw", error, result: undefined })
    }
    announce("The view was updated.")
    requestAnimationFrame(() =>
      requestAnimationFrame(() => performance.measure("mcp-gen-ui takeover", { start: begun, end: performance.now() }))
    )
  }

  session.intercept = (fault) => {
    const take = takeBack
    takeBack = undefined
    if (take !== undefined) {
      setTimeout(() => take(fault))
      return true
    }
    const kind = fault.kind === "threw" && !isFresh ? "threw later" : fault.kind
    report((shown ?? first()).version, { ...fault, kind }, shown === undefined)
    return false
  }
  watchTyping()
  const tell = versionUpdates(
    { tool, data, bridge },
    (document) => {
      const source = readSource(document)
      if (source !== undefined) takeOver(source)
      return source?.version
    },
    ({ result, values, variants }, isTouched) => {
      choose(variants)
      const isFilled = isObject(values) && session.memory.fill(values)
      if (isObject(result)) bridge.again(result)
      else if (isFilled && !isTouched) bridge.again()
    }
  )
  const choose = variantChoice((news) => void (bridge.gate.isPressed && tell(news)))
  if (data.wrapperTools?.keeps === true)
    session.memory.keepAlso((args, values) => tell({ view: { args, ...(values && { values }) } }))

  /** The version that was looked at. */
  let looked: string | undefined
  const look = (): void => {
    const { version, view } = shown ?? first()
    const result = bridge.recorded.get("toolresult")?.params
    if (looked === version || view === "builtin" || result === undefined) return
    looked = version
    const report = pageReport(result)
    if (report !== undefined) tell({ report })
  }
  lookSoon = (): void => {
    // Not while a version is on trial.
    if (data.wrapperTools?.reports === true) setTimeout(() => (window.requestIdleCallback ?? setTimeout)(look), LOOK_MS)
  }
  session.observeResult(lookSoon)
}
