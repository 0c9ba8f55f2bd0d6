import type { LogOptions } from "../../../types/parts.d.ts"
import { isEmpty, type JsonRecord } from "../../domain/results/ResultColumn.ts"
import { withoutEscapes } from "../../domain/results/ResultText.ts"
import { readTone, type Tone } from "./badge.ts"
import { chips } from "./button.ts"
import { h } from "./dom.ts"
import { fmt } from "./format.ts"
import { gradually } from "./gradually.ts"
import { empty } from "./layout.ts"
import { optionsOf, rowsOf, textOf } from "./values.ts"

interface LogLine {
  readonly time: string
  readonly level: string
  readonly text: string
}

const timePattern =
  /^\[?(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?|\d\d:\d\d:\d\d(?:[.,]\d+)?)\]?\s*/
const levelPattern = /^\W?(TRACE|DEBUG|INFO|NOTICE|LOG|WARN(?:ING)?|ERROR|FATAL|CRITICAL)\b\W?\s*/i

const readLine = (line: string): LogLine => {
  const time = timePattern.exec(line)
  const rest = time === null ? line : line.slice(time[0].length)
  const level = levelPattern.exec(rest)
  return {
    time: time?.[1] ?? "",
    level: (level?.[1] ?? "").toLowerCase().replace("warning", "warn"),
    text: level === null ? rest : rest.slice(level[0].length)
  }
}

const readRecord = (record: JsonRecord): LogLine => ({
  time: textOf(record.time ?? record.timestamp ?? record.ts ?? record.date),
  level: textOf(record.level ?? record.severity ?? record.type).toLowerCase(),
  text: textOf(record.message ?? record.msg ?? record.text ?? record.line)
})

const toneOfLevel = (level: string): Tone =>
  readTone(level) ?? (/^(debug|trace|log)$/.test(level) ? "neutral" : level === "" ? "neutral" : "info")

/** The clock alone, where all lines are of one day. */
const clockOf = (time: string): string => /\d\d:\d\d(?::\d\d)?/.exec(time)?.[0] ?? time

export const log = (source?: unknown, options?: Partial<LogOptions>): HTMLElement => {
  const given = optionsOf<LogOptions>(options)
  const lines =
    typeof source === "string"
      ? withoutEscapes(source)
          .split("\n")
          .filter((line) => line.trim() !== "")
          .map(readLine)
      : rowsOf(source, ["message"]).map(readRecord)
  if (lines.length === 0) return empty(given.empty ?? "No lines.")
  const days = new Set(lines.flatMap(({ time }) => (time === "" ? [] : time.slice(0, 10))))
  const counts = new Map<string, number>()
  for (const { level } of lines) if (level !== "") counts.set(level, (counts.get(level) ?? 0) + 1)
  const body = h("div", { class: "mg-log", role: "group", tabindex: 0, "aria-label": "Log" })
  const draw = (level?: string): void => {
    const shown = level === undefined ? lines : lines.filter((line) => line.level === level)
    body.replaceChildren(
      gradually(h("div"), shown, (line) =>
        h(
          "div",
          { class: `mg-log-line mg-log-${toneOfLevel(line.level)}` },
          line.time !== "" &&
            h(
              "time",
              { title: line.time },
              days.size === 1 ? clockOf(line.time) : line.time.replace("T", " ").replace(/Z$/, "")
            ),
          line.level !== "" && h("b", {}, line.level),
          h("span", {}, line.text)
        )
      )
    )
  }
  draw()
  const choices = [...counts].map(([value, count]) => ({ value, label: `${value} ${fmt.number(count)}` }))
  return h(
    "div",
    { class: "mg-stack" },
    choices.length > 1 && !isEmpty(choices) && chips(choices, (level?: string) => draw(level), { label: "Level" }),
    body
  )
}
