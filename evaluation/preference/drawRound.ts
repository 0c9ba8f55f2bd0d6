import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Page, type Stage, startStages } from "../eval/Stage.ts"
import type { ChosenTool } from "./chosenTools.ts"
import { drawSide, picturesOf, type Side, type SideReport, SIDES, sourceOf } from "./drawSide.ts"
import { drawSheet, type Pair, SHEET_WIDTH, sheetOf } from "./sheets.ts"

export interface Round {
  /** Where each tool has a folder with its prompts and answers. */
  readonly folder: string
  /** The name of its folder in that one. */
  readonly name: string
  /** The file of a tool's folder that is ours. */
  readonly answers: string
  /** What stands beside what. A side alone is drawn without a sheet. */
  readonly pairs: ReadonlyArray<readonly [side: string] | Pair>
}

export type Key = Readonly<Record<string, { readonly id: string; readonly A: string; readonly B: string }>>

const WORKERS = 2

const readJson = <A>(path: string, otherwise: A): A =>
  existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as A) : otherwise

const isSide = (name: string): name is Side => SIDES.some((side) => side === name)

/**
 * Draws the sides of each tool, every picture once, and pairs of them on `sheets/*.png`, with A and B by chance. Which is which stands
 * in `key.json`, which judges must not see; what else was found of the sides in `report.json`. Both keep what they have
 * of other tools. Tells of each side as it is drawn.
 */
export const drawRound = async (
  tools: ReadonlyArray<ChosenTool>,
  round: Round,
  onReport: (report: SideReport) => void
): Promise<ReadonlyArray<SideReport>> => {
  const { answers, folder, name, pairs } = round
  const out = join(folder, name)
  mkdirSync(join(out, "sheets"), { recursive: true })
  const [keyFile, reportFile] = [join(out, "key.json"), join(out, "report.json")]
  const key: Record<string, Key[string]> = { ...readJson<Key>(keyFile, {}) }
  const sides = [...new Set(pairs.flat().filter(isSide))]
  const reports: Array<SideReport> = []

  const drawTool = async (stage: Stage, sheets: Page, chosen: ChosenTool): Promise<void> => {
    const sources = await Promise.all(sides.map((side) => sourceOf(chosen, side, folder, answers)))
    for (const [index, side] of sides.entries()) {
      const source = sources[index]
      if (source === undefined) continue
      const report = await drawSide(stage, chosen, side, source, picturesOf(folder, name, chosen.id, side))
      reports.push(report)
      onReport(report)
    }
    const pictures = (side: string) => picturesOf(folder, name, chosen.id, side)
    for (const [one, other] of pairs) {
      if (other === undefined || ![...pictures(one), ...pictures(other)].every((path) => existsSync(path))) continue
      const sheet = sheetOf(name, chosen.id, [one, other])
      await drawSheet(sheets, join(out, "sheets", sheet.name), chosen, pictures(sheet.A), pictures(sheet.B))
      key[sheet.name] = { id: chosen.id, A: sheet.A, B: sheet.B }
    }
  }

  const stages = await startStages()
  const left = tools.values()
  const work = async (): Promise<void> => {
    const stage = await stages.open()
    const sheets = await stages.newPage({ width: SHEET_WIDTH, height: 800 })
    for (const chosen of left) await drawTool(stage, sheets, chosen)
  }
  try {
    await Promise.all(Array.from({ length: WORKERS }, work))
  } finally {
    await stages.close()
  }
  const isNew = ({ id, side }: SideReport): boolean => reports.some((other) => other.id === id && other.side === side)
  const kept = readJson<ReadonlyArray<SideReport>>(reportFile, []).filter((report) => !isNew(report))
  const all = [...kept, ...reports].toSorted((a, b) => `${a.id} ${a.side}`.localeCompare(`${b.id} ${b.side}`))
  writeFileSync(keyFile, JSON.stringify(key, undefined, 1))
  writeFileSync(reportFile, JSON.stringify(all, undefined, 1))
  return all
}
