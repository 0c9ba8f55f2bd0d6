import type { PageCheck } from "../../adapters/session/pageTokens.ts"
import { canonicalJson } from "../../domain/CanonicalJson.ts"
import { isObject } from "../../domain/isObject.ts"
import { type ResultDigest, resultDigest } from "../../domain/results/ResultDigest.ts"
import { decodedAt, rawAt } from "../../domain/wire/Rewrites.ts"

/** The call that a page shows, and what it got of its result, as far as it knows. */
interface ShownCall {
  readonly args?: unknown
  readonly got?: ResultDigest | undefined
}

/**
 * What one session has shown: the last results of its calls, and how a person left the view of each call. Its host gets both
 * back for the same tool and the same arguments, and nobody else gets either. It is never written to a disk or a log.
 */
export interface Recall {
  /** The server has answered a call; `undefined`: at a length that nobody keeps. */
  readonly observe: (toolName: string, args: unknown, answer: Uint8Array | undefined) => void
  /** What pages of this tool may have; `undefined` for one that was not read in this session. */
  readonly ofPage: (toolName: string, token: string) => PageRecall | undefined
  readonly forget: (toolName: string) => void
}

interface PageRecall {
  /** The result that the server gave, as JSON, if the page has another one, or none. */
  readonly result: (shown: ShownCall) => string | undefined
  /** Replaces how the view of a call was left. `false`: it is too large, and nothing has changed. */
  readonly keep: (args: unknown, values: Readonly<Record<string, unknown>>) => boolean
  readonly kept: (args: unknown) => unknown
}

const MAX_RESULTS = 50
const MAX_BYTES = 8_388_608
/** A larger result is not kept: a page would not draw it in one piece either. */
const MAX_RESULT_BYTES = 2_097_152
/** UTF-8 bytes of JSON, of all views of one tool. */
export const MAX_VIEW_BYTES = 65_536
/** Tools whose views are kept. */
const MAX_TOOLS = 50

interface Kept {
  readonly toolName: string
  /** Canonical. */
  readonly args: string
  /** `undefined`: the call has failed, or its result is too large. */
  readonly answer: Uint8Array | undefined
  digest?: ResultDigest | undefined
}

const argsOf = (args: unknown): string => canonicalJson(args ?? {})

const digestOf = (kept: Kept): ResultDigest | undefined => {
  if (kept.answer === undefined) return undefined
  const result = decodedAt(kept.answer, ["result"])
  return (kept.digest ??= isObject(result) ? resultDigest(result) : undefined)
}

export const makeRecall = (pageAt: PageCheck): Recall => {
  /** The oldest first. */
  const results: Array<Kept> = []
  let bytes = 0
  /** By tool, then by arguments, the oldest first; values as JSON. */
  const views = new Map<string, Map<string, string>>()

  const drop = (index: number): void => {
    for (const { answer } of results.splice(index, 1)) bytes -= answer?.length ?? 0
  }

  const isOver = (): boolean => results.length > MAX_RESULTS || bytes > MAX_BYTES

  const resultFor = (toolName: string, { args, got }: ShownCall): Kept | undefined => {
    const wanted = args === undefined ? undefined : argsOf(args)
    const of = results.filter((kept) => kept.toolName === toolName && (wanted ?? kept.args) === kept.args)
    if (got !== undefined && of.some((kept) => digestOf(kept)?.whole === got.whole)) return undefined
    const parts = (["content", "start", "data"] as const).filter((part) => Boolean(got?.[part]))
    if (got === undefined || parts.length === 0) return wanted === undefined ? undefined : of.at(-1)
    const fitting = parts
      .map((part) => of.filter((kept) => digestOf(kept)?.[part] === got[part]))
      .find(({ length }) => length > 0)
    // Of the same arguments the newest. Where the page knows none, the only one that it can be.
    if (fitting === undefined) return undefined
    const isSure = wanted !== undefined || new Set(fitting.map((kept) => digestOf(kept)?.whole)).size === 1
    return isSure ? fitting.at(-1) : undefined
  }

  const keep = (toolName: string, args: string, values: string): boolean => {
    const room = MAX_VIEW_BYTES - Buffer.byteLength(values)
    if (room < 0) return false
    const of = views.get(toolName) ?? new Map<string, string>()
    views.delete(toolName)
    views.set(toolName, of)
    of.delete(args)
    let used = [...of.values()].reduce((sum, other) => sum + Buffer.byteLength(other), 0)
    for (const [key, other] of of) {
      if (used <= room) break
      used -= Buffer.byteLength(other)
      of.delete(key)
    }
    of.set(args, values)
    const oldest = views.keys().next().value
    if (views.size > MAX_TOOLS && oldest !== undefined) views.delete(oldest)
    return true
  }

  return {
    observe: (toolName, args, answer) => {
      const isKept =
        answer !== undefined && answer.length <= MAX_RESULT_BYTES && rawAt(answer, ["result"]) !== undefined
      results.push({ toolName, args: argsOf(args), answer: isKept ? answer : undefined })
      bytes += isKept ? answer.length : 0
      while (isOver()) drop(0)
    },
    ofPage: (toolName, token) =>
      pageAt(toolName, token)?.isOfSession !== true
        ? undefined
        : {
            result: (shown) => {
              const found = resultFor(toolName, shown)
              return found?.answer && rawAt(found.answer, ["result"])
            },
            keep: (args, values) => keep(toolName, argsOf(args), JSON.stringify(values)),
            kept: (args) => {
              const text = views.get(toolName)?.get(argsOf(args))
              return text === undefined ? undefined : JSON.parse(text)
            }
          },
    forget: (toolName) => {
      views.delete(toolName)
      for (let index = results.length - 1; index >= 0; index -= 1)
        if (results[index]?.toolName === toolName) drop(index)
    }
  }
}
