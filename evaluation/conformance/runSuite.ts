import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { cleanEnvironment, packageFile } from "../support/paths.ts"

interface Check {
  readonly id: string
  readonly status: string
  readonly description: string
  readonly errorMessage?: string
}

/** What became of the checks of one scenario. Informative ones do not count. */
export interface Outcome {
  readonly passed: number
  readonly warned: number
  readonly failed: number
  /** One line for each check that did not pass. */
  readonly complaints: ReadonlyArray<string>
}

export type Outcomes = ReadonlyMap<string, Outcome>

const TIMEOUT_MS = 180_000

/** Results are folders `server-<scenario>-<time>`. */
const scenarioOf = (folder: string): string => folder.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT.*$/, "")

const count = (checks: ReadonlyArray<Check>, status: string): number =>
  checks.filter((check) => check.status === status).length

const outcomeOf = (checks: ReadonlyArray<Check>): Outcome => ({
  passed: count(checks, "SUCCESS"),
  warned: count(checks, "WARNING"),
  failed: count(checks, "FAILURE"),
  complaints: checks
    .filter(({ status }) => status === "WARNING" || status === "FAILURE")
    .map((check) => `${check.status} ${check.id}: ${check.errorMessage ?? check.description}`)
})

const isCheck = (value: unknown): value is Check =>
  typeof value === "object" && value !== null && "id" in value && "status" in value && "description" in value

const readChecks = async (file: string): Promise<ReadonlyArray<Check>> => {
  const checks: unknown = JSON.parse(await readFile(file, "utf8"))
  return Array.isArray(checks) ? checks.filter(isCheck) : []
}

/** Runs all server scenarios of the conformance suite against the server at `url`. */
export const runSuite = async (url: string): Promise<Outcomes> => {
  const results = await mkdtemp(join(tmpdir(), "conformance-"))
  try {
    const suite = packageFile("@modelcontextprotocol/conformance/dist/index.js")
    const args = [suite, "server", "--suite", "all", "--url", url, "--output-dir", results]
    const child = spawn(process.execPath, args, { stdio: "ignore", env: cleanEnvironment(), timeout: TIMEOUT_MS })
    await once(child, "exit")
    const outcomes = new Map<string, Outcome>()
    for (const folder of (await readdir(results)).sort()) {
      outcomes.set(scenarioOf(folder), outcomeOf(await readChecks(join(results, folder, "checks.json"))))
    }
    return outcomes
  } finally {
    await rm(results, { recursive: true, force: true })
  }
}
