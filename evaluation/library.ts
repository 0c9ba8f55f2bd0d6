/**
 * Draws the finished UIs of the library with recorded answers, wide and narrow, light and dark, with their form and an error, a sheet
 * for each server:
 * `npm run library -- [--only SERVER[/TOOL]] [--out FOLDER]`. `--pictures` draws the contact sheets of docs/library.md, beside the
 * built-in UI. `--fingerprints` writes into each entry.json what its UIs were made for.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { finishedServers, finishedUisOf } from "../test/fixtures/finishedUis.ts"
import { fingerprintOf } from "../src/layers/library/finishedUis.ts"
import { startStages } from "./eval/Stage.ts"
import { drawContactSheets, drawSheet, drawUi, type DrawnUi, isOnContactSheet } from "./library/drawUi.ts"

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true, default: [] as Array<string> },
    out: { type: "string", default: "evaluation/results/library" },
    pictures: { type: "boolean", default: false },
    fingerprints: { type: "boolean", default: false }
  }
})

const uis = finishedServers
  .flatMap(finishedUisOf)
  .filter((ui) =>
    values.pictures
      ? isOnContactSheet(ui)
      : values.only.length === 0 || values.only.some((name) => `${ui.server}/${ui.tool.name}/`.startsWith(`${name}/`))
  )
if (uis.length === 0) throw new Error(`--only ${values.only.join(" ")}: the library has ${finishedServers.join(", ")}`)

if (values.fingerprints) {
  for (const server of new Set(uis.map((ui) => ui.server))) {
    const path = `library/${server}/entry.json`
    const { tools: _, ...about } = JSON.parse(readFileSync(path, "utf8"))
    const made = finishedUisOf(server).map(({ tool }) => [tool.name, fingerprintOf(tool)])
    writeFileSync(path, `${JSON.stringify({ ...about, tools: Object.fromEntries(made) }, null, 2)}\n`)
  }
}

mkdirSync(values.out, { recursive: true })
const stages = await startStages()
try {
  const stage = await stages.open()
  const sheets = await stages.newPage({ width: 1632, height: 800 })
  const drawn: Array<DrawnUi> = []
  for (const ui of uis) {
    const one = await drawUi(stage, ui, values.out, values.pictures)
    drawn.push(one)
    const faults = [...one.refused, ...one.errors, ...one.missing.map((missing) => `not on screen: ${missing}`)]
    console.log(`${one.name} (${ui.source.length} characters)${faults.map((fault) => `\n  ${fault}`).join("")}`)
  }
  for (const server of new Set(uis.map((ui) => ui.server))) {
    const ofServer = drawn.filter(({ name }) => name.startsWith(`${server}/`))
    await drawSheet(sheets, join(values.out, `${server}.png`), ofServer)
  }
  if (values.pictures) await drawContactSheets(sheets, drawn, join(import.meta.dirname, "../docs/pictures"))
} finally {
  await stages.close()
}
