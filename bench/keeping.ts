/**
 * What it costs to read a UI that is cached, beside a server's own resource of the same size, also as the first after a
 * start, and to restore a folder of
 * UIs and read them all, beside reading its files plainly: `npm run bench -- cache`. Milliseconds; medians.
 */
import { Effect, Layer, Logger, Option } from "effect"
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { cachePath } from "../src/adapters/cache/cacheDirectory.ts"
import { entryText } from "../src/adapters/cache/uiEntryText.ts"
import * as UiCacheFile from "../src/layers/cache/UiCacheFile.ts"
import { UiCache } from "../src/services/cache/UiCache.ts"
import { anyHtml } from "../test/fixtures/anyHtml.ts"
import { startModelStandIn } from "../test/fixtures/model-stand-in/ModelStandIn.ts"
import { bin, root } from "../test/fixtures/RawClient.ts"
import { keyOf, uiEntry } from "../test/fixtures/uiEntry.ts"
import { type BareClient, startBareClient } from "./BareClient.ts"

type Row = Readonly<Record<string, string>>

const ENTRIES = 1000
const ROUNDS = 9

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const bounds = { maxEntries: 2 * ENTRIES, maxEntrySizeBytes: 1e6, maxTotalSizeBytes: 1e9, ttlMs: undefined }

/** All of it: the folder is looked through, and every entry is read, checked and decoded. */
const restore = (directory: string): Promise<void> => {
  const layer = UiCacheFile.layer({ ...bounds, directory }).pipe(
    Layer.provide(anyHtml),
    Layer.provideMerge(Logger.layer([]))
  )
  const names = Array.from({ length: ENTRIES }, (_, index) => keyOf(`entry ${index}`))
  const readAll = Effect.gen(function* () {
    const cache = yield* UiCache
    const entries = yield* Effect.forEach(names, cache.get, { concurrency: 64 })
    if (entries.some(Option.isNone)) return yield* Effect.die(new Error("an entry is missing"))
  })
  return Effect.runPromise(Effect.provide(readAll, layer))
}

const readPlainly = async (directory: string): Promise<void> => {
  const names = await readdir(directory)
  await Promise.all(names.map((name) => readFile(join(directory, name), "utf8")))
}

const restoring = async (): Promise<Row> => {
  const directory = await mkdtemp(join(tmpdir(), "bench-cache-"))
  for (let index = 0; index < ENTRIES; index += 1) {
    const entry = uiEntry(`entry ${index}`, { source: `// ${index}\n`.repeat(400), createdAt: Date.now() })
    await writeFile(cachePath(directory, keyOf(`entry ${index}`)), entryText(entry))
  }
  const plain: Array<number> = []
  const restored: Array<number> = []
  for (let round = 0; round < ROUNDS; round += 1) {
    plain.push(await timed(() => readPlainly(directory)))
    restored.push(await timed(() => restore(directory)))
  }
  await rm(directory, { recursive: true })
  return {
    what: `${ENTRIES} UIs restored and read`,
    "direct ms": median(plain).toFixed(1),
    "cached ms": median(restored).toFixed(1),
    ratio: (median(restored) / median(plain)).toFixed(2),
    allowed: "200 ms"
  }
}

const INITIALIZE = JSON.stringify({
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {
      extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } }
    },
    clientInfo: { name: "bench", version: "1" }
  }
})
const INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}'
const LIST = '{"jsonrpc":"2.0","id":3,"method":"tools/list"}'

const readOf = (uri: string): string =>
  `{"jsonrpc":"2.0","id":4,"method":"resources/read","params":{"uri":${JSON.stringify(uri)}}}`

const pageOf = (bytes: number): string =>
  `<!-- rich -->\n<script type="module">\nimport { show, text } from "mcp-gen-ui/parts"\n` +
  `show(() => text("a"))\nconst filling = "${"x".repeat(bytes)}"\n</script>`

const reading = async (bytes: number, more: ReadonlyArray<string>, name: string): Promise<Row> => {
  const model = await startModelStandIn({ answer: () => ({ text: pageOf(bytes), chunkSize: 50_000 }) })
  const env = { ...process.env, ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "key-of-the-bench" }
  const server = [process.execPath, `${root}bench/server.mjs`]
  const wrapped = startBareClient(process.execPath, [bin, "--llm", "anthropic", ...more, "--", ...server], env)
  await wrapped.ask(INITIALIZE)
  await wrapped.ask(`${INITIALIZED}\n${LIST}`)
  const size = await wrapped.ask(readOf("ui://tool_7"))
  const direct = startBareClient(process.execPath, [`${root}bench/resourceServer.mjs`, String(size)])
  await direct.ask(INITIALIZE)
  const clients: Readonly<Record<string, readonly [BareClient, string]>> = {
    direct: [direct, readOf("ui://tool")],
    cached: [wrapped, readOf("ui://tool_7")]
  }
  const times: Record<string, Array<number>> = { direct: [], cached: [] }
  for (let round = 0; round < 1000; round += 1) {
    for (const [side, [client, line]] of Object.entries(clients)) times[side]?.push(await timed(() => client.ask(line)))
  }
  direct.close()
  wrapped.close()
  await model.close()
  const [plain, cached] = [median(times.direct ?? []), median(times.cached ?? [])]
  return {
    what: `cached read, ${Math.round(size / 1000)} kB, ${name}`,
    "direct ms": plain.toFixed(2),
    "cached ms": cached.toFixed(2),
    ratio: (cached / plain).toFixed(2),
    allowed: "1.5"
  }
}

/** Rows for the console. */
/** With all that a process loads and checks for the first UI that it takes from a folder. */
const readingFirst = async (directory: string): Promise<Row> => {
  const model = await startModelStandIn({ answer: () => ({ text: pageOf(1000) }) })
  const env = { ...process.env, ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "key-of-the-bench" }
  const flags = ["--llm", "anthropic", "--cache-dir", directory, "--", process.execPath, `${root}bench/server.mjs`]
  const times: Array<number> = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    const client = startBareClient(process.execPath, [bin, ...flags], env)
    await client.ask(INITIALIZE)
    await client.ask(`${INITIALIZED}\n${LIST}`)
    times.push(await timed(() => client.ask(readOf("ui://tool_7"))))
    await new Promise((resolve) => setTimeout(resolve, 100))
    client.close()
  }
  await model.close()
  return {
    what: "first cached read after a start, folder",
    "direct ms": "",
    "cached ms": median(times.slice(1)).toFixed(1),
    ratio: "",
    allowed: "50 ms"
  }
}

export const benchKeeping = async (): Promise<ReadonlyArray<Row>> => {
  const directory = await mkdtemp(join(tmpdir(), "bench-uis-"))
  const rows = [
    await reading(0, [], "memory"),
    await reading(290_000, [], "memory"),
    await reading(290_000, ["--cache-dir", directory], "folder"),
    await readingFirst(join(directory, "first")),
    await restoring()
  ]
  await rm(directory, { recursive: true })
  return rows
}
