/**
 * Records every frame between SDK clients and real servers, directly and through the wrapper, and compares them:
 * `npm run record [-- SERVER …] [--verbose] [--save FOLDER]`. For a host that announces MCP Apps the difference must be
 * exactly the table in docs/architecture.md; for one that does not there must be none.
 *
 * Exit code 1: there is any other difference.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { type Comparison, compareRecordings } from "./recorder/compareRecordings.ts"
import { type DriverName, DRIVERS } from "./recorder/Driver.ts"
import { type Recording, recordRun } from "./recorder/recordRun.ts"
import { at, listAt } from "./recorder/rewriteTable.ts"
import { recordedServers, type RecordedServer, type Step } from "./recorder/servers.ts"
import { installPackages } from "./support/installPackages.ts"
import { wrapperBin } from "./support/paths.ts"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { verbose: { type: "boolean", default: false }, save: { type: "string" } }
})

const wrapper = [process.execPath, wrapperBin, "--"]

/** What only the wrapper can answer: asked for at the end of a run with MCP Apps. */
const ownSteps = (direct: Recording): ReadonlyArray<Step> => {
  const tools = direct.client.received.flatMap((text) => {
    try {
      return listAt(JSON.parse(text), "result", "tools")
    } catch {
      return []
    }
  })
  const plain = tools.find(
    (tool) => at(tool, "_meta", "ui") === undefined && at(tool, "_meta", "ui/resourceUri") === undefined
  )
  const name = at(plain, "name")
  return [
    { method: "tools/call", params: { name: "_ui_list", arguments: {} } },
    ...(typeof name === "string"
      ? [{ method: "resources/read", params: { uri: `ui://${encodeURIComponent(name)}` } }]
      : [])
  ]
}

const ownProblems = (wrapped: Recording, steps: ReadonlyArray<Step>): ReadonlyArray<string> => {
  const sent = wrapped.client.sent.slice(wrapped.frames.sent).map((text): unknown => JSON.parse(text))
  const answers = new Map(
    wrapped.client.received.flatMap((text) => {
      try {
        const message: unknown = JSON.parse(text)
        return at(message, "method") === undefined ? [[at(message, "id"), message] as const] : []
      } catch {
        return []
      }
    })
  )
  const asked = sent.filter((message) => steps.some(({ method }) => method === at(message, "method")))
  const unanswered = asked.flatMap((message) => {
    const answer = answers.get(at(message, "id"))
    const failed = at(answer, "result") === undefined || at(answer, "result", "isError") === true
    return failed ? [`${JSON.stringify(message).slice(0, 120)} is not answered: ${JSON.stringify(answer)}`] : []
  })
  const leaked = sent.filter(
    (message) =>
      at(message, "id") !== undefined && wrapped.serverReceived.some((text) => text === JSON.stringify(message))
  )
  return [
    ...(asked.length < steps.length ? [`only ${asked.length} of ${steps.length} of the wrapper's own were asked`] : []),
    ...unanswered,
    ...leaked.map((message) => `the server got what was for the wrapper: ${JSON.stringify(message).slice(0, 120)}`)
  ]
}

const save = (folder: string, name: string, recording: Recording): void => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}.client-sent.jsonl`), `${recording.client.sent.join("\n")}\n`)
  writeFileSync(join(folder, `${name}.client-received.jsonl`), `${recording.client.received.join("\n")}\n`)
  writeFileSync(join(folder, `${name}.server-received.jsonl`), `${recording.serverReceived.join("\n")}\n`)
}

const driversOf = ({ isModern }: RecordedServer): ReadonlyArray<DriverName> =>
  DRIVERS.filter((driver) => driver !== "sdk 2 modern" || isModern === true)

const compare = async (
  server: RecordedServer,
  driver: DriverName,
  apps: boolean,
  folder: string
): Promise<Comparison> => {
  const first = await recordRun(server, folder, { driver, apps, wrapper: [] })
  const second = await recordRun(server, folder, { driver, apps, wrapper: [], steps: first.steps })
  const extra = apps ? ownSteps(first) : []
  const wrapped = await recordRun(server, folder, { driver, apps, wrapper, steps: first.steps, extra })
  if (values.save !== undefined) {
    const name = `${server.name}.${driver.replaceAll(" ", "-")}.${apps ? "apps" : "plain"}`
    save(values.save, `${name}.direct`, first)
    save(values.save, `${name}.wrapped`, wrapped)
  }
  const comparison = compareRecordings(first, second, wrapped, apps)
  return { ...comparison, problems: [...comparison.problems, ...ownProblems(wrapped, extra)] }
}

/** One line about a comparison. */
const summary = ({ frames, problems, rewrites, same }: Comparison): string => {
  const rows = [...rewrites].map(([row, count]) => `${row} ${count}`).join(", ")
  return [
    `${frames} frames, ${frames === same ? "all the same" : `${same} the same`}`,
    ...(rows === "" ? [] : [`rewritten: ${rows}`]),
    ...(problems.length === 0 ? [] : [`NOT IN THE TABLE: ${problems.length}`])
  ].join("; ")
}

const main = async (): Promise<void> => {
  const servers = recordedServers.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
  if (servers.length === 0) throw new Error(`There are: ${recordedServers.map(({ name }) => name).join(", ")}`)
  installPackages()
  const root = mkdtempSync(join(tmpdir(), "recorded-"))
  const runs = servers.flatMap((server) =>
    driversOf(server).flatMap((driver) => [false, true].map((apps) => ({ server, driver, apps })))
  )
  let failures = 0
  try {
    for (const { apps, driver, server } of runs) {
      const name = `${server.name}, ${driver}, ${apps ? "with" : "without"} apps`
      try {
        const comparison = await compare(server, driver, apps, join(root, server.name))
        console.log(`${name}: ${summary(comparison)}`)
        for (const problem of comparison.problems) console.log(`    ${problem}`)
        if (values.verbose) for (const path of comparison.volatile) console.log(`    differs from run to run: ${path}`)
        failures += comparison.problems.length
      } catch (error) {
        console.log(`${name}: ${error instanceof Error ? error.message : String(error)}`)
        failures += 1
      }
    }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
  console.log(failures === 0 ? "The difference is the table of rewrites." : `Not in the table of rewrites: ${failures}`)
  if (failures > 0) process.exitCode = 1
}

await main()
