import { h } from "./dom.ts"
import { listOf, optionsOf, textOf } from "./values.ts"

export type Tone = "neutral" | "info" | "success" | "warning" | "danger"

const wordsOfTone: ReadonlyArray<readonly [Tone, RegExp]> = [
  ["neutral", /^neutral$/i],
  [
    "danger",
    /^(danger|errors?|fail(ed|ure)?|critical|fatal|high|urgent|block(ed|er)|rejected|denied|invalid|down|offline|expired|severe|serious|deleted|cancell?ed|overdue|unhealthy)$/i
  ],
  [
    "warning",
    /^(warn(ing)?|pending|medium|moderate|waiting|paused|draft|degraded|deprecated|queued|delayed|partial|unknown|on hold|(in )?review)$/i
  ],
  [
    "success",
    /^(ok|succe(ss(ful)?|eded)|done|completed?|pass(ed)?|active|enabled|healthy|online|available|approved|paid|resolved|closed|merged|valid|ready|delivered|published|up|live|verified|yes)$/i
  ],
  ["info", /^(info(rmation)?|new|open|running|in[ _-]progress|processing|started|scheduled|minor|notice)$/i]
]

/** The tone of a word: its own name, or what "failed" and "active" say; `undefined` for all else. */
export const readTone = (word: unknown): Tone | undefined =>
  typeof word === "string" ? wordsOfTone.find(([, pattern]) => pattern.test(word.trim()))?.[0] : undefined

export const badge = (content?: unknown, tone?: unknown): HTMLElement => {
  if (Array.isArray(content))
    return h(
      "span",
      { class: "mg-badges" },
      content.map((item) => badge(item, tone))
    )
  const given = optionsOf<{ readonly text: unknown; readonly label: unknown; readonly tone: unknown }>(content)
  const shown = given.text ?? given.label ?? content
  const label = shown instanceof Node ? shown : textOf(shown)
  const told = given.tone ?? optionsOf<{ readonly tone: unknown }>(tone).tone ?? tone
  return h("span", { class: `mg-badge mg-${readTone(told) ?? readTone(label) ?? "neutral"}` }, label)
}

/** Badges beside a title: of one value or of several; nodes stay as they are. */
export const badgesOf = (value: unknown): HTMLElement | undefined => {
  const items = listOf(value).filter((item) => typeof item !== "boolean")
  if (items.length === 0) return undefined
  return h(
    "span",
    { class: "mg-badges" },
    items.map((item) => (item instanceof Node ? item : badge(item)))
  )
}
