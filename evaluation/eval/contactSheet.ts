import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { CaseReport } from "./CaseReport.ts"
import type { Browser } from "./Stage.ts"

const COLUMNS = 6
const ROWS = 3
const TILE_WIDTH = 300
const TILE_HEIGHT = 420
const GAP = 8

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")

const withShots = (cases: ReadonlyArray<CaseReport>) =>
  cases.flatMap((report) => (report.shot === undefined ? [] : [{ ...report, shot: report.shot }]))

/** Wide pictures take two columns, so that all are drawn at about the same scale. */
const figure = ({ id, problems, shot, width }: CaseReport & { readonly shot: string }): string => {
  const said = problems.map(({ check, message }) => `${check}: ${message}`).join("\n")
  const mark = problems.length === 0 ? "" : ` class="failed" title="${escaped(said.slice(0, 1500))}"`
  const span = width > 400 ? ' class="wide"' : ""
  return `<figure${span} id="${escaped(id)}"><a href="${escaped(shot)}"><img loading="lazy" src="${escaped(shot)}" alt="${escaped(id)}"></a><figcaption${mark}>${escaped(id)}</figcaption></figure>`
}

const page = (title: string, style: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>
body{margin:${GAP}px;font:12px/1.4 system-ui,sans-serif;background:#d9d9d6;color:#222}
figure{margin:0;overflow:hidden;background:#fff}
img{display:block;width:100%}
figcaption{padding:4px 6px;overflow:hidden;white-space:nowrap;text-overflow:ellipsis}
.wide{grid-column:span 2}
.failed{background:#b42318;color:#fff}
${style}</style></head><body>${body}</body></html>`

/** All pictures on one page, failures marked: for a person, who opens it as a file. */
export const contactSheetHtml = (cases: ReadonlyArray<CaseReport>): string => {
  const shown = withShots(cases)
  const failed = shown.filter(({ problems }) => problems.length > 0)
  const group = (title: string, list: typeof shown): string =>
    `<h2>${title} (${list.length})</h2><div class="grid">${list.map(figure).join("")}</div>`
  return page(
    "Contact sheet",
    `.grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(320px,1fr));gap:12px;align-items:start;grid-auto-flow:dense}`,
    [
      group("Failed", failed),
      group(
        "Tools",
        shown.filter(({ kind }) => kind === "tool")
      ),
      group(
        "Answers",
        shown.filter(({ kind }) => kind !== "tool")
      )
    ].join("")
  )
}

/** Puts as many into a group as there are columns for. */
const tilesOf = <A extends CaseReport>(shown: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> => {
  const groups: Array<Array<A>> = []
  let room = 0
  for (const report of shown) {
    const columns = report.width > 400 ? 2 : 1
    if (room < columns) {
      groups.push([])
      room = COLUMNS * ROWS - 1
    }
    groups.at(-1)?.push(report)
    room -= columns
  }
  return groups
}

/** The same in PNG files of a dozen pictures each, for those who look at one file after the other. */
export const writeTiles = async (
  browser: Browser,
  folder: string,
  cases: ReadonlyArray<CaseReport>
): Promise<number> => {
  const shown = withShots(cases)
  mkdirSync(join(folder, "tiles"), { recursive: true })
  const width = COLUMNS * (TILE_WIDTH + GAP) + GAP
  const height = ROWS * (TILE_HEIGHT + GAP) + GAP
  const context = await browser.newContext({ viewport: { width, height } })
  const sheet = await context.newPage()
  let count = 0
  for (const group of tilesOf(shown)) {
    const body = group
      .map((report) => figure({ ...report, shot: pathToFileURL(join(folder, report.shot)).href }))
      .join("")
      .replaceAll('loading="lazy" ', "")
    const style = `.grid{display:grid;grid-template-columns:repeat(${COLUMNS},${TILE_WIDTH}px);gap:${GAP}px;grid-auto-flow:dense}
figure{height:${TILE_HEIGHT}px;display:flex;flex-direction:column}a{flex:1;overflow:hidden}`
    count += 1
    const path = join(folder, "tiles", String(count).padStart(3, "0"))
    // Pictures load from files only for a page that is a file.
    writeFileSync(`${path}.html`, page("Tiles", style, `<div class="grid">${body}</div>`))
    await sheet.goto(pathToFileURL(`${path}.html`).href)
    await sheet.screenshot({ path: `${path}.png` })
    rmSync(`${path}.html`)
  }
  await context.close()
  return count
}
