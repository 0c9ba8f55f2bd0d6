/**
 * The conformance suite of the protocol against the reference server, directly and through the wrapper:
 * `npm run conformance [-- --beside] [-- PATH …]`. `--beside` puts mcp-proxy and supergateway in the table, for
 * comparison only; names of paths run just these.
 *
 * Exit code 1: a scenario does worse through the wrapper than directly and `conformance/expectedFailures.ts` does not
 * say why, or the list says so and it does not.
 */
import { expectedFailures } from "./conformance/expectedFailures.ts"
import { type Outcome, type Outcomes, runSuite } from "./conformance/runSuite.ts"
import { installPackages } from "./support/installPackages.ts"
import { type ListeningProcess, startOnPort, startReference, startWrapper } from "./support/ListeningProcess.ts"
import { packageFile, referenceServer } from "./support/paths.ts"

interface Path {
  readonly name: string
  /** Whether it counts for the exit code. */
  readonly isOurs: boolean
  readonly start: (reference: string) => Promise<ListeningProcess>
}

const overStdio = [process.execPath, referenceServer, "--stdio"]

const sse = (reference: string): string => reference.replace(/mcp$/, "sse")

const plain: ReadonlyArray<{
  readonly name: string
  readonly flags?: ReadonlyArray<string>
  readonly server: (reference: string) => ReadonlyArray<string>
}> = [
  { name: "stdio", server: () => overStdio },
  { name: "http", server: (reference) => [reference] },
  { name: "sse", flags: ["--transport", "sse"], server: (reference) => [sse(reference)] },
  { name: "sse by itself", server: (reference) => [sse(reference)] }
]

const ours: ReadonlyArray<Path> = plain.flatMap(({ flags = [], name, server }) => [
  { name, isOurs: true, start: (reference: string) => startWrapper(server(reference), flags) },
  {
    name: `${name} ui`,
    isOurs: true,
    start: (reference: string) => startWrapper(server(reference), [...flags, "--force-ui"])
  }
])

const others: ReadonlyArray<Path> = [
  {
    name: "mcp-proxy",
    isOurs: false,
    start: () =>
      startOnPort((port) => [
        packageFile("mcp-proxy/dist/bin/mcp-proxy.mjs"),
        "--host",
        "127.0.0.1",
        "--port",
        port,
        "--",
        ...overStdio
      ])
  },
  {
    name: "supergateway",
    isOurs: false,
    start: () =>
      startOnPort((port) => [
        packageFile("supergateway/dist/index.js"),
        "--port",
        port,
        "--outputTransport",
        "streamableHttp",
        "--stateful",
        "--stdio",
        overStdio.map((word) => JSON.stringify(word)).join(" ")
      ])
  }
]

const nothing: Outcome = { passed: 0, warned: 0, failed: 1, complaints: ["FAILURE the scenario did not run"] }

const isWorse = (outcome: Outcome, direct: Outcome): boolean =>
  outcome.failed > direct.failed || outcome.warned > direct.warned || outcome.passed < direct.passed

const isExpected = (scenario: string): boolean => expectedFailures.some((expected) => expected.scenario === scenario)

const cell = ({ failed, passed, warned }: Outcome): string =>
  [`${passed} ok`, ...(warned > 0 ? [`${warned} warned`] : []), ...(failed > 0 ? [`${failed} FAILED`] : [])].join(", ")

const runPath = async (path: Path, reference: string): Promise<Outcomes> => {
  let server: ListeningProcess | undefined
  try {
    server = await path.start(reference)
    const outcomes = await runSuite(server.url)
    if (server.hasEnded()) process.stderr.write(`${path.name}: it ended during the suite.\n${server.log()}\n`)
    return outcomes
  } catch (error) {
    process.stderr.write(`${path.name}: ${error instanceof Error ? error.message : String(error)}\n`)
    return new Map()
  } finally {
    await server?.stop()
  }
}

const indented = (line: string): string => `    ${line}`

const judge = (path: string, direct: Outcomes, outcomes: Outcomes): ReadonlyArray<string> => {
  if (outcomes.size === 0) return [`${path}: no scenario ran`]
  const lines: Array<string> = []
  for (const [scenario, reference] of direct) {
    const outcome = outcomes.get(scenario) ?? nothing
    const worse = isWorse(outcome, reference)
    if (worse === isExpected(scenario)) continue
    const comparison = `(${cell(outcome)}; directly ${cell(reference)})`
    lines.push(`${path}: ${scenario} ${worse ? comparison : "is an expected failure and does as well as directly"}`)
    lines.push(...outcome.complaints.map(indented))
  }
  return lines
}

const main = async (): Promise<void> => {
  const words = process.argv.slice(2)
  const names = words.filter((word) => !word.startsWith("--"))
  const paths = [...ours, ...(words.includes("--beside") ? others : [])].filter(
    ({ name }) => names.length === 0 || names.includes(name)
  )
  installPackages()
  const reference = await startReference()
  try {
    const direct = await runSuite(reference.url)
    if (direct.size === 0) throw new Error(`The suite ran no scenario.\n${reference.log()}`)
    const all = new Map<string, Outcomes>()
    for (const path of paths) all.set(path.name, await runPath(path, reference.url))

    console.table(
      Object.fromEntries(
        [...direct].map(([scenario, outcome]) => [
          scenario,
          Object.fromEntries([
            ["direct", cell(outcome)],
            ...[...all].map(([name, outcomes]) => [name, cell(outcomes.get(scenario) ?? nothing)])
          ])
        ])
      )
    )
    const flawed = [...direct].filter(([, { failed, warned }]) => failed + warned > 0)
    const complaints = [
      ...flawed.flatMap(([scenario, { complaints }]) => [`direct: ${scenario}`].concat(complaints.map(indented))),
      ...paths
        .filter(({ isOurs }) => isOurs)
        .flatMap(({ name }) => judge(name, direct, all.get(name) ?? new Map<string, Outcome>()))
    ]
    for (const { reason, scenario } of expectedFailures) console.log(`Expected to be worse: ${scenario}: ${reason}`)
    for (const line of complaints) console.log(line)
    console.log(complaints.length === 0 ? "Nothing is worse through the wrapper." : "Not as good as directly.")
    if (complaints.length > 0) process.exitCode = 1
  } finally {
    await reference.stop()
  }
}

await main()
