/**
 * What the wrapper adds to talking to a server directly: `npm run bench`. Direct and wrapped runs alternate, so that
 * whatever else the machine does falls on both. Figures are medians.
 */
import { fixtureServer, initialize, type RawClient, startRawClient, startWrapper } from "../test/fixtures/RawClient.ts"

const server = [process.execPath, fixtureServer("odd.mjs")] as const

const direct = (): RawClient => startRawClient(server[0], server.slice(1))
const wrapped = (): RawClient => startWrapper(server)

const median = (values: ReadonlyArray<number>): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const pair = async (
  rounds: number,
  measure: (client: "direct" | "wrapped") => Promise<number>
): Promise<{ direct: number; wrapped: number }> => {
  const times = { direct: [] as Array<number>, wrapped: [] as Array<number> }
  for (let round = 0; round < rounds; round += 1) {
    for (const which of ["direct", "wrapped"] as const) times[which].push(await measure(which))
  }
  return { direct: median(times.direct), wrapped: median(times.wrapped) }
}

const rows: Array<Record<string, string>> = []
const report = (what: string, { direct, wrapped }: { direct: number; wrapped: number }, allowed: string): void => {
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
  await pair(15, (which) =>
    timed(async () => {
      const client = which === "direct" ? direct() : wrapped()
      await initialize(client)
      await client.request("tools/list")
      void client.close()
    })
  ),
  "80 ms added"
)

const clients = { direct: direct(), wrapped: wrapped() }
await initialize(clients.direct)
await initialize(clients.wrapped)

const call = (which: keyof typeof clients, bytes: number): Promise<number> =>
  timed(() => clients[which].request("tools/call", { name: "big", arguments: { bytes } }))

for (let warm = 0; warm < 300; warm += 1) {
  await call("direct", 100)
  await call("wrapped", 100)
}
report("call, 100 B", await pair(1500, (which) => call(which, 100)), "0.1 ms added")
report("call, 1 MB", await pair(60, (which) => call(which, 1_000_000)), "2 ms added")
report("call, 9 MB", await pair(12, (which) => call(which, 9_000_000)), "")
report("call, 30 MB", await pair(5, (which) => call(which, 30_000_000)), "passes")

const inFlight = (which: keyof typeof clients): Promise<number> =>
  timed(() => Promise.all(Array.from({ length: 16 }, () => call(which, 100))))
report("16 calls at once", await pair(200, inFlight), "")

const read = (): Promise<number> => timed(() => clients.wrapped.request("resources/read", { uri: "ui://plain" }))
await read()
const reads: Array<number> = []
for (let round = 0; round < 300; round += 1) reads.push(await read())
rows.push({ what: "cached read of a UI, p50", "wrapped ms": median(reads).toFixed(2), allowed: "1 ms" })

await Promise.all([clients.direct.close(), clients.wrapped.close()])
console.table(rows)
