import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type Tool, toolFromDefinition } from "../../../src/domain/tools/Tool.ts"
import {
  askedTexts,
  MAX_ASKED,
  NO_REFINEMENTS,
  type Refinements,
  rejectedOf,
  withRefinement,
  withTexts
} from "../../../src/domain/library/Refinements.ts"
import { layer } from "../../../src/layers/library/RefinementStoreFile.ts"
import { RefinementStore } from "../../../src/services/library/RefinementStore.ts"
import { folder, logged } from "../../fixtures/refinements.ts"
import { itEffect, itLive } from "../../fixtures/itEffect.ts"

const toolOf = (definition: Readonly<Record<string, unknown>>): Tool => {
  const tool = toolFromDefinition(definition)
  if (tool === undefined) throw new Error("no tool")
  return tool
}

const shared = toolOf({ name: "shared" })

/** As another process would have it: nothing is shared but the folder. */
const open = (directory: string) =>
  Effect.map(Layer.build(layer({ directory })), (context) => {
    const store = Context.get(context, RefinementStore)
    const { read, update } = store
    return {
      update,
      read,
      history: (tool: Tool) => Effect.map(read(tool), askedTexts),
      append: (tool: Tool, text: string) =>
        Effect.map(
          update(tool, (there) => withRefinement(there, text)),
          askedTexts
        ),
      replace: (tool: Tool, texts: ReadonlyArray<string>) => update(tool, (there) => withTexts(there, texts)),
      clear: (tool: Tool) => update(tool, () => NO_REFINEMENTS)
    }
  })

const setUp = Effect.gen(function* () {
  const directory = join(yield* folder, "state", "mcp-gen-ui")
  return { directory, store: yield* open(directory) }
})

const filesIn = (directory: string): ReadonlyArray<string> => readdirSync(directory).toSorted()

