import { Effect } from "effect"
import type { PageCheck } from "../../../adapters/session/pageTokens.ts"
import { CurrentArguments, SelectArguments } from "../../../domain/session/wrapperToolArguments.ts"
import { NO_MODEL } from "../../../domain/tools/UiEntry.ts"
import type { UiLibrary, UiNews } from "../../../services/library/UiLibrary.ts"
import type { HungPages } from "../hungPages.ts"
import { MAX_VIEW_BYTES, type Recall } from "../Recall.ts"
import type { Selections } from "../Selections.ts"
import type { CalledTools } from "./calledTools.ts"
import { CallRefused, decode, success, type ToolResult } from "./toolAnswers.ts"

const notOfPage = (toolName: string) =>
  new CallRefused({ detail: `Only the UI of "${toolName}" that was read in this session may ask this.` })

const WRITING = { state: "generating", retryAfterMs: 1000 } as const

/** All that is in the answer as a text, too, which no host strips; `result` is JSON. */
const withText = (
  { content, structuredContent }: ToolResult,
  more: Readonly<Record<string, unknown>>,
  result: string | undefined
): ToolResult => {
  const json = JSON.stringify({ ...structuredContent, ...more })
  const text = result === undefined ? json : `${json.slice(0, -1)},"result":${result}}`
  return { content: [...content, { type: "text", text }], ...(structuredContent && { structuredContent }) }
}

const NEWS: Readonly<Record<UiNews["state"], string>> = {
  current: "The UI is up to date.",
  generating: "A UI is being written.",
  changed: "There is a newer UI."
}

/** What pages are answered from. */
interface PageCallNeeds {
  readonly pageAt: PageCheck
  readonly selections: Selections
  readonly recall: Recall | undefined
  readonly isCalling: (toolName: string) => boolean
  readonly hungPages: HungPages
  readonly isBeingWritten: (toolName: string) => Effect.Effect<boolean>
}

/** Answers the calls that pages make: current, select. */
export const makePageCalls = (
  library: UiLibrary["Service"],
  { servedToolOf, told, toolOf }: CalledTools,
  { hungPages, isBeingWritten, isCalling, pageAt, recall, selections }: PageCallNeeds
) => {
  /**
   * Some hosts have one session for their pages and another one for the model. A page that was read in another session of
   * this process hears of a newer UI, but cannot change anything here.
   */
  const pageOf = (toolName: string, token: string) =>
    Effect.fromNullishOr(pageAt(toolName, token)).pipe(Effect.mapError(() => notOfPage(toolName)))

  const current = Effect.fnUntraced(function* (args: unknown) {
    const asked = yield* decode(CurrentArguments, args)
    const { chosen, opens, failed, fault, pick, report, shows, token, toolName, touched, version, view } = asked
    const { isOfSession, proof } = yield* pageOf(toolName, token)
    const recalled = recall?.ofPage(toolName, token)
    if (view?.values !== undefined && recalled?.keep(view.args, view.values) === false) {
      const detail = `What the view of "${toolName}" wants to have kept is over ${MAX_VIEW_BYTES} bytes of JSON.`
      return yield* new CallRefused({ detail })
    }
    const ofPage = isOfSession ? { failed, fault, report, pick, isChosen: chosen } : {}
    const tool = yield* servedToolOf(toolName)
    const sign = shows !== undefined && shows.got === undefined ? "waits" : "asks"
    if (isOfSession) yield* hungPages[opens ? "opens" : sign](tool, version)
    const { note, variants, ...known } = yield* library.news(tool, version, { ...ofPage, isTouched: touched })
    const isTaken = known.document?.view === "generated" && known.ifUntouched !== true
    if (isOfSession && isTaken) yield* hungPages.takes(tool, known.version)
    const waiting = known.state === "current" && (yield* isBeingWritten(toolName)) ? WRITING : {}
    const why = note === NO_MODEL.message ? told(NO_MODEL).message : note
    const news = { ...known, ...(why !== undefined && { note: why }), ...waiting }
    const choices = variants?.versions.map((value, index) => ({ value, label: `Variant ${index + 1}` }))
    const choice = isOfSession && variants !== undefined ? { variants: { choices, current: variants.current } } : {}
    const answer = success(NEWS[news.state], { proof, ...news, ...choice })
    if (recalled === undefined) return answer
    const isAwaited = shows?.got === undefined && isCalling(toolName)
    const result = shows === undefined || isAwaited ? undefined : recalled.result(shows)
    const values = view !== undefined && view.values === undefined ? recalled.kept(view.args) : undefined
    return withText(answer, values === undefined ? {} : { values }, result)
  })

  const select = Effect.fnUntraced(function* (args: unknown) {
    const { filter, items, noun = "items", token, toolName, total = 0 } = yield* decode(SelectArguments, args)
    const { isOfSession, proof } = yield* pageOf(toolName, token)
    if (!isOfSession) return yield* notOfPage(toolName)
    yield* toolOf(toolName)
    yield* selections.keep({
      toolName,
      items,
      noun: noun.replaceAll(/\s+/gu, " "),
      total: Math.max(total, items.length),
      ...(filter === undefined ? {} : { filter })
    })
    const text =
      items.length === 0
        ? `Nothing is selected in ${toolName} any more.`
        : `The selection in ${toolName} is kept (${items.length}).`
    return success(text, { toolName, proof, kept: items.length })
  })

  return { current, select }
}
