import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { encode } from "gpt-tokenizer/encoding/o200k_base"
import { makeDocumentOf } from "../eval/documentOf.ts"
import { seedOf } from "../eval/Chance.ts"
import { startStages, type Stage, type Theme } from "../eval/Stage.ts"
import type { ChosenTool } from "./chosenTools.ts"
import { rivalDocument } from "./rivalPrompt.ts"
import { serveOnce } from "./serveOnce.ts"

/** What is known of an answer besides how it looks. */
export interface AnswerReport {
  readonly id: string
  readonly verdict: "rich" | "minimal"
  /** By the o200k encoding; other models count a little differently. */
  readonly tokens: number
  /** Why the first answer was not served. */
  readonly refused: string | undefined
  /** Uncaught errors, and what the policy of the page forbade. */
  readonly faults: ReadonlyArray<string>
  /** Values of the result that are nowhere in the text of the view; not each of them is a fault. */
  readonly missing: ReadonlyArray<string>
}

const LOOKS: ReadonlyArray<{ readonly theme: Theme; readonly width: number }> = [
  { theme: "light", width: 760 },
  { theme: "dark", width: 360 }
]
const MOST_HEIGHT = 1300

type Side = "ours" | "builtin" | "rival"

const shotOf = (folder: string, side: Side, { theme, width }: (typeof LOOKS)[number]): string =>
  join(folder, `${side}-${width}-${theme}.png`)

const leavesOf = (value: unknown): ReadonlyArray<string> =>
  typeof value === "object" && value !== null
    ? Object.values(value).flatMap(leavesOf)
    : typeof value === "string" && value.length > 2 && value.length < 60
      ? [value]
      : []

const drawInHost = async (
  stage: Stage,
  html: string,
  chosen: ChosenTool,
  folder: string,
  side: Side
): Promise<{ faults: ReadonlyArray<string>; text: string }> => {
  const faults: Array<string> = []
  let text = ""
  for (const look of LOOKS) {
    await stage.show({ html, toolName: chosen.tool.name, ...look })
    await stage.sendInput(JSON.stringify(chosen.call.arguments))
    if ("result" in chosen.call.answer) await stage.sendResult(JSON.stringify(chosen.call.answer.result))
    if (!(await stage.settled())) faults.push("still busy after 10 s")
    await stage.shot(shotOf(folder, side, look), MOST_HEIGHT)
    const found = await stage.faults()
    faults.push(...found.errors, ...found.violations)
    text = await stage.frame.evaluate<string>("document.body.textContent")
  }
  return { faults, text }
}

const drawRival = async (stage: Stage, html: string, folder: string): Promise<void> => {
  for (const look of LOOKS) {
    const { page } = stage
    const context = await page
      .context()
      .browser()
      ?.newContext({
        viewport: { width: look.width, height: 500 },
        colorScheme: look.theme,
        reducedMotion: "reduce",
        locale: "en-GB",
        timezoneId: "UTC"
      })
    if (context === undefined) throw new Error("the browser is gone")
    const rival = await context.newPage()
    await rival.setContent(html, { waitUntil: "load" })
    // Pages of a stranger do not tell when they are drawn.
    await rival.waitForFunction("document.body.innerText.trim() !== ''").catch(() => undefined)
    const height = await rival.evaluate<number>("document.documentElement.scrollHeight")
    await rival.setViewportSize({ width: look.width, height: Math.min(MOST_HEIGHT, Math.max(120, height)) })
    await rival.screenshot({ path: shotOf(folder, "rival", look) })
    await context.close()
  }
}

