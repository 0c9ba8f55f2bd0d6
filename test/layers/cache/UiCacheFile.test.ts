import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Fiber, type FileSystem, Latch, Layer, Logger, Option, Scope } from "effect"
import { TestClock } from "effect/testing"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmod, chown, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { cachePath, listCacheFiles, readCacheFiles } from "../../../src/adapters/cache/cacheDirectory.ts"
import { localFiles } from "../../../src/adapters/platform/localFiles.ts"
import { entryText } from "../../../src/adapters/cache/uiEntryText.ts"
import type { EntryBounds } from "../../../src/domain/cache/BoundedEntries.ts"
import type { UiEntry } from "../../../src/domain/tools/UiEntry.ts"
import { layerOn } from "../../../src/layers/cache/UiCacheFile.ts"
import { UiCache } from "../../../src/services/cache/UiCache.ts"
import { anyHtml } from "../../fixtures/anyHtml.ts"
import { gatedDisk, timed } from "../../fixtures/gatedDisk.ts"
import { keyOf, uiEntry } from "../../fixtures/uiEntry.ts"
import { itEffect } from "../../fixtures/itEffect.ts"

const BOUNDS: EntryBounds = {
  maxEntries: 100,
  maxEntrySizeBytes: 100_000,
  maxTotalSizeBytes: 1_000_000,
  ttlMs: undefined
}

const directory = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "ui-cache-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

/** A process of its own would see the same: what a layer keeps in memory is its own. */
const openCache = (path: string, bounds: Partial<EntryBounds> = {}, disk = localFiles) =>
  Effect.map(
    Layer.build(layerOn({ ...BOUNDS, ...bounds, directory: path }).pipe(Layer.provide([anyHtml, disk]))),
    Context.get(UiCache)
  )

const onDisk = <A, E>(work: Effect.Effect<A, E, FileSystem.FileSystem>) => Effect.provide(work, localFiles)

/** As a command does whose point is to write. */
const keepIn = (cache: Context.Service.Shape<typeof UiCache>, entry: UiEntry) =>
  Effect.andThen(cache.set(entry), cache.isLasting(entry.key))

const logged = (lines: Array<string>) => Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])

