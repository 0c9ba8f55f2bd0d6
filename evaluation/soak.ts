/**
 * Mixed load over HTTP with hosts that come, go and vanish: `npm run soak -- [--minutes 10] [--clients 20]
 * [--upstream stdio|http]`. Every call carries a nonce that has to come back; the memory of the wrapper and the servers
 * it started are watched.
 *
 * Exit code 1: a stray, wrong or missing answer; growth after the warm-up; a server that outlived its session or the
 * wrapper; a wrapper that does not end within 2 s.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { parseArgs } from "node:util"
import { connectLiveMemory, type LiveMemory } from "./soak/LiveMemory.ts"
import { alive, type Sample, sampleOf } from "./soak/processTable.ts"
import { LONG_MS, SoakClient, type Tally } from "./soak/SoakClient.ts"
import { startReference, startWrapper } from "./support/ListeningProcess.ts"
import { referenceServer } from "./support/paths.ts"

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    clients: { type: "string", default: "20" },
    upstream: { type: "string", default: "stdio" }
  }
})

/** Sessions of hosts that vanished end after this time. */
const SESSION_IDLE_MS = 15_000
/** The session of a host that vanished in the middle of a call ends at most this long after. */
const LAST_SESSIONS_MS = SESSION_IDLE_MS + LONG_MS + 10_000
const SAMPLE_MS = 2000
/** Share of the run until memory has reached its level. */
const WARM_UP = 0.3
const LIVE_SAMPLE_MS = 5000
/** What is under way at the moment of a measurement differs by this much. */
const ALLOWED_GROWTH_MB = 10
const END_MS = 2000
const MAX_SHOWN = 20

const median = (numbers: ReadonlyArray<number>): number =>
  numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN

interface LiveSample {
  readonly at: number
  readonly megabytes: number
}

/** The process may take more from the system than it needs; what counts is what it cannot give back. */
const growthProblems = (live: ReadonlyArray<LiveSample>, durationMs: number): ReadonlyArray<string> => {
  const warm = live.filter(({ at }) => at > durationMs * WARM_UP).map(({ megabytes }) => megabytes)
  const third = Math.max(1, Math.floor(warm.length / 3))
  const [early, late] = [median(warm.slice(0, third)), median(warm.slice(-third))]
  const figures = `from ${early.toFixed(1)} MB after the warm-up to ${late.toFixed(1)} MB at the end`
  console.log(`memory in use: ${figures}`)
  return late <= early + ALLOWED_GROWTH_MB ? [] : [`memory in use grew ${figures}`]
}

/** Measures until the signal says that it is enough. */
const watchMemory = async (
  memory: LiveMemory,
  start: number,
  signal: AbortSignal
): Promise<ReadonlyArray<LiveSample>> => {
  const samples: Array<LiveSample> = []
  while (!signal.aborted) {
    await delay(LIVE_SAMPLE_MS, undefined, { signal }).catch(() => undefined)
    if (!signal.aborted) samples.push({ at: Date.now() - start, megabytes: await memory.measure() })
  }
  return samples
}

const main = async (): Promise<void> => {
  const durationMs = Number(values.minutes) * 60_000
  const count = Number(values.clients)
  if (!(durationMs > 0) || !(count > 0)) throw new Error("--minutes and --clients are numbers above 0")
  const overHttp = values.upstream === "http"
  const folder = mkdtempSync(join(tmpdir(), "soak-"))
  const config = join(folder, "config.json")
  writeFileSync(config, JSON.stringify({ http: { sessionIdleMs: SESSION_IDLE_MS, maxSessions: 10 * count } }))

  const reference = overHttp ? await startReference() : undefined
  const server = reference === undefined ? [process.execPath, referenceServer, "--stdio"] : [reference.url]
  const wrapper = await startWrapper(server, ["--config", config, "--log-level", "warn"], ["--inspect=127.0.0.1:0"])
  const memory = await connectLiveMemory(/ws:\S+/.exec(wrapper.log())?.[0] ?? "")
  const tally: Tally = { actions: new Map(), problems: [] }
  const started = new Set<number>()
  const children = new Set<number>()
  const samples: Array<Sample> = []
  const start = Date.now()
  const take = (): Sample => {
    const sample = sampleOf(wrapper.pid, Date.now() - start, (command) => command.includes(referenceServer))
    for (const pid of sample.servers) started.add(pid)
    for (const pid of sample.children) children.add(pid)
    samples.push(sample)
    return sample
  }
  try {
    const sampling = setInterval(take, SAMPLE_MS)
    const enough = new AbortController()
    const watching = watchMemory(memory, start, enough.signal)
    const clients = Array.from(
      { length: count },
      (_, index) => new SoakClient(index, wrapper.url, tally, index % 5 === 4)
    )
    await Promise.all(clients.map((client) => client.work(start + durationMs)))
    clearInterval(sampling)
    enough.abort()
    const live = await watching

    const highest = Math.max(0, ...samples.map(({ servers }) => servers.length))
    const left = take().servers.length
    const since = Date.now()
    while (take().servers.length > 0 && Date.now() - since < LAST_SESSIONS_MS) await delay(SAMPLE_MS)
    const { servers } = take()
    console.log(
      `servers: ${started.size} started, at most ${highest} at a time; ${left} when the last host had left, ` +
        `${servers.length} after ${Math.round((Date.now() - since) / 1000)} s`
    )
    if (servers.length > 0) tally.problems.push(`${servers.length} servers outlived their sessions`)
    if (!overHttp && started.size === 0) tally.problems.push("no server was ever seen")
    if (wrapper.hasEnded()) tally.problems.push(`the wrapper ended:\n${wrapper.log()}`)
    tally.problems.push(...growthProblems(live, durationMs))
    const resident = samples.map(({ residentMb }) => residentMb)
    console.log(
      `memory taken from the system: ${median(resident).toFixed(0)} MB, at most ${Math.max(...resident).toFixed(0)} MB`
    )
  } finally {
    memory.close()
    const ending = Date.now()
    const how = await wrapper.stop()
    const took = Date.now() - ending
    if (took > END_MS) tally.problems.push(`the wrapper took ${took} ms to end (${how})`)
    await reference?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  const ended = Date.now()
  while (alive(children).length > 0 && Date.now() - ended < END_MS) await delay(100)
  const orphans = alive(children)
  if (orphans.length > 0) tally.problems.push(`${orphans.length} processes outlived the wrapper: ${orphans.join(", ")}`)

  console.table(Object.fromEntries([...tally.actions].map(([name, times]) => [name, { times }])))
  for (const problem of tally.problems.slice(0, MAX_SHOWN)) console.log(problem)
  const log = wrapper.log().trim()
  if (log !== "" && tally.problems.length > 0) console.log(`The wrapper's last words:\n${log.slice(-4000)}`)
  console.log(tally.problems.length === 0 ? "All is well." : `${tally.problems.length} problems.`)
  if (tally.problems.length > 0) process.exitCode = 1
}

await main()
