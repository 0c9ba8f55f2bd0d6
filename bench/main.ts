/**
 * What the wrapper adds to talking to a server directly: `npm run bench`. Direct and wrapped runs alternate, so that
 * whatever else the machine does falls on both; look at the ratios of one run, not at two runs. Figures are medians.
 */
import {
  appsCapability,
  bin,
  fixtureServer,
  initialize,
  startRawClient,
  startWrapper
} from "../test/fixtures/RawClient.ts"
import { type BareClient, startBareClient } from "./BareClient.ts"

const server = [process.execPath, fixtureServer("odd.mjs")] as const
const SIDES = ["direct", "wrapped"] as const
type Side = (typeof SIDES)[number]

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const alternate = async (rounds: number, measure: (side: Side) => Promise<number>): Promise<Record<Side, number>> => {
  const times: Record<Side, Array<number>> = { direct: [], wrapped: [] }
  for (let round = 0; round < rounds; round += 1) {
    for (const side of SIDES) times[side].push(await measure(side))
  }
  return { direct: median(times.direct), wrapped: median(times.wrapped) }
}

const rows: Array<Record<string, string>> = []
const report = (what: string, { direct, wrapped }: Record<Side, number>, allowed: string): void => {
  rows.push({
    what,
    "direct ms": direct.toFixed(2),
    "wrapped ms": wrapped.toFixed(2),
    "added ms": (wrapped - direct).toFixed(2),
    ratio: (wrapped / direct).toFixed(2),
    allowed
  })
}

report(
  "start to first tools/list",
  await alternate(21, (side) =>
    timed(async () => {
      const client = side === "direct" ? startRawClient(server[0], server.slice(1)) : startWrapper(server)
      await initialize(client)
      await client.request("tools/list")
      void client.close()
    })
  ),
  "80 ms added"
)

const greet = async (client: BareClient): Promise<BareClient> => {
  const params = {
    protocolVersion: "2025-11-25",
    capabilities: appsCapability,
    clientInfo: { name: "bench", version: "1" }
  }
  await client.ask(JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params }))
  const initialized = '{"jsonrpc":"2.0","method":"notifications/initialized"}'
  await client.ask(`${initialized}\n{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
  return client
}

const clients: Record<Side, BareClient> = {
  direct: await greet(startBareClient(server[0], server.slice(1))),
  wrapped: await greet(startBareClient(process.execPath, [bin, "--", ...server]))
}

const ask = (side: Side, method: string, params: unknown): Promise<number> =>
  timed(() => clients[side].ask(JSON.stringify({ jsonrpc: "2.0", id: 2, method, params })))

const call = (side: Side, bytes: number): Promise<number> =>
  ask(side, "tools/call", { name: "big", arguments: { bytes } })

await alternate(500, (side) => call(side, 100))
report("call, 100 B", await alternate(2000, (side) => call(side, 100)), "0.1 ms added")
report("call, 1 MB", await alternate(80, (side) => call(side, 1_000_000)), "2 ms added")
report("call, 9 MB", await alternate(15, (side) => call(side, 9_000_000)), "")
report("call, 30 MB", await alternate(5, (side) => call(side, 30_000_000)), "passes")

const read = (): Promise<number> => ask("wrapped", "resources/read", { uri: "ui://plain" })
await read()
const reads: Array<number> = []
for (let round = 0; round < 500; round += 1) reads.push(await read())
rows.push({ what: "cached read of a UI, p50", "wrapped ms": median(reads).toFixed(2), allowed: "1 ms" })

for (const side of SIDES) clients[side].close()
console.table(rows)