describe("the cache in a directory", () => {
  itEffect("keeps an entry for the next process, in a file that only its owner can read", function* () {
    const path = yield* directory
    const first = yield* openCache(path)
    yield* keepIn(first, uiEntry("a"))
    const second = yield* openCache(path)
    assert.deepStrictEqual(yield* second.get(keyOf("a")), Option.some(uiEntry("a")))
    const mode = (yield* Effect.promise(() => stat(cachePath(path, keyOf("a"))))).mode & 0o777
    if (process.platform !== "win32") assert.strictEqual(mode, 0o600)
  })

  itEffect("sees what another process writes, replaces and removes while it runs", function* () {
    const path = yield* directory
    const first = yield* openCache(path)
    const second = yield* openCache(path)
    yield* keepIn(first, uiEntry("a", { source: "one" }))
    assert.strictEqual(Option.getOrThrow(yield* second.get(keyOf("a"))).source, "one")
    yield* keepIn(first, uiEntry("a", { source: "another" }))
    assert.strictEqual(Option.getOrThrow(yield* second.get(keyOf("a"))).source, "another")
    yield* first.removeTool("tool")
    assert.isFalse(yield* first.isLasting(keyOf("a")))
    assert.isTrue(Option.isNone(yield* second.get(keyOf("a"))))
  })

  itEffect("removes the entries of a tool that this process has used, and no others", function* () {
    const path = yield* directory
    const other = yield* openCache(path)
    yield* keepIn(other, uiEntry("elsewhere"))
    yield* keepIn(other, uiEntry("mine", { toolName: "another" }))
    const cache = yield* openCache(path, { maxEntries: 100 })
    yield* keepIn(cache, uiEntry("a"))
    yield* keepIn(cache, uiEntry("b", { toolName: "another" }))
    yield* cache.removeTool("another")
    assert.isTrue(Option.isNone(yield* cache.get(keyOf("b"))))
    assert.isTrue(Option.isSome(yield* other.get(keyOf("mine"))))
    assert.isTrue(Option.isSome(yield* cache.get(keyOf("a"))))
  })

  itEffect("leaves out damaged files and those of other versions, says so once, and takes them over", function* () {
    const path = yield* directory
    const broken: Readonly<Record<string, (text: string) => string>> = {
      cut: (text) => text.slice(0, -30),
      changed: (text) => text.replace("anthropic", "anthropik"),
      empty: () => "",
      junk: () => "\u0000".repeat(500),
      later: (text) => text.replace(/"mcp-gen-ui":\d+/, '"mcp-gen-ui":99')
    }
    for (const [name, damage] of Object.entries(broken)) {
      const text = damage(entryText(uiEntry(name)))
      yield* Effect.promise(() => writeFile(cachePath(path, keyOf(name)), text))
    }
    const whole = entryText(uiEntry("a"))
    yield* Effect.promise(() => writeFile(cachePath(path, keyOf("another key")), whole))
    const lines: Array<string> = []
    yield* Effect.gen(function* () {
      const cache = yield* openCache(path)
      for (const name of [...Object.keys(broken), "another key"]) {
        assert.isTrue(Option.isNone(yield* cache.get(keyOf(name))), name)
        assert.isTrue(Option.isNone(yield* cache.get(keyOf(name))), name)
      }
      yield* keepIn(cache, uiEntry("cut"))
      assert.isTrue(Option.isSome(yield* cache.get(keyOf("cut"))))
    }).pipe(Effect.provide(logged(lines)))
    assert.strictEqual(lines.filter((line) => line !== "cache restored").length, 6, lines.join("\n"))
    assert.include(lines.join("\n"), "of another version (format 99)")
  })

  itEffect("keeps a failure for this process only, and never finds one of another", function* () {
    const path = yield* directory
    const refused = { code: "AUTH", message: "A wrong key.", transient: false } as const
    const late = { code: "TIMEOUT", message: "Too slow.", transient: true } as const
    const refusal = uiEntry("a", { source: null, fallback: refused, createdAt: 5 })
    const lines: Array<string> = []
    yield* Effect.gen(function* () {
      const cache = yield* openCache(path)
      yield* keepIn(cache, refusal)
      yield* keepIn(cache, uiEntry("b", { source: null, fallback: late }))
      yield* keepIn(cache, uiEntry("c", { fallback: refused }))
      for (const name of ["a", "b", "c"]) {
        assert.isTrue(Option.isSome(yield* cache.get(keyOf(name))), name)
        assert.isFalse(yield* cache.isLasting(keyOf(name)), name)
      }
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(path)), [])
      // A good UI that waits to be made anew is no failure.
      yield* keepIn(cache, uiEntry("waits", { fallback: late }))
      assert.isTrue(Option.isSome(yield* (yield* openCache(path)).get(keyOf("waits"))))

      yield* Effect.promise(() => writeFile(cachePath(path, keyOf("a")), entryText(refusal)))
      const other = yield* openCache(path)
      assert.isTrue(Option.isNone(yield* other.get(keyOf("a"))))
      assert.deepStrictEqual(yield* cache.get(keyOf("a")), Option.some(refusal))
      yield* keepIn(other, uiEntry("a", { source: "made by another", createdAt: 4 }))
      assert.strictEqual(Option.getOrThrow(yield* cache.get(keyOf("a"))).source, "made by another")
    }).pipe(Effect.provide(logged(lines)))
    assert.deepStrictEqual(
      lines.filter((line) => line !== "cache restored"),
      []
    )
  })

  itEffect("never leaves its directory, whatever the key", function* () {
    const path = yield* directory
    const cache = yield* openCache(join(path, "inner"))
    for (const key of ["../../escape", "/etc/passwd", "a\u0000b", "..", "CON", "x".repeat(5000)]) {
      yield* keepIn(cache, uiEntry("a", { key, toolName: "../../tool" }))
      assert.isTrue(Option.isSome(yield* cache.get(key)), key)
    }
    assert.deepStrictEqual(yield* Effect.promise(() => readdir(path)), ["inner"])
    const names = yield* Effect.promise(() => readdir(join(path, "inner")))
    assert.isTrue(
      names.every((name) => /^[0-9a-f]{64}\.ui\.json$/.test(name)),
      names.join()
    )
  })

  itEffect("goes on in memory where it cannot write, and says so once", function* () {
    const path = yield* directory
    const file = join(path, "file")
    yield* Effect.promise(() => writeFile(file, ""))
    const lines: Array<string> = []
    yield* Effect.gen(function* () {
      const cache = yield* openCache(join(file, "cache"))
      yield* keepIn(cache, uiEntry("a"))
      yield* keepIn(cache, uiEntry("b"))
      assert.isTrue(Option.isSome(yield* cache.get(keyOf("a"))))
      assert.isTrue(Option.isSome(yield* cache.peek(keyOf("b"))))
    }).pipe(Effect.provide(logged(lines)))
    assert.strictEqual(lines.filter((line) => line.includes("cannot be written")).length, 1, lines.join("\n"))
  })

  itEffect("forgets what is too old, and its file", function* () {
    const path = yield* directory
    const cache = yield* openCache(path, { ttlMs: 1000 })
    yield* keepIn(cache, uiEntry("a"))
    yield* TestClock.adjust(999)
    assert.isTrue(Option.isSome(yield* cache.get(keyOf("a"))))
    yield* TestClock.adjust(1)
    assert.isTrue(Option.isNone(yield* cache.get(keyOf("a"))))
    const later = yield* openCache(path, { ttlMs: 1000 })
    assert.isTrue(Option.isNone(yield* later.get(keyOf("a"))))
    assert.deepStrictEqual(yield* Effect.promise(() => readdir(path)), [])
  })

  itEffect("keeps the directory within its bounds: what was not used for longest goes", function* () {
    const path = yield* directory
    const cache = yield* openCache(path, { maxEntries: 10 })
    for (let index = 0; index < 41; index += 1) {
      yield* TestClock.adjust(1000)
      yield* keepIn(cache, uiEntry(`entry ${index}`))
      const time = index + 1
      yield* Effect.promise(() => utimes(cachePath(path, keyOf(`entry ${index}`)), time, time))
    }
    const left = yield* onDisk(listCacheFiles(path, 0))
    assert.strictEqual(left.length, 10)
    assert.isTrue(Option.isSome(yield* cache.get(keyOf("entry 40"))))
    assert.isTrue(Option.isNone(yield* cache.get(keyOf("entry 5"))))
    assert.isAtLeast((yield* cache.statistics).evictions, 31)
    yield* keepIn(cache, uiEntry("large", { source: "x".repeat(200_000) }))
    assert.isTrue(Option.isNone(yield* cache.get(keyOf("large"))))
  })

  itEffect("clears away what a process that died left half written", function* () {
    const path = yield* directory
    const abandoned = `${cachePath(path, keyOf("a"))}.1234.tmp`
    const foreign = join(path, "notes.tmp")
    for (const file of [abandoned, foreign]) yield* Effect.promise(() => writeFile(file, "half"))
    yield* Effect.promise(() => utimes(abandoned, 1, 1))
    yield* Effect.promise(() => utimes(foreign, 1, 1))
    yield* onDisk(listCacheFiles(path, 3_600_000))
    assert.deepStrictEqual(yield* Effect.promise(() => readdir(path)), ["notes.tmp"])
  })
})

