import { isObject } from "../../domain/isObject.ts"
import { resultContent } from "../../domain/results/ResultContent.ts"
import { attempt, clip, jsonOf, messageOf } from "../parts/values.ts"
import type { JsonObject } from "./types.ts"

/** As `PageFault` has them. */
export type FaultKind = "threw" | "threw later" | "not started" | "empty" | "lost data"

/** What went wrong with a generated page, before the wrapper hears of it. */
export interface Fault {
  readonly kind: FaultKind
  readonly error: unknown
  readonly result: unknown
}

const MAX_MESSAGE = 300
const MAX_SHAPE = 1_000
const MAX_PLACES = 10
const MAX_DEPTH = 5
const MAX_MEMBERS = 40
const MAX_ITEMS = 30
const MAX_KINDS = 3
const MAX_LOOKED = 1_000

/** Names and types, no values: all that the wrapper hears of the data. Empty texts and lists are often the reason. */
const shapeOf = (value: unknown, depth = 0): string => {
  if (Array.isArray(value)) {
    const items = new Set(value.slice(0, MAX_ITEMS).map((item) => shapeOf(item, depth + 1)))
    return `[${[...items].slice(0, MAX_KINDS).join("|")}]`
  }
  if (!isObject(value)) return value === null || value === "" ? jsonOf(value) : typeof value
  if (depth > MAX_DEPTH) return "{}"
  const members = Object.keys(value).slice(0, MAX_MEMBERS)
  return `{${members.map((name) => `${jsonOf(name)}:${shapeOf(value[name], depth + 1)}`).join(",")}}`
}

export const faultMessage = (error: unknown): string => clip(attempt(() => messageOf(error, "")) ?? "", MAX_MESSAGE)

/** A fault as it is told. The places are those of the stack, `line:column`. */
export const toldFault = ({ error, kind, result }: Fault): JsonObject => ({
  kind,
  message: faultMessage(error),
  places:
    attempt(() =>
      String((error as Error).stack)
        .match(/(?<!\d)\d{1,9}:\d{1,9}(?=\)?$)/gm)
        ?.slice(0, MAX_PLACES)
    ) ?? [],
  shape: result === undefined ? "" : clip(shapeOf(resultContent(result).data), MAX_SHAPE)
})

/** Words of four letters: a page that shows data has some of them, however it draws. */
const WORD = /\p{L}{4,}/gu
const MIN_WORDS = 3
/** What it has to say may stand in a picture. */
const PICTURES = "canvas,img,video,audio,iframe"

/** Whether not one word of a result can be read on the page. */
export const losesData = (result: unknown): boolean => {
  const { data, isError } = resultContent(result as JsonObject)
  if (isError || document.querySelector(PICTURES) !== null) return false
  const words = new Set<string>()
  let looked = 0
  const add = (_: string, value: unknown): unknown => {
    if (looked++ > MAX_LOOKED) return undefined
    if (typeof value === "string" && !value.includes("://"))
      for (const word of value.toLowerCase().match(WORD) ?? []) words.add(word)
    return value
  }
  JSON.stringify(data, add)
  const fields = [...document.querySelectorAll<HTMLInputElement>("input,textarea,select")]
  const page = [document.body.innerText, ...fields.map(({ value }) => value)].join(" ").toLowerCase()
  return words.size >= MIN_WORDS && ![...words].some((word) => page.includes(word))
}
