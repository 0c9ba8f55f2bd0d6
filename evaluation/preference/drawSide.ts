import { existsSync, mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { encode } from "gpt-tokenizer/encoding/o200k_base"
import { dataShown } from "../eval/dataShown.ts"
import type { Stage, Theme } from "../eval/Stage.ts"
import type { ChosenTool } from "./chosenTools.ts"
import { rivalDocument } from "./rivalDocument.ts"
import { serveOnce } from "./serveOnce.ts"

/** A view of a tool's result that is drawn here; pictures of another round are named `round/side`. */
export const SIDES = ["ours", "builtin", "rival"] as const
export type Side = (typeof SIDES)[number]

/** Both are on every sheet: a wide frame in the light, a narrow one in the dark. */
const LOOKS: ReadonlyArray<{ readonly theme: Theme; readonly width: number }> = [
  { theme: "light", width: 760 },
  { theme: "dark", width: 360 }
]
const MOST_HEIGHT = 1600

/** What is known of a view besides how it looks. */
export interface SideReport {
  readonly id: string
  readonly side: Side
  /** Of the answer, by the o200k encoding; other models count a little differently. */
  readonly tokens: number
  readonly verdict: "rich" | "minimal" | undefined
  /** Why the answer was not served. */
  readonly refused: string | undefined
  readonly errors: ReadonlyArray<string>
  /** What the policy of the page forbade. */
  readonly violations: ReadonlyArray<string>
  /** Share of the result's texts and numbers that can be read once everything but the raw JSON is open. */
  readonly shown: number
  /** Some of those that cannot; not each is a fault. */
  readonly missing: ReadonlyArray<string>
}

export interface SideSource {
  readonly html: string
  readonly answer: string
  readonly refused?: string | undefined
}

/** The pictures of a side, wide and narrow. `side` may be `round/side`. */
export const picturesOf = (folder: string, round: string, id: string, side: string): ReadonlyArray<string> => {
  const [name, of = round] = side.split("/").toReversed()
  return LOOKS.map(({ theme, width }) => join(folder, of, id, `${name}-${width}-${theme}.png`))
}

/** The document of a side; nothing where there is no answer to show. */
export const sourceOf = async (
  chosen: ChosenTool,
  side: Side,
  folder: string,
  answers: string
): Promise<SideSource | undefined> => {
  if (side === "builtin") return { answer: "", ...(await serveOnce(chosen)) }
  const path = join(folder, chosen.id, side === "ours" ? answers : "rival.html")
  if (!existsSync(path)) return undefined
  const answer = readFileSync(path, "utf8")
  return side === "ours"
    ? { answer, ...(await serveOnce(chosen, answer)) }
    : { answer, html: rivalDocument(answer, chosen) }
}

/** Draws a view in every look, as a host would show it, and reads what can be read of the result. */
export const drawSide = async (
  stage: Stage,
  chosen: ChosenTool,
  side: Side,
  { answer, html, refused }: SideSource,
  pictures: ReadonlyArray<string>
): Promise<SideReport> => {
  const errors = new Set<string>()
  const violations = new Set<string>()
  for (const [index, look] of LOOKS.entries()) {
    const picture = pictures[index] ?? ""
    mkdirSync(join(picture, ".."), { recursive: true })
    await stage.show({ html, toolName: chosen.tool.name, ...look })
    await stage.sendInput(JSON.stringify(chosen.arguments))
    await stage.sendResult(JSON.stringify(chosen.result))
    if (!(await stage.settled())) errors.add("still busy after 10 s")
    await stage.shot(picture, MOST_HEIGHT)
    const found = await stage.faults()
    for (const error of found.errors) errors.add(error)
    for (const violation of found.violations) violations.add(violation)
  }
  const { inViewShare, unseen } = dataShown(chosen.result, await stage.readEverything())
  return {
    id: chosen.id,
    side,
    tokens: encode(answer).length,
    verdict: side === "ours" ? (/^\s*<!--\s*minimal/.test(answer) ? "minimal" : "rich") : undefined,
    refused,
    errors: [...errors],
    violations: [...violations],
    shown: inViewShare,
    missing: [...new Set(unseen)].slice(0, 12)
  }
}