describe("a directory that does not answer", () => {
  const open = Effect.gen(function* () {
    const path = yield* directory
    const latch = yield* Latch.make(true)
    const scope = yield* Scope.make()
    const cache = yield* openCache(path, {}, gatedDisk(latch)).pipe(Effect.provideService(Scope.Scope, scope))
    return { path, latch, scope, cache }
  })

  const lines: Array<string> = []
  it.effect("holds up neither who sets, nor who reads, nor the end; and gets everything when it answers", () =>
    Effect.gen(function* () {
      const { cache, latch, path, scope } = yield* open
      yield* keepIn(cache, uiEntry("kept", { toolName: "other" }))
      yield* latch.close
      yield* cache.set(uiEntry("a", { source: "one" }))
      yield* cache.set(uiEntry("a", { source: "two" }))
      yield* cache.set(uiEntry("gone"))
      yield* cache.removeTool("tool")
      yield* cache.set(uiEntry("a", { source: "three" }))
      assert.strictEqual(Option.getOrThrow(yield* cache.get(keyOf("a"))).source, "three")
      assert.isTrue(Option.isNone(yield* cache.get(keyOf("gone"))))
      const [kept, waited] = yield* timed(cache.get(keyOf("kept")))
      assert.isTrue(Option.isSome(kept), "what is in memory stands")
      assert.strictEqual(waited, 2)
      assert.isTrue(Option.isNone(yield* cache.get(keyOf("unknown"))), "nobody else waits")
      assert.deepStrictEqual(yield* timed(cache.isLasting(keyOf("a"))), [false, 4])
      assert.strictEqual((yield* timed(Scope.close(scope, Exit.void)))[1], 1)
      yield* latch.open
      const next = yield* openCache(path)
      yield* next
        .get(keyOf("a"))
        .pipe(Effect.repeat({ until: (entry) => Option.getOrUndefined(entry)?.source === "three" }))
      assert.isTrue(Option.isNone(yield* next.get(keyOf("gone"))))
      for (const said of ["cannot be written", "cannot be read"]) {
        assert.lengthOf(
          lines.filter((line) => line.includes(said)),
          1,
          lines.join("\n")
        )
      }
      const notWritten = lines.filter((line) => line.includes("not written"))
      assert.deepStrictEqual(notWritten, ["1 UI was not written to the cache directory"])
    }).pipe(Effect.provide(logged(lines)))
  )

  it.effect("is asked again when it answers, and has no more than 200 changes waiting for it", () =>
    Effect.gen(function* () {
      const { cache, latch, path } = yield* open
      yield* latch.close
      yield* timed(cache.get(keyOf("a")))
      for (let index = 0; index < 205; index += 1) yield* cache.set(uiEntry(`entry ${index}`))
      yield* latch.open
      assert.isTrue(yield* cache.isLasting(keyOf("entry 199")))
      assert.isFalse(yield* cache.isLasting(keyOf("entry 200")))
      const other = yield* openCache(path)
      yield* keepIn(other, uiEntry("a", { source: "made by another" }))
      assert.isTrue(Option.isSome(yield* cache.get(keyOf("a"))))
    }).pipe(Effect.provide(logged([])))
  )

  it.effect("but slowly, has every UI at the end", () =>
    Effect.gen(function* () {
      const { cache, latch, path, scope } = yield* open
      yield* latch.close
      for (const name of ["a", "b", "c"]) yield* cache.set(uiEntry(name))
      const ending = yield* Effect.forkChild(Scope.close(scope, Exit.void), { startImmediately: true })
      yield* TestClock.adjust("900 millis")
      yield* latch.open
      yield* Fiber.join(ending)
      assert.lengthOf(yield* onDisk(listCacheFiles(path, 0)), 3)
    }).pipe(Effect.provide(logged([])))
  )
})

