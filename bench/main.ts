/**
 * What the wrapper adds to talking to a server directly: `npm run bench`, or `-- stdio`, `-- http`, `-- page`, `-- inspect`
 * or `-- cache` for one part. All sides of a row alternate, so that whatever else the machine does falls on each; look at
 * the ratios of one run, not at two runs. Figures are medians. `BENCH_BESIDE=FOLDER` measures another built checkout in the
 * same rows. Bridges over HTTP are measured beside us where `npm ci --prefix evaluation` has put them.
 */
import { existsSync } from "node:fs"
import { appsCapability, bin, fixtureServer, noModel, root } from "../test/fixtures/RawClient.ts"
import { type BareClient, startBareClient } from "./BareClient.ts"
import { type HttpClient, startHttpClient } from "./HttpClient.ts"

type Times = Readonly<Record<string, number>>

const node = process.execPath
const odd = [node, fixtureServer("odd.mjs")] as const
const many = [node, `${root}bench/server.mjs`] as const
const beside = process.env.BENCH_BESIDE

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const alternate = async (
  rounds: number,
  sides: ReadonlyArray<string>,
  measure: (side: string) => Promise<number>
): Promise<Times> => {
  const times = new Map(sides.map((side) => [side, new Array<number>()]))
  for (let round = 0; round < rounds; round += 1) {
    for (const side of sides) times.get(side)?.push(await measure(side))
  }
  return Object.fromEntries([...times].map(([side, values]) => [side, median(values)]))
}

const call = (bytes: number): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "big", arguments: { bytes } } })
const LIST = '{"jsonrpc":"2.0","id":3,"method":"tools/list"}'
const READ = '{"jsonrpc":"2.0","id":4,"method":"resources/read","params":{"uri":"ui://tool_7"}}'
const INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}'
const INITIALIZE = JSON.stringify({
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: appsCapability,
    clientInfo: { name: "bench", version: "1" }
  }
})

// ---- Standard input and output -------------------------------------------------------------------------------

type Command = readonly [string, ...ReadonlyArray<string>]

const commands = (server: Command): Readonly<Record<string, Command>> => ({
  direct: server,
  pipe: [node, `${root}bench/bytePipe.mjs`, ...server],
  ...(beside !== undefined && { beside: [node, `${beside}/bin/mcp-gen-ui.mjs`, "--llm", "none", "--", ...server] }),
  wrapped: [node, bin, "--llm", "none", "--", ...server]
})

const rows: Array<Record<string, string>> = []

const report = (what: string, times: Times, allowed: string): void => {
  const { direct = NaN, wrapped = NaN } = times
  const added = Object.entries(times).filter(([side]) => side !== "direct")
  rows.push({
    what,
    "direct ms": direct.toFixed(2),
    ...Object.fromEntries(added.map(([side, time]) => [`${side} adds ms`, (time - direct).toFixed(2)])),
    "wrapped / direct": (wrapped / direct).toFixed(2),
    allowed
  })
}

const greet = async (client: BareClient): Promise<BareClient> => {
  await client.ask(INITIALIZE)
  await client.ask(`${INITIALIZED}\n${LIST}`)
  return client
}

const greeted = ([program, ...args]: Command): Promise<BareClient> => greet(startBareClient(program, args))

const startTimes = (rounds: number, server: Command): Promise<Times> => {
  const started = commands(server)
  return alternate(rounds, Object.keys(started), (side) =>
    timed(async () => (await greeted(started[side] ?? server)).close())
  )
}

