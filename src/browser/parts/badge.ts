import { isRecord } from "../../domain/results/ResultColumn.ts"
import { h } from "./dom.ts"
import { listOf, textOf } from "./values.ts"

export type Tone = "neutral" | "info" | "success" | "warning" | "danger"

const words: ReadonlyArray<readonly [Tone, RegExp]> = [
  [
    "danger",
    /^(error|errors|failed|failure|fail|critical|fatal|high|urgent|blocked|blocker|rejected|denied|invalid|down|offline|expired|severe|serious|deleted|cancell?ed|overdue|unhealthy)$/
  ],
  [
    "warning",
    /^(warning|warn|pending|medium|moderate|waiting|paused|draft|degraded|deprecated|queued|delayed|partial|unknown|on hold|stale|review|in review)$/
  ],
  [
    "success",
    /^(ok|success|successful|succeeded|done|complete|completed|passed|pass|active|enabled|healthy|online|available|approved|paid|resolved|closed|merged|valid|ready|delivered|published|up|live|verified|yes)$/
  ],
  [
    "info",
    /^(info|information|new|open|running|in progress|in-progress|in_progress|processing|started|scheduled|beta|minor|notice)$/
  ]
]

const aliases: Readonly<Record<string, Tone>> = {
  error: "danger",
  red: "danger",
  critical: "danger",
  warn: "warning",
  yellow: "warning",
  orange: "warning",
  amber: "warning",
  ok: "success",
  green: "success",
  good: "success",
  bad: "danger",
  blue: "info",
  accent: "info",
  primary: "info",
  gray: "neutral",
  grey: "neutral"
}

/** A tone the author gave, by its name or a common other one; `undefined` for all else. */
export const readTone = (tone: unknown): Tone | undefined => {
  const name = typeof tone === "string" ? tone.toLowerCase() : ""
  if (name === "neutral" || name === "info" || name === "success" || name === "warning" || name === "danger")
    return name
  return Object.hasOwn(aliases, name) ? aliases[name] : undefined
}

const toneOfWord = (text: string): Tone => {
  const word = text.trim().toLowerCase()
  return words.find(([, pattern]) => pattern.test(word))?.[0] ?? "neutral"
}

/**
 * A short label: text, `{text, tone}`, or a list of them (a row of badges). Without a tone, words such as "failed" or
 * "active" choose one.
 */
export const badge = (content?: unknown, tone?: unknown): HTMLElement => {
  if (Array.isArray(content))
    return h(
      "span",
      { class: "mg-badges" },
      listOf(content).map((item) => badge(item, tone))
    )
  if (content instanceof Node) return h("span", { class: `mg-badge mg-${readTone(tone) ?? "neutral"}` }, content)
  const given = isRecord(content) ? content : {}
  const text = textOf(given.text ?? given.label ?? content)
  const chosen = isRecord(tone) ? tone.tone : tone
  return h("span", { class: `mg-badge mg-${readTone(given.tone ?? chosen) ?? toneOfWord(text)}` }, text)
}
