import { isObject } from "../../domain/isObject.ts"
import { resultDigest } from "../../domain/results/ResultDigest.ts"
import { attempt } from "../parts/values.ts"
import type { Bridge } from "./Bridge.ts"
import { clearTimeout, now, setTimeout } from "./platform.ts"
import type { JsonObject, PageData } from "./types.ts"

/** Milliseconds: between questions at the least as a rule, at the most, and between any two. */
const FIRST_MS = 2_000
const MAX_MS = 60_000
const MIN_MS = 500

/** The pause is this part of the time since something happened: who asks for a change in the chat was here just now. */
const RARER = 20

/** Milliseconds without a press after which it stops asking. */
const IDLE_MS = 30 * 60_000

/** Milliseconds in which the result of a call may still come before the page tells what it shows. */
const SHOWN_MS = 200

/** After so many refusals in a row it stops asking. */
const MAX_REFUSALS = 3

export interface VersionQuestion {
  /**
   * The wrapper's tool that knows: `{toolName, token, version, touched?, failed?, fault?, report?, shows?, view?}` → `{proof,
   * version, state, retryAfterMs?, document?, result?, values?}`.
   */
  readonly tool: string
  readonly data: PageData
  readonly bridge: Bridge
}

/** The call that the page shows, and what it got of its result; nothing where there is nothing to get back. */
const shownCall = ({ recorded }: Bridge): JsonObject | undefined => {
  const result = recorded.get("toolresult")
  const args = result?.args ?? recorded.get("toolinput")?.params.arguments
  const isKnown = isObject(args)
  if (result === undefined && (!isKnown || recorded.has("toolcancelled"))) return undefined
  return { ...(isKnown && { args }), ...(result && { got: resultDigest(result.params) }) }
}

/**
 * Asks for a newer version of the UI: the longer nothing has happened, the less often. Asks at once when the page becomes
 * visible, when a call of it ended or when the host says that something changed. Never asks while the page is hidden,
 * and stops while nobody touches it. `take` gets the document of a newer version and answers with its version, which is
 * not taken again; `hear` gets the rest of each answer. Where the wrapper keeps results, it is told which one the page got,
 * as long as there is none with each question. The function that this returns takes what the wrapper should know (a version that failed, what the
 * page found on its screen): the next questions tell it, until one is answered.
 */
export const versionUpdates = (
  { tool, data, bridge }: VersionQuestion,
  take: (document: unknown) => string | undefined,
  hear: (answer: JsonObject, isTouched: boolean) => void
): ((news: JsonObject) => void) => {
  let { version } = data
  let news: JsonObject | undefined
  let timer: number | undefined
  /** True until it has begun, too. */
  let isAsking = true
  let refusals = 0
  let touchedAt = now()
  /** When somebody touched the page, or something changed. */
  let since = touchedAt
  let isTouched = false
  /** The question at the opening does not count. */
  let askedAt = -Infinity
  /** Something happened since it asked. */
  let isHinted = false
  /** The wrapper has not heard what is shown. */
  let isUntold = false
  const { isStill, keeps, proof, reports, token } = data.wrapperTools ?? {}

  const isIdle = (): boolean => now() - touchedAt > IDLE_MS

  const next = (milliseconds: number): void => {
    clearTimeout(timer)
    const soonest = askedAt + MIN_MS - now()
    timer = setTimeout(() => void ask(), Math.max(milliseconds, soonest))
  }

  const ask = async (opens?: true): Promise<void> => {
    if (isAsking || document.visibilityState === "hidden" || isIdle() || refusals >= MAX_REFUSALS) return
    const isLacking = keeps === true && (isUntold || !bridge.recorded.has("toolresult"))
    const shows = isLacking ? shownCall(bridge) : undefined
    if (isStill === true && shows === undefined && news === undefined) return
    isAsking = true
    isUntold = isHinted = false
    // What comes next need not wait for the opening.
    if (!opens) askedAt = now()
    let wait = Math.min(Math.max((askedAt - since) / RARER, FIRST_MS), MAX_MS)
    try {
      const told = news
      const about = {
        toolName: data.tool.name,
        token,
        version,
        ...(opens && { opens }),
        ...(reports && isTouched && { touched: true }),
        ...(shows && { shows }),
        ...told
      }
      const params = { name: tool, arguments: about }
      const said = await bridge.ask("tools/call", params, { timeout: MAX_MS })
      const { content, isError, structuredContent } = said as { content?: ReadonlyArray<JsonObject> } & JsonObject
      // A host may strip the one and leave the other.
      const text = attempt(() => JSON.parse(String(content?.[1]?.text)) as JsonObject)
      const answer: JsonObject = { ...(structuredContent as JsonObject), ...text }
      if (isError === true || answer.proof !== proof) throw new Error("no answer of the wrapper")
      refusals = 0
      if (news === told) news = undefined
      const isNew = isUntold
      hear(answer, isTouched)
      isUntold = isNew
      if (answer.state === "generating") {
        const after = Number(answer.retryAfterMs)
        wait = after > 0 ? Math.min(after, MAX_MS) : FIRST_MS
      } else if (answer.state === "changed" && !(isTouched && answer.ifUntouched === true)) {
        version = take(answer.document) ?? version
        since = now()
        wait = FIRST_MS
      }
    } catch {
      refusals++
      isUntold ||= shows !== undefined
    }
    isAsking = false
    next((news === undefined && !isUntold && !isHinted) || refusals > 0 ? wait : 0)
  }

  const soon = (): void => {
    since = now()
    isHinted = true
    next(0)
  }

  const touch = ({ isTrusted }: Event): void => {
    if (!isTrusted) return
    const wasIdle = isIdle()
    isTouched = true
    since = touchedAt = now()
    if (wasIdle) soon()
  }
  for (const type of ["pointerdown", "keydown", "wheel", "scroll"])
    window.addEventListener(type, touch, { capture: true, passive: true })

  const begin = async (): Promise<void> => {
    await bridge.opened
    if (bridge.host?.hostCapabilities?.serverTools === undefined) return
    document.addEventListener("visibilitychange", soon)
    bridge.onOwnCall(({ outcome }) => void outcome.then(soon, soon))
    bridge.onNotification((method) => {
      if (/list_changed$|resources\/updated$/.test(method)) soon()
    })
    // At the end what is left to tell goes out beside a question that is under way. A page that is closed soon asks: it does not hang.
    bridge.onTeardown(async () => {
      isAsking = false
      if (news !== undefined || askedAt < 0) await ask()
    })
    isAsking = false
    // Before any result: a page that hangs as it draws can say no more, and the question that does not follow tells it.
    if (data.view === "generated") return ask(true)
    next(data.fallback?.transient === true || news !== undefined || isUntold ? 0 : FIRST_MS)
  }
  bridge.onRecord(({ event }) => {
    if (!/toolinput$|toolresult/.test(event) || keeps !== true) return
    isUntold = true
    next(SHOWN_MS)
  })
  begin().catch(() => undefined)

  return (more) => {
    news = { ...news, ...more }
    soon()
  }
}
