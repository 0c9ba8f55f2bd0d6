import { type SideReport, SIDES } from "./drawSide.ts"

const median = (numbers: ReadonlyArray<number>): number =>
  numbers.toSorted((left, right) => left - right)[numbers.length >> 1] ?? 0

/** A line a side: how many answers were served, and what was wrong on screen. */
export const summaryOf = (reports: ReadonlyArray<SideReport>): string =>
  SIDES.flatMap((side) => {
    const of = reports.filter((report) => report.side === side)
    if (of.length === 0) return []
    const count = (isSo: (report: SideReport) => boolean): number => of.filter(isSo).length
    const words = [
      `${count(({ refused }) => refused === undefined)} of ${of.length} served`,
      `${count(({ errors }) => errors.length > 0)} with errors`,
      `${count(({ violations }) => violations.length > 0)} against the policy`,
      `${count(({ missing }) => missing.length > 0)} miss something`,
      ...(side === "builtin" ? [] : [`${median(of.map(({ tokens }) => tokens))} tokens in the median`]),
      ...(side === "ours" ? [`${count(({ verdict }) => verdict === "minimal")} minimal`] : [])
    ]
    return [`${side}: ${words.join(", ")}`]
  }).join("\n")