const overStdio = async (): Promise<void> => {
  report("start to first tools/list", await startTimes(21, odd), "70 ms added where the pipe adds 30")
  report("the same, a server that needs 300 ms", await startTimes(11, [...many, "20", "300"]), "twice the pipe")
  report("the same, 10,000 tools", await startTimes(7, [...many, "10000"]), "linear")

  const clients: Record<string, BareClient> = {}
  for (const [side, command] of Object.entries(commands(many))) clients[side] = await greeted(command)
  const sides = Object.keys(clients)
  const ask = (line: string) => (side: string) => timed(async () => clients[side]?.ask(line))

  await alternate(500, sides, ask(call(100)))
  report("call, 100 B", await alternate(2000, sides, ask(call(100))), "0.1 ms added")
  report("call, 1 MB", await alternate(80, sides, ask(call(1_000_000))), "2 ms added")
  report("call, 9 MB", await alternate(15, sides, ask(call(9_000_000))), "15 ms added")
  report("call, 30 MB", await alternate(7, sides, ask(call(30_000_000))), "linear")
  report("tools/list of 1,000 tools", await alternate(50, sides, ask(LIST)), "10 ms added")
  const burst = (side: string) => timed(async () => clients[side]?.askMany(call(100), 2000, 16))
  report("2,000 calls, 16 in flight", await alternate(7, sides, burst), "2.2 of direct")

  const fresh = await greeted([node, bin, "--llm", "none", "--", ...odd])
  await fresh.askMany(call(100), 10_000, 16)
  const resident = fresh.residentBytes()
  fresh.close()
  const megabytes = resident === undefined ? "unknown" : `${Math.round(resident / 1_048_576)} MB`
  rows.push({ what: "memory after 10,000 calls", wrapped: megabytes, allowed: "120 MB" })

  await clients.wrapped?.ask(READ)
  const reads = await alternate(500, ["wrapped"], ask(READ))
  rows.push({ what: "cached read of a UI", wrapped: `${(reads.wrapped ?? NaN).toFixed(2)} ms`, allowed: "1 ms" })
  for (const client of Object.values(clients)) client.close()
}

// ---- HTTP ----------------------------------------------------------------------------------------------------

const evaluated = (script: string): string => `${root}evaluation/node_modules/${script}`

const bridges = async (): Promise<Readonly<Record<string, HttpClient>>> => {
  const started: Record<string, HttpClient> = {
    bare: await startHttpClient([node, `${root}bench/bareBridge.mjs`, ...many]),
    wrapped: await startHttpClient([node, bin, "--http", "127.0.0.1:0", "--", ...many], { env: noModel })
  }
  const proxy = evaluated("mcp-proxy/dist/bin/mcp-proxy.mjs")
  if (existsSync(proxy)) {
    started["mcp-proxy"] = await startHttpClient(
      [node, proxy, "--host", "127.0.0.1", "--port", "18731", "--server", "stream", "--", ...many],
      { url: "http://127.0.0.1:18731/mcp" }
    )
  }
  const gateway = evaluated("supergateway/dist/index.js")
  if (existsSync(gateway)) {
    const args = ["--stdio", many.join(" "), "--outputTransport", "streamableHttp", "--stateful", "--port", "18732"]
    started.supergateway = await startHttpClient([node, gateway, ...args, "--logLevel", "none"], {
      url: "http://127.0.0.1:18732/mcp"
    })
  }
  for (const client of Object.values(started)) {
    await client.ask(INITIALIZE)
    await client.ask(INITIALIZED)
    await client.ask(LIST)
  }
  return started
}

const overHttp = async (): Promise<ReadonlyArray<Readonly<Record<string, string>>>> => {
  const clients = await bridges()
  const sides = Object.keys(clients)
  const ask = (line: string) => (side: string) => timed(async () => clients[side]?.ask(line))
  await alternate(200, sides, ask(call(100)))
  const measured: ReadonlyArray<readonly [string, Times]> = [
    ["call, 100 B", await alternate(500, sides, ask(call(100)))],
    ["call, 1 MB", await alternate(30, sides, ask(call(1_000_000)))],
    ["call, 9 MB", await alternate(5, sides, ask(call(9_000_000)))]
  ]
  for (const client of Object.values(clients)) client.close()
  return measured.map(([what, times]) => {
    const shown = Object.entries(times).map(([side, time]) => [`${side} ms`, time.toFixed(2)])
    const ratio = (times.wrapped ?? NaN) / (times.bare ?? NaN)
    return Object.fromEntries([["what", what], ...shown, ["wrapped / bare", ratio.toFixed(2)], ["allowed", "1.5"]])
  })
}

const asked = process.argv[2]
const isAsked = (part: string): boolean => asked === undefined || asked === part
if (isAsked("stdio")) {
  await overStdio()
  console.table(rows)
}
if (isAsked("http")) console.table(await overHttp())
if (isAsked("page")) {
  const { benchPage } = await import("./page.ts")
  console.table(await benchPage())
}
if (isAsked("inspect")) {
  const { benchInspection } = await import("./inspect.ts")
  console.table(await benchInspection())
}
if (isAsked("cache")) {
  const { benchKeeping } = await import("./keeping.ts")
  console.table(await benchKeeping())
}
process.exit(0)
