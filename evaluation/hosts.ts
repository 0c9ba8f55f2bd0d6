/**
 * Puts recorded tools into emulated hosts, each with the habits that real hosts were seen with: `npm run hosts -- --corpus FOLDER
 * [--tools N] [--generated N] [--host NAME] [--only NAME] [--workers N] [--json FILE]`. docs/conformance.md says what is checked.
 *
 * Exit code 1: a cell fails. Exit code 2: the command line or the corpus is not right.
 */
import { writeFileSync } from "node:fs"
import { parseArgs } from "node:util"
import { startWindows } from "./hosts/HostWindow.ts"
import { PROFILES } from "./hosts/profiles.ts"
import { type Cell, CHECKS, runHost } from "./hosts/runHost.ts"
import { spreadTools } from "./hosts/spreadTools.ts"
import { chosenTools } from "./preference/chosenTools.ts"

const USAGE =
  "npm run hosts -- --corpus FOLDER [--tools N] [--generated N] [--host NAME] [--only NAME] [--workers N] [--json FILE]"

const options = {
  corpus: { type: "string" },
  tools: { type: "string", default: "30" },
  generated: { type: "string", default: "4" },
  host: { type: "string", multiple: true },
  only: { type: "string", multiple: true },
  workers: { type: "string", default: "2" },
  json: { type: "string" }
} as const

const wrong = (message: string): never => {
  process.stderr.write(`${message}\n${USAGE}\n`)
  process.exit(2)
}

const read = <A>(work: () => A): A => {
  try {
    return work()
  } catch (error) {
    return wrong(error instanceof Error ? error.message : String(error))
  }
}

const count = (name: string, text: string): number =>
  /^\d+$/.test(text) ? Number(text) : wrong(`--${name} is a whole number, not "${text}"`)

/** The row of a host: how many cells pass each check, of how many. */
const rowOf = (host: string, cells: ReadonlyArray<Cell>): string => {
  const ofHost = cells.filter((cell) => cell.host === host)
  const passes = CHECKS.map(
    (check) => `${ofHost.filter(({ faults }) => faults[check].length === 0).length}/${ofHost.length}`
  )
  const pressed = ofHost.reduce((sum, cell) => sum + cell.pressed, 0)
  return `| ${[host.padEnd(26), ...passes.map((pass) => pass.padEnd(8)), String(pressed).padEnd(7)].join(" | ")} |`
}

const main = async (): Promise<void> => {
  const {
    corpus = wrong("--corpus names the folder to read"),
    host: hosts = [],
    only = [],
    ...values
  } = read(() => parseArgs({ options }).values)
  const unknown = hosts.find((name) => PROFILES.every((profile) => profile.name !== name))
  if (unknown !== undefined)
    wrong(`--host "${unknown}" is none of ${PROFILES.map(({ name }) => `"${name}"`).join(", ")}`)
  const profiles = PROFILES.filter(({ name }) => hosts.length === 0 || hosts.includes(name))
  const all = read(() => chosenTools(corpus, { every: 1, from: 0 }))
  const tools = spreadTools(all, count("tools", values.tools)).filter(
    ({ tool }) => only.length === 0 || only.includes(tool.name)
  )
  const written = tools.slice(0, count("generated", values.generated))
  const cells: Array<Cell> = []
  const windows = await startWindows()
  const queue = profiles.values()
  const onCell = (cell: Cell): void => {
    cells.push(cell)
    for (const check of CHECKS)
      for (const fault of cell.faults[check])
        console.log(
          `${cell.host}: ${cell.tool} (${cell.page}): ${check}: ${fault.replaceAll(/\s+/g, " ").slice(0, 300)}`
        )
  }
  const work = async (): Promise<void> => {
    for (const profile of queue) {
      await runHost(windows, { profile, tools, checks: CHECKS, page: "built-in", onCell })
      await runHost(windows, { profile, tools: written, checks: CHECKS, page: "generated", onCell })
      process.stderr.write(`${profile.name}: done\n`)
    }
  }
  try {
    await Promise.all(Array.from({ length: count("workers", values.workers) }, work))
  } finally {
    await windows.close()
  }
  console.log(`\n| ${["host".padEnd(26), ...CHECKS.map((check) => check.padEnd(8)), "presses"].join(" | ")} |`)
  console.log(`|${[28, 10, 10, 10, 9].map((width) => "-".repeat(width)).join("|")}|`)
  for (const { name } of profiles) console.log(rowOf(name, cells))
  if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(cells, undefined, 2))
  if (cells.some(({ faults }) => CHECKS.some((check) => faults[check].length > 0))) process.exitCode = 1
}

await main()
