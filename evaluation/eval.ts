/**
 * Puts every tool and every recorded answer of a corpus through the built-in UI, in a real browser under the policy that hosts
 * set: `npm run eval -- --corpus FOLDER [--only PATTERN] [--out FOLDER] [--every N] [--seed N] [--workers N]
 * [--no-screenshots] [--no-tiles]`. docs/evaluation.md says what is checked.
 *
 * Exit code 1: a target is missed. Exit code 2: the command line or the corpus is not right.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { casesOf } from "./eval/casesOf.ts"
import { readCorpus } from "./eval/corpus.ts"
import { summaryLines, writeReport } from "./eval/report.ts"
import { runCases } from "./eval/runCases.ts"
import { evaluation } from "./support/paths.ts"

const USAGE =
  "npm run eval -- --corpus FOLDER [--only PATTERN] [--out FOLDER] [--every N] [--seed N] [--workers N] [--no-screenshots] [--no-tiles]"

const options = {
  corpus: { type: "string" },
  only: { type: "string", multiple: true },
  out: { type: "string" },
  seed: { type: "string", default: "1" },
  workers: { type: "string", default: "2" },
  every: { type: "string", default: "1" },
  "no-screenshots": { type: "boolean", default: false },
  "no-tiles": { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false }
} as const

const wrong = (message: string): never => {
  process.stderr.write(`${message}\n${USAGE}\n`)
  process.exit(2)
}

const readCommandLine = () => {
  try {
    return parseArgs({ options }).values
  } catch (error) {
    return wrong(error instanceof Error ? error.message : String(error))
  }
}

const atLeastOne = (name: string, text: string): number => {
  const value = Number(text)
  return Number.isInteger(value) && value >= 1 ? value : wrong(`--${name} is a whole number from 1 on, not "${text}"`)
}

const main = async (): Promise<void> => {
  const values = readCommandLine()
  if (values.help) return console.log(USAGE)
  const corpus = values.corpus ?? wrong("--corpus names the folder to read")
  const workers = atLeastOne("workers", values.workers)
  const seed = atLeastOne("seed", values.seed)
  const every = atLeastOne("every", values.every)
  const out = resolve(values.out ?? join(evaluation, "results"))
  let servers: ReturnType<typeof readCorpus>
  try {
    servers = readCorpus(corpus)
  } catch (error) {
    return wrong(error instanceof Error ? error.message : String(error))
  }
  const only = values.only ?? []
  const cases = casesOf(servers, only).filter((_, index) => index % every === 0)
  if (cases.length === 0) return wrong(`--only ${only.join(" --only ")} names no tool of ${corpus}`)

  if (values.out === undefined) rmSync(out, { recursive: true, force: true })
  mkdirSync(join(out, "shots"), { recursive: true })
  // Results belong to nobody's commit, wherever they are.
  writeFileSync(join(out, ".gitignore"), "*\n")
  const start = performance.now()
  const startedAt = new Date().toISOString()
  const reports = await runCases(cases, {
    workers,
    seed,
    folder: values["no-screenshots"] ? undefined : out,
    withTiles: !values["no-tiles"],
    onReport: (report, done) => {
      for (const { check, message } of report.problems) console.log(`${report.id}: ${check}: ${message.slice(0, 400)}`)
      if (done % 50 === 0)
        process.stderr.write(`${done} of ${cases.length} after ${Math.round((performance.now() - start) / 1000)} s\n`)
    }
  })
  const minutes = (performance.now() - start) / 60_000
  const summary = writeReport(out, reports, { corpus, seed: values.seed, minutes, startedAt })
  for (const line of summaryLines(summary)) console.log(line)
  console.log(
    `${reports.length} cases in ${minutes.toFixed(1)} minutes; see ${join(out, "report.md")} and ${join(out, "sheet.html")}`
  )
  if (!summary.isGood) process.exitCode = 1
}

await main()