const sheetOf = (asked: string, left: string, right: string): string => {
  const image = (file: string): string => `<img src="data:image/png;base64,${readFileSync(file).toString("base64")}">`
  const column = (folder: string, side: string): string =>
    `<div><h2>${side}</h2>${LOOKS.map((look) => image(shotOf(folder.split("|")[0] ?? "", folder.split("|")[1] as Side, look))).join("")}</div>`
  return `<!doctype html><meta charset="utf-8"><style>body{margin:16px;background:#8d8d93;font:15px system-ui;width:1600px}h2{margin:6px 0}div.two{display:grid;grid-template-columns:1fr 1fr;gap:24px;align-items:start}img{display:block;max-width:100%;margin:0 0 16px;border-radius:4px}p{white-space:pre-wrap}</style><p>${asked}</p><div class="two">${column(left, "A")}${column(right, "B")}</div>`
}

/**
 * Draws our answer, the built-in UI and the rival of each tool, and pairs of them on sheets `pairs/<id>-<rival|builtin>.png` with A and B
 * in a random order that `key.json` knows; the judges must not see that file.
 */
export const drawAll = async (
  tools: ReadonlyArray<ChosenTool>,
  folder: string,
  answers: string,
  round: string
): Promise<ReadonlyArray<AnswerReport>> => {
  const out = join(folder, round)
  mkdirSync(join(out, "pairs"), { recursive: true })
  const documentOf = await makeDocumentOf()
  const stages = await startStages()
  const reports: Array<AnswerReport> = []
  const key: Record<string, { readonly A: Side; readonly B: Side }> = {}
  try {
    const stage = await stages.open()
    for (const chosen of tools) {
      const here = join(out, chosen.id)
      mkdirSync(here, { recursive: true })
      await drawInHost(stage, (await documentOf(chosen.tool)).html, chosen, here, "builtin")
      const given = join(folder, chosen.id, answers)
      const pairs: Array<readonly [Side, Side]> = []
      if (existsSync(given)) {
        const answer = readFileSync(given, "utf8")
        const served = await serveOnce(chosen, answer)
        const { faults, text } = await drawInHost(stage, served.html, chosen, here, "ours")
        const verdict = /^\s*<!--\s*minimal/.test(answer) ? "minimal" : "rich"
        const leaves = [
          ...new Set(
            leavesOf("result" in chosen.call.answer ? (chosen.call.answer.result.structuredContent ?? []) : [])
          )
        ]
        const report: AnswerReport = {
          id: chosen.id,
          verdict,
          tokens: encode(answer).length,
          refused: served.fallback,
          faults,
          missing: leaves.filter((leaf) => !text.includes(leaf)).slice(0, 12)
        }
        reports.push(report)
        console.log(JSON.stringify(report))
        pairs.push(["ours", "builtin"])
      }
      const page = join(folder, chosen.id, "rival.html")
      if (existsSync(page)) {
        await drawRival(stage, rivalDocument(readFileSync(page, "utf8"), chosen), here)
        if (existsSync(given)) pairs.push(["ours", "rival"])
        pairs.push(["builtin", "rival"])
      }
      for (const [one, other] of pairs) {
        const name = `${chosen.id}-${one}-${other}`
        const isSwapped = seedOf(round, name) % 2 === 1
        const [A, B] = isSwapped ? [other, one] : [one, other]
        // The name of the sheet tells nothing.
        const sheet = `${seedOf(name, round).toString(36)}.png`
        key[sheet] = { A, B }
        const about =
          `${chosen.tool.name}: ${(chosen.tool.description ?? "").slice(0, 240)}\nCalled with ${JSON.stringify(chosen.call.arguments).slice(0, 300)}`.replaceAll(
            "<",
            "&lt;"
          )
        await stage.page.context().browser()
        const context = await stage.page
          .context()
          .browser()
          ?.newContext({ viewport: { width: 1632, height: 800 } })
        const drawn = await context?.newPage()
        await drawn?.setContent(sheetOf(about, `${here}|${A}`, `${here}|${B}`), { waitUntil: "load" })
        await drawn?.screenshot({ path: join(out, "pairs", sheet), fullPage: true })
        await context?.close()
        writeFileSync(join(out, "key.json"), JSON.stringify(key, undefined, 1))
        writeFileSync(join(out, "report.json"), JSON.stringify(reports, undefined, 1))
      }
    }
  } finally {
    await stages.close()
  }
  return reports
}
