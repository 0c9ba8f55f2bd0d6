import type { GeneratedUi } from "../../services/generation/Generations.ts"
import type { FallbackReason } from "../../domain/tools/UiEntry.ts"

interface Sizes {
  readonly system: number
  /** What is said about the tool: the rest of the request. */
  readonly tool: number
}

/** What a model made of a tool. */
export interface CorpusAnswer {
  /** `null`: no usable page; `failure` says why. */
  readonly verdict: GeneratedUi["uiType"] | null
  readonly level: number
  readonly repairs: ReadonlyArray<string>
  readonly warnings: ReadonlyArray<string>
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  readonly seconds: number
  readonly failure: FallbackReason | null
}

/** One line of `mcp-gen-ui generate --corpus`. Tokens of the prompt are estimated. */
export interface CorpusRecord extends Partial<CorpusAnswer> {
  readonly server: string
  readonly tool: string
  readonly characters: Sizes
  readonly tokens: Sizes
}

const figure = (value: number): string => value.toLocaleString("en-US", { maximumFractionDigits: 1 })

/** A quantile by the nearest rank. */
const quantile = (sorted: ReadonlyArray<number>, share: number): number =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0

const counted = (values: ReadonlyArray<string>): string => {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([value, count]) => `${value} ${count}`)
    .join(", ")
}

/** Median, 95th percentile and maximum of every figure, and how the answers came out, as text for a terminal. */
export const corpusSummary = (records: ReadonlyArray<CorpusRecord>): string => {
  const figures: ReadonlyArray<readonly [string, ReadonlyArray<number | null | undefined>]> = [
    ["system, tokens (estimated)", records.map(({ tokens }) => tokens.system)],
    ["tool part, tokens (estimated)", records.map(({ tokens }) => tokens.tool)],
    ["tool part, characters", records.map(({ characters }) => characters.tool)],
    ["output tokens", records.map(({ outputTokens }) => outputTokens)],
    ["seconds", records.map(({ seconds }) => seconds)]
  ]
  const rows = figures.flatMap(([label, values]) => {
    const known = values.filter((value) => typeof value === "number").toSorted((a, b) => a - b)
    if (known.length === 0) return []
    return [[label, ...[quantile(known, 0.5), quantile(known, 0.95), quantile(known, 1)].map(figure)]]
  })
  const lines = [["", "median", "p95", "max"], ...rows].map(([label = "", ...cells]) =>
    [label.padEnd(30), ...cells.map((cell) => cell.padStart(9))].join("").trimEnd()
  )
  const answered = records.filter((record) => record.level !== undefined)
  const outcomes =
    answered.length === 0
      ? []
      : [
          `verdicts: ${counted(answered.map(({ failure, verdict }) => failure?.code ?? verdict ?? "none"))}`,
          `levels: ${counted(answered.map(({ level }) => String(level)))}`
        ]
  return [`${records.length} ${records.length === 1 ? "tool" : "tools"}`, ...lines, ...outcomes].join("\n")
}
