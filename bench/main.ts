/**
 * What the wrapper adds to talking to a server directly: `npm run bench`. All sides of a row alternate, so that
 * whatever else the machine does falls on each (`-- stdio`, `-- http`, `-- page` or `-- inspect` for one part); look at the ratios of one run, not at two runs. Figures are medians.
 * Bridges over HTTP are measured beside us where `npm ci --prefix evaluation` has put them.
 */
import { existsSync } from "node:fs"
import {
  appsCapability,
  bin,
  fixtureServer,
  initialize,
  noModel,
  root,
  startRawClient,
  startWrapper
} from "../test/fixtures/RawClient.ts"
import { type BareClient, startBareClient } from "./BareClient.ts"
import { type HttpClient, startHttpClient } from "./HttpClient.ts"

type Times = Readonly<Record<string, number>>

const node = process.execPath
const odd = [node, fixtureServer("odd.mjs")] as const
const many = [node, `${root}bench/server.mjs`] as const

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

const SIDES = ["direct", "wrapped"] as const
const rows: Array<Record<string, string>> = []

const report = (what: string, { direct = NaN, wrapped = NaN }: Times, allowed: string): void => {
  rows.push({
    what,
    "direct ms": direct.toFixed(2),
    "wrapped ms": wrapped.toFixed(2),
    "added ms": (wrapped - direct).toFixed(2),
    ratio: (wrapped / direct).toFixed(2),
    allowed
  })
}

const overStdio = async (): Promise<void> => {
  report(
    "start to first tools/list",
    await alternate(21, SIDES, (side) =>
      timed(async () => {
        const client = side === "direct" ? startRawClient(odd[0], odd.slice(1)) : startWrapper(odd)
        await initialize(client)
        await client.request("tools/list")
        void client.close()
      })
    ),
    "80 ms added"
  )

  const greet = async (client: BareClient): Promise<BareClient> => {
    await client.ask(INITIALIZE)
    await client.ask(`${INITIALIZED}\n${LIST}`)
    return client
  }
  const clients: Readonly<Record<string, BareClient>> = {
    direct: await greet(startBareClient(many[0], many.slice(1))),
    wrapped: await greet(startBareClient(node, [bin, "--llm", "none", "--", ...many]))
  }
  const ask = (line: string) => (side: string) => timed(async () => clients[side]?.ask(line))

  await alternate(500, SIDES, ask(call(100)))
  report("call, 100 B", await alternate(2000, SIDES, ask(call(100))), "0.1 ms added")
  report("call, 1 MB", await alternate(80, SIDES, ask(call(1_000_000))), "2 ms added")
  report("call, 9 MB", await alternate(15, SIDES, ask(call(9_000_000))), "15 ms added")
  report("call, 30 MB", await alternate(7, SIDES, ask(call(30_000_000))), "linear")
  report("tools/list of 1,000 tools", await alternate(50, SIDES, ask(LIST)), "10 ms added")
  const burst = (side: string) => timed(async () => clients[side]?.askMany(call(100), 2000, 16))
  report("2,000 calls, 16 in flight", await alternate(7, SIDES, burst), "ratio 2.5")

  const fresh = await greet(startBareClient(node, [bin, "--llm", "none", "--", ...odd]))
  await fresh.askMany(call(100), 10_000, 16)
  const resident = fresh.residentBytes()
  fresh.close()
  const megabytes = resident === undefined ? "unknown" : `${Math.round(resident / 1_048_576)} MB`
  rows.push({ what: "memory after 10,000 calls", "wrapped ms": megabytes, allowed: "120 MB" })

  await clients.wrapped?.ask(READ)
  const reads = await alternate(500, ["wrapped"], ask(READ))
  rows.push({ what: "cached read of a UI", "wrapped ms": (reads.wrapped ?? NaN).toFixed(2), allowed: "1 ms" })
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
