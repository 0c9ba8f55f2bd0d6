/**
 * What it costs to inspect and link an answer of 30 kB, and to look at one of 500 kB while it streams: `npm run bench -- inspect`.
 * Milliseconds; medians of warm runs.
 */
import { linkSource } from "../src/domain/inspection/linking/LinkedSource.ts"
import { runtimeExports } from "../scripts/runtimeExports.ts"
import { inspectAnswer } from "../src/domain/inspection/AnswerInspection.ts"
import { AnswerStream } from "../src/domain/inspection/AnswerStream.ts"
import type { AnswerContext } from "../src/domain/inspection/scripts/ScriptInspection.ts"
import { loadSourceParsers } from "../src/domain/inspection/SourceParsers.ts"
import { readFileSync } from "node:fs"

const KB = 1000
const STEP = 2 * KB

/** What a model writes from zero: functions that make nodes and markup. */
const view = (index: number): string => `
function view${index}(record, position) {
  const box = document.createElement("section")
  box.className = "row row-" + position
  box.innerHTML = \`<b class="name">\${escapeHtml(record.name)}</b><ul>\${record.items?.map((item) => \`<li>\${escapeHtml(item)}</li>\`).join("")}</ul>\`
  if (record.count > 10 && record.status === "open") box.style.color = "var(--mg-accent)"
  for (const [key, value] of Object.entries(record)) box.dataset[key] = String(value ?? "none")
  box.addEventListener("click", async () => { box.hidden = !(await confirmed(record.id)) })
  return box
}`

const answerOf = (bytes: number): string => {
  let views = ""
  for (let index = 0; views.length < bytes - KB; index += 1) views += view(index)
  return `<!-- rich -->
<style>.row { padding: 4px; background: var(--mg-bg2) } .name { font-weight: 600 }</style>
<main id="rows"><h1>Rows</h1><p>One <b>row</b> for each record.</p></main>
<script type="module">
import { show, header, table } from "mcp-gen-ui/parts"
const escapeHtml = (text) => String(text).replace(/[<&]/g, (character) => "&#" + character.charCodeAt(0) + ";")
const confirmed = (id) => new Promise((resolve) => setTimeout(() => resolve(id !== null), 0))
${views}
show((data, ctx) => [header(ctx.args.title), data.rows?.map(view0), table(data.rows)])
</script>`
}

const medianOf = (runs: number, work: () => unknown): number => {
  for (let run = 0; run < runs; run += 1) work()
  const times = Array.from({ length: runs }, () => {
    const start = performance.now()
    work()
    return performance.now() - start
  })
  return times.toSorted((a, b) => a - b)[runs >> 1] ?? NaN
}

/** Rows for the console. */
export const benchInspection = async (): Promise<ReadonlyArray<Readonly<Record<string, string>>>> => {
  const parsers = await loadSourceParsers()
  const runtime = readFileSync(new URL("../dist/runtime.js", import.meta.url), "utf8")
  const context: AnswerContext = { toolNames: ["rows"], maxHtmlBytes: 600 * KB, ...runtimeExports(runtime) }
  const row = (what: string, ms: number, allowed: string): Readonly<Record<string, string>> => ({
    what,
    ms: ms.toFixed(2),
    allowed
  })
  const answer = answerOf(30 * KB)
  const inspection = inspectAnswer(parsers, answer, context)
  if (inspection._tag === "Rejected" || inspection.source === null) throw new Error(JSON.stringify(inspection))
  const { source } = inspection
  const inspect = medianOf(200, () => inspectAnswer(parsers, answer, context))
  const link = medianOf(200, () => linkSource(parsers, source))
  const long = answerOf(500 * KB)
  const drip = medianOf(3, () => {
    const stream = new AnswerStream(parsers, context)
    for (let end = STEP; end < long.length; end += STEP) stream.look(long.slice(0, end))
    stream.look(long)
  })
  const markup = `<!-- rich -->\n${`<section><h2>Title</h2><p style="color: red">a <b>b</b></p></section>\n`.repeat(7000)}`
  const dripMarkup = medianOf(3, () => {
    const stream = new AnswerStream(parsers, context)
    for (let end = STEP; end < markup.length; end += STEP) stream.look(markup.slice(0, end))
  })
  return [
    row(`inspect ${answer.length} characters`, inspect, ""),
    row("link them", link, ""),
    row("both", inspect + link, "10"),
    row(`follow ${long.length} characters of script, in steps of ${STEP}`, drip, "1000"),
    row(`follow ${markup.length} characters of markup, in steps of ${STEP}`, dripMarkup, "1000")
  ]
}