describe("what lasts", () => {
  itEffect("is what the directory has", function* () {
    const path = yield* directory
    const cache = yield* openCache(join(path, "inner"), { maxEntrySizeBytes: 5000 })
    assert.isFalse(yield* cache.isLasting(keyOf("a")))
    assert.isTrue(yield* keepIn(cache, uiEntry("a")))
    assert.isFalse(yield* keepIn(cache, uiEntry("large", { source: "x".repeat(6000) })))
    yield* Effect.promise(() => writeFile(join(path, "file"), ""))
    const other = yield* openCache(join(path, "file"))
    assert.isFalse(yield* keepIn(other, uiEntry("a")))
    assert.isTrue(Option.isSome(yield* other.get(keyOf("a"))))
  })
})

describe("several processes on one directory", () => {
  it.live(
    "leave whole entries only, also when they are killed in the middle",
    () =>
      Effect.gen(function* () {
        const path = yield* directory
        const script = new URL("../../fixtures/cacheWriter.ts", import.meta.url).pathname
        const runWriter = async (seed: string, killAfterMs: number | undefined): Promise<string> => {
          const child = spawn(process.execPath, [script, path, "1000", seed], { stdio: ["ignore", "pipe", "inherit"] })
          let out = ""
          child.stdout.on("data", (chunk) => (out += String(chunk)))
          const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), killAfterMs)
          await once(child, "close")
          clearTimeout(timer)
          return out
        }
        const outputs = yield* Effect.promise(() =>
          Promise.all([
            runWriter("steady", undefined),
            (async () => {
              for (const killAfterMs of [450, 620, 530, 800]) await runWriter(`killed at ${killAfterMs}`, killAfterMs)
              return runWriter("last", undefined)
            })()
          ])
        )
        assert.deepStrictEqual(outputs, ["done\n", "done\n"])
        const files = yield* onDisk(listCacheFiles(path, 0))
        const read = yield* onDisk(readCacheFiles(files))
        assert.strictEqual(read.length, 40)
        assert.deepStrictEqual(
          read.filter(({ stored }) => stored._tag !== "Entry").map(({ file }) => file.path),
          []
        )
        const [one] = files
        assert.include(yield* Effect.promise(() => readFile(one?.path ?? "", "utf8")), "sha256")
      }),
    60_000
  )
})

