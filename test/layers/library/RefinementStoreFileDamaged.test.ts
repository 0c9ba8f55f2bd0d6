import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { execFileSync } from "node:child_process"
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Tool, toolFromDefinition } from "../../../src/domain/tools/Tool.ts"
import { askedTexts, withRefinement } from "../../../src/domain/library/Refinements.ts"
import { layer } from "../../../src/layers/library/RefinementStoreFile.ts"
import { RefinementStore } from "../../../src/services/library/RefinementStore.ts"
import { folder, logged } from "../../fixtures/refinements.ts"

const open = (directory: string) =>
  Effect.map(Layer.build(layer({ directory })), (context) => Context.get(context, RefinementStore))

const add = (store: RefinementStore["Service"], tool: Tool, text: string) =>
  store.update(tool, (list) => withRefinement(list, text))

const askedOf = (store: RefinementStore["Service"], tool: Tool) => Effect.map(store.read(tool), askedTexts)

describe("a file of RefinementStoreFile that can not be read", () => {
  it.effect("stays beside the one that the next refinement begins, and so does the next", () => {
    const lines: Array<string> = []
    return Effect.gen(function* () {
      const directory = yield* folder
      const tool = toolFromDefinition({ name: "shared" }) ?? assert.fail("no tool")
      yield* add(yield* open(directory), tool, "older")
      const [name = ""] = readdirSync(directory)
      const path = join(directory, name)
      const damaged = readFileSync(path, "utf8").slice(0, -8)

      for (const [index, feedback] of ["new", "newer"].entries()) {
        writeFileSync(path, damaged)
        const store = yield* open(directory)
        assert.deepStrictEqual(yield* askedOf(store, tool), [])
        assert.lengthOf(readdirSync(directory), index + 1, "reading moves nothing")
        yield* add(store, tool, feedback)
        assert.deepStrictEqual(yield* askedOf(yield* open(directory), tool), [feedback])
      }
      const beside = readdirSync(directory).filter((file) => file !== name)
      assert.sameMembers(beside, [`${name}.damaged`, `${name}.2.damaged`])
      for (const file of beside) assert.strictEqual(readFileSync(join(directory, file), "utf8"), damaged)
      assert.lengthOf(lines, 2)
      for (const line of lines) {
        assert.include(line, "the next refinement begins a new file, and this one stays beside it as *.damaged")
        assert.notInclude(line, "memory")
      }
    }).pipe(Effect.scoped, Effect.provide(logged(lines)))
  })

  it.effect("is moved as well where it is a pipe, and one that is mended in time is read again", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const tool = toolFromDefinition({ name: "shared" }) ?? assert.fail("no tool")
      const store = yield* open(directory)
      yield* add(store, tool, "older")
      const [name = ""] = readdirSync(directory)
      const path = join(directory, name)
      const good = readFileSync(path, "utf8")
      rmSync(path)
      execFileSync("mkfifo", [path])
      assert.deepStrictEqual(yield* askedOf(store, tool), [])
      rmSync(path)
      writeFileSync(path, good)
      yield* add(store, tool, "new")
      assert.deepStrictEqual(yield* askedOf(store, tool), ["older", "new"])
      assert.deepStrictEqual(readdirSync(directory), [name])
      rmSync(path)
      execFileSync("mkfifo", [path])
      yield* add(store, tool, "newer")
      assert.sameMembers(readdirSync(directory), [name, `${name}.damaged`])
    }).pipe(Effect.scoped, Effect.provide(logged([])))
  )
})

describe.skipIf(process.platform === "win32")("a folder of RefinementStoreFile that others can write to", () => {
  it.effect("tells the model nothing: refinements are kept in memory, until that is mended", () => {
    const lines: Array<string> = []
    return Effect.gen(function* () {
      const directory = yield* folder
      const tool = toolFromDefinition({ name: "shared" }) ?? assert.fail("no tool")
      yield* add(yield* open(directory), tool, "of somebody")
      const before = readdirSync(directory).map((name) => readFileSync(join(directory, name), "utf8"))
      chmodSync(directory, 0o777)
      const store = yield* open(directory)
      assert.deepStrictEqual(yield* askedOf(store, tool), [])
      yield* add(store, tool, "mine")
      assert.deepStrictEqual(yield* askedOf(store, tool), ["mine"])
      const after = readdirSync(directory).map((name) => readFileSync(join(directory, name), "utf8"))
      assert.deepStrictEqual(after, before)
      assert.lengthOf(lines, 1, lines.join("\n"))
      assert.match(lines[0] ?? "", /in memory only: .* is not used, because others can write to it \(its mode is 777\)/)
      chmodSync(directory, 0o700)
      yield* add(store, tool, "later")
      assert.deepStrictEqual(yield* askedOf(yield* open(directory), tool), ["mine", "later"])
    }).pipe(Effect.scoped, Effect.provide(logged(lines)))
  })
})