describe("RefinementStoreFile", () => {
  it.effect("reads no pipe and no file that is too large to be a history", () => {
    const lines: Array<string> = []
    return Effect.gen(function* () {
      const { directory, store } = yield* setUp
      yield* store.append(shared, "bigger")
      const path = join(directory, filesIn(directory)[0] ?? "")
      rmSync(path)
      execFileSync("mkfifo", [path])
      assert.deepStrictEqual(yield* (yield* open(directory)).history(shared), [])
      rmSync(path)
      const history = JSON.stringify({ version: 1, toolName: "shared", history: ["bigger"] })
      writeFileSync(path, history.padEnd(1_000_001))
      assert.deepStrictEqual(yield* (yield* open(directory)).history(shared), [])
      assert.lengthOf(lines, 2)
      writeFileSync(path, history.padEnd(1_000_000))
      assert.deepStrictEqual(yield* (yield* open(directory)).history(shared), ["bigger"])
    }).pipe(Effect.provide(logged(lines)))
  })

  itEffect("keeps a history for the next process, in a file that only its owner can read", function* () {
    const { directory, store } = yield* setUp
    assert.deepStrictEqual(yield* store.history(shared), [])
    assert.isFalse(existsSync(directory))
    assert.deepStrictEqual(yield* store.append(shared, "bigger"), ["bigger"])
    assert.deepStrictEqual(yield* store.append(shared, "with a\nnewline \u{1F3A8}"), [
      "bigger",
      "with a\nnewline \u{1F3A8}"
    ])
    const next = yield* open(directory)
    assert.deepStrictEqual(yield* next.history(shared), ["bigger", "with a\nnewline \u{1F3A8}"])
    const [name = "", ...others] = filesIn(directory)
    assert.match(name, /^[0-9a-f]{64}\.json$/)
    assert.deepStrictEqual(others, [])
    assert.strictEqual(JSON.parse(readFileSync(join(directory, name), "utf8")).toolName, "shared")
    if (process.platform !== "win32") {
      assert.strictEqual(statSync(join(directory, name)).mode & 0o777, 0o600)
      assert.strictEqual(statSync(directory).mode & 0o777, 0o700)
    }
  })

  itEffect("keeps states and reasons, and reads the files of earlier formats", function* () {
    const { directory, store } = yield* setUp
    const reason = { code: "REJECTED", message: "There are three.", at: 5000 }
    const refinements: Refinements = [
      { text: "bigger", state: "applied", reason: null },
      { text: "bluer", state: "pending", reason: null },
      { text: "in 4D", state: "rejected", reason }
    ]
    yield* store.update(shared, () => refinements)
    assert.deepStrictEqual(yield* (yield* open(directory)).read(shared), refinements)
    const path = join(directory, filesIn(directory)[0] ?? "")
    const written = readFileSync(path, "utf8")
    assert.strictEqual(JSON.parse(written).version, 3)

    const older = yield* open(directory)
    const history = ["bigger", "bluer"]
    const setAside = [{ feedback: "in 4D", ...reason }]
    writeFileSync(path, JSON.stringify({ version: 2, toolName: "shared", history, accepted: 1, setAside }))
    assert.deepStrictEqual(yield* older.read(shared), refinements)
    yield* older.update(shared, (list) => [...list])
    assert.strictEqual(readFileSync(path, "utf8"), written)

    writeFileSync(path, JSON.stringify({ version: 1, toolName: "shared", history }))
    assert.deepStrictEqual(
      yield* older.read(shared),
      history.map((text) => ({ text, state: "pending", reason: null }) as const)
    )

    yield* older.update(shared, () => refinements)
    yield* older.replace(shared, [])
    assert.deepStrictEqual(rejectedOf(yield* store.read(shared)), refinements.slice(2))
    yield* older.clear(shared)
    assert.deepStrictEqual(filesIn(directory), [])
  })

  itEffect("keeps a tool that was defined anew apart, and finds the old history when it is back", function* () {
    const { directory, store } = yield* setUp
    const [before, after] = ["a", "b"].map((description) => toolOf({ name: "../../etc/passwd", description }))
    assert.isDefined(before)
    assert.isDefined(after)
    if (before === undefined || after === undefined) return
    yield* store.append(before, "one")
    assert.deepStrictEqual(yield* store.history(after), [])
    yield* store.append(after, "two")
    assert.lengthOf(filesIn(directory), 2)
    assert.deepStrictEqual(yield* store.history(before), ["one"])
    // The order of keys is no other definition.
    assert.deepStrictEqual(yield* store.history(toolOf({ description: "b", name: "../../etc/passwd" })), ["two"])
  })

  itEffect("replaces a history, and removes the file of one that is cleared or empty", function* () {
    const { directory, store } = yield* setUp
    const other = yield* open(directory)
    yield* store.append(shared, "one")
    yield* other.replace(shared, ["two", "three"])
    assert.deepStrictEqual(yield* store.history(shared), ["two", "three"])
    yield* store.replace(shared, [])
    assert.deepStrictEqual(filesIn(directory), [])
    yield* other.append(shared, "four")
    yield* store.clear(shared)
    yield* store.clear(shared)
    assert.deepStrictEqual(yield* other.history(shared), [])
    assert.deepStrictEqual(filesIn(directory), [])
  })

  itEffect("drops the oldest of more refinements than any prompt takes", function* () {
    const { store } = yield* setUp
    const texts = Array.from({ length: MAX_ASKED }, (_, index) => String(index))
    yield* store.replace(shared, texts)
    assert.deepStrictEqual(yield* store.append(shared, "last"), [...texts.slice(1), "last"])
    assert.lengthOf(yield* store.history(shared), MAX_ASKED)
  })

  itLive("loses no text of two processes that write at the same time", function* () {
    const { directory, store } = yield* setUp
    const writer = fileURLToPath(new URL("../../fixtures/refinementWriter.ts", import.meta.url))
    const codes = yield* Effect.promise(() =>
      Promise.all(
        ["a", "b"].map(async (name) => {
          const child = spawn(process.execPath, [writer, directory, "20", name], { stdio: "inherit" })
          const [code] = await once(child, "exit")
          return code
        })
      )
    )
    assert.deepStrictEqual(codes, [0, 0])
    const history = yield* store.history(shared)
    assert.lengthOf(history, 40)
    for (const name of ["a", "b"]) {
      assert.deepStrictEqual(
        history.filter((text) => text.startsWith(name)),
        Array.from({ length: 20 }, (_, turn) => `${name} ${turn}`)
      )
    }
    assert.lengthOf(filesIn(directory), 1)
  })

  it.effect("counts a damaged file as no history, says so once, and writes a new one over it", () => {
    const lines: Array<string> = []
    return Effect.gen(function* () {
      const { directory, store } = yield* setUp
      yield* store.append(shared, "one")
      const path = join(directory, filesIn(directory)[0] ?? "")
      const good = readFileSync(path, "utf8")
      for (const damaged of [good.slice(0, -8), "", "null", good.replace('"version":3', '"version":4'), "\0\0"]) {
        writeFileSync(path, damaged)
        assert.deepStrictEqual(yield* store.history(shared), [], JSON.stringify(damaged))
      }
      assert.lengthOf(lines, 1)
      assert.match(lines[0] ?? "", /^a history of refinements cannot be read: /)
      yield* store.append(shared, "two")
      assert.deepStrictEqual(yield* (yield* open(directory)).history(shared), ["two"])
    }).pipe(Effect.provide(logged(lines)))
  })

  it.effect("keeps what cannot be written in memory, says so once, and writes it when that is possible again", () => {
    const lines: Array<string> = []
    return Effect.gen(function* () {
      const { directory, store } = yield* setUp
      mkdirSync(join(directory, ".."), { recursive: true })
      // A file stands where the folder should be: so it is for root, too, whom no permission stops.
      writeFileSync(directory, "")
      yield* store.append(shared, "one")
      assert.deepStrictEqual(yield* store.append(shared, "two"), ["one", "two"])
      assert.deepStrictEqual(yield* store.history(shared), ["one", "two"])
      assert.deepStrictEqual(
        lines.filter((line) => line.includes("written")),
        ["a history of refinements cannot be written: it is kept in memory only"]
      )
      rmSync(directory)
      yield* store.append(shared, "three")
      assert.deepStrictEqual(yield* (yield* open(directory)).history(shared), ["one", "two", "three"])
    }).pipe(Effect.provide(logged(lines)))
  })
})