/** A user that is nobody here. */
const ANOTHER = 12_345

describe.skipIf(process.platform === "win32")("a directory that others can write to", () => {
  const ways: ReadonlyArray<readonly [string, (path: string) => Promise<void>, (path: string) => Promise<void>]> = [
    ["by its mode", (path) => chmod(path, 0o777), (path) => chmod(path, 0o700)],
    ["as a group", (path) => chmod(path, 0o770), (path) => chmod(path, 0o750)],
    ["as its owner", (path) => chown(path, ANOTHER, ANOTHER), (path) => chown(path, 0, 0)]
  ]
  for (const [name, give, mend] of ways.slice(0, process.getuid?.() === 0 ? 3 : 2)) {
    itEffect(`${name} is not used, until that is mended`, function* () {
      const path = yield* directory
      yield* keepIn(yield* openCache(path), uiEntry("a"))
      yield* Effect.promise(() => give(path))
      const lines: Array<string> = []
      const cache = yield* Effect.gen(function* () {
        const cache = yield* openCache(path)
        assert.isTrue(Option.isNone(yield* cache.get(keyOf("a"))))
        yield* keepIn(cache, uiEntry("b"))
        assert.isTrue(Option.isSome(yield* cache.get(keyOf("b"))))
        assert.isFalse(yield* cache.isLasting(keyOf("b")))
        assert.lengthOf(yield* Effect.promise(() => readdir(path)), 1)
        return cache
      }).pipe(Effect.provide(logged(lines)))
      assert.lengthOf(lines, 1, lines.join("\n"))
      assert.match(lines[0] ?? "", /in memory only: .* is not used, because .* (chmod 700|chown) it/)
      yield* Effect.promise(() => mend(path))
      assert.isTrue(Option.isSome(yield* cache.get(keyOf("a"))))
    })
  }

  it.effect.runIf(process.getuid?.() === 0)("leaves files behind that are still another user's: they are damaged", () =>
    Effect.gen(function* () {
      const path = yield* directory
      yield* keepIn(yield* openCache(path), uiEntry("a"))
      yield* Effect.promise(() => chown(cachePath(path, keyOf("a")), ANOTHER, ANOTHER))
      const lines: Array<string> = []
      yield* Effect.gen(function* () {
        const cache = yield* openCache(path)
        assert.isTrue(Option.isNone(yield* cache.get(keyOf("a"))))
        yield* keepIn(cache, uiEntry("a"))
        assert.isTrue(Option.isSome(yield* (yield* openCache(path)).get(keyOf("a"))))
      }).pipe(Effect.provide(logged(lines)))
      assert.lengthOf(
        lines.filter((line) => line.includes("damaged")),
        1
      )
    })
  )
})
