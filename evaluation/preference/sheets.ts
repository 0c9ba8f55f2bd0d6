import { readFileSync } from "node:fs"
import { chanceOf, seedOf } from "../eval/Chance.ts"
import type { Page } from "../eval/Stage.ts"
import type { ChosenTool } from "./chosenTools.ts"

/** Two sides to be held against each other. */
export type Pair = readonly [one: string, other: string]

/** Which side stands where. */
export interface Sheet {
  /** Of its file; tells nothing of what is on it. */
  readonly name: string
  readonly A: string
  readonly B: string
}

/** By chance, but the same again when a round is drawn again. */
export const sheetOf = (round: string, id: string, [one, other]: Pair): Sheet => {
  const seed = seedOf(round, id, one, other)
  const [A, B] = chanceOf(seed).is(0.5) ? [one, other] : [other, one]
  return { name: `${seed.toString(36)}.png`, A, B }
}

export const SHEET_WIDTH = 1632

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

const column = (title: string, pictures: ReadonlyArray<string>): string =>
  `<div><h2>${title}</h2>${pictures.map((path) => `<img src="data:image/png;base64,${readFileSync(path, "base64")}">`).join("")}</div>`

const sheetHtml = (
  { arguments: given, tool }: ChosenTool,
  left: ReadonlyArray<string>,
  right: ReadonlyArray<string>
): string => `<!doctype html><meta charset="utf-8"><style>
body{margin:16px;background:#8d8d93;font:15px system-ui;overflow-wrap:anywhere}h2{margin:6px 0}p{white-space:pre-wrap}
main{display:grid;grid-template-columns:1fr 1fr;gap:24px;align-items:start}
img{display:block;max-width:100%;margin:0 0 16px;border-radius:4px}
</style><p>${escaped(`${tool.name}: ${(tool.description ?? "").slice(0, 240)}\nCalled with ${JSON.stringify(given).slice(0, 300)}`)}</p>
<main>${column("A", left)}${column("B", right)}</main>`

/** Draws a sheet: what was asked above, A and B beside each other, each wide and narrow. */
export const drawSheet = async (
  page: Page,
  path: string,
  chosen: ChosenTool,
  left: ReadonlyArray<string>,
  right: ReadonlyArray<string>
): Promise<void> => {
  await page.setContent(sheetHtml(chosen, left, right), { waitUntil: "load" })
  await page.screenshot({ path, fullPage: true })
}