describe("a file of RefinementStoreFile that cannot be read", () => {
  it.effect("stays beside the one that the next refinement begins, and so does the next", () => {
    const lines: Array<string> = []
    return Effect.gen(function* () {
      const directory = yield* folder
      yield* (yield* open(directory)).append(shared, "older")
      const [name = ""] = readdirSync(directory)
      const path = join(directory, name)
      const damaged = readFileSync(path, "utf8").slice(0, -8)

      for (const [index, feedback] of ["new", "newer"].entries()) {
        writeFileSync(path, damaged)
        const store = yield* open(directory)
        assert.deepStrictEqual(yield* store.history(shared), [])
        assert.lengthOf(readdirSync(directory), index + 1, "reading moves nothing")
        yield* store.append(shared, feedback)
        assert.deepStrictEqual(yield* (yield* open(directory)).history(shared), [feedback])
      }
      const beside = readdirSync(directory).filter((file) => file !== name)
      assert.sameMembers(beside, [`${name}.damaged`, `${name}.2.damaged`])
      for (const file of beside) assert.strictEqual(readFileSync(join(directory, file), "utf8"), damaged)
      assert.lengthOf(lines, 2)
      for (const line of lines) {
        assert.include(line, "the next refinement begins a new file, and this one stays beside it as *.damaged")
        assert.notInclude(line, "memory")
      }
    }).pipe(Effect.provide(logged(lines)))
  })

  it.effect("is moved as well where it is a pipe, and one that is mended in time is read again", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const store = yield* open(directory)
      yield* store.append(shared, "older")
      const [name = ""] = readdirSync(directory)
      const path = join(directory, name)
      const good = readFileSync(path, "utf8")
      rmSync(path)
      execFileSync("mkfifo", [path])
      assert.deepStrictEqual(yield* store.history(shared), [])
      rmSync(path)
      writeFileSync(path, good)
      yield* store.append(shared, "new")
      assert.deepStrictEqual(yield* store.history(shared), ["older", "new"])
      assert.deepStrictEqual(readdirSync(directory), [name])
      rmSync(path)
      execFileSync("mkfifo", [path])
      yield* store.append(shared, "newer")
      assert.sameMembers(readdirSync(directory), [name, `${name}.damaged`])
    }).pipe(Effect.provide(logged([])))
  )
})

describe.skipIf(process.platform === "win32")("a folder of RefinementStoreFile that others can write to", () => {
  it.effect("tells the model nothing: refinements are kept in memory, until that is mended", () => {
    const lines: Array<string> = []
    return Effect.gen(function* () {
      const directory = yield* folder
      yield* (yield* open(directory)).append(shared, "of somebody")
      const before = readdirSync(directory).map((name) => readFileSync(join(directory, name), "utf8"))
      chmodSync(directory, 0o777)
      const store = yield* open(directory)
      assert.deepStrictEqual(yield* store.history(shared), [])
      yield* store.append(shared, "mine")
      assert.deepStrictEqual(yield* store.history(shared), ["mine"])
      const after = readdirSync(directory).map((name) => readFileSync(join(directory, name), "utf8"))
      assert.deepStrictEqual(after, before)
      assert.lengthOf(lines, 1, lines.join("\n"))
      assert.match(lines[0] ?? "", /in memory only: .* is not used, because others can write to it \(its mode is 777\)/)
      chmodSync(directory, 0o700)
      yield* store.append(shared, "later")
      assert.deepStrictEqual(yield* (yield* open(directory)).history(shared), ["mine", "later"])
    }).pipe(Effect.provide(logged(lines)))
  })
})
