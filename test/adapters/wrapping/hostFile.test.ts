import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { changeHostFile, copyBeside, readHostFile } from "../../../src/adapters/wrapping/hostFile.ts"
import { fileIn, testFolder } from "../../fixtures/folders.ts"
import { itLive } from "../../fixtures/itEffect.ts"

/** Writes a word behind what is there, and keeps the file as it was without any. */
const append = (path: string, word: string) =>
  changeHostFile(path, (text, copy) => Effect.succeed({ text: `${text}${word}\n`, copy: copy ?? text }))

const failure = <A>(work: Effect.Effect<A, { readonly message: string }>) =>
  Effect.map(Effect.flip(work), ({ message }) => message)

describe("changeHostFile", () => {
  itLive("keeps the rights of the file, its mark, and a copy of it as it was", function* () {
    const path = fileIn(testFolder(), "mcp.json", "\uFEFFa\r\n")
    chmodSync(path, 0o640)
    yield* append(path, "b")
    assert.deepStrictEqual([readFileSync(path, "utf8"), statSync(path).mode & 0o777], ["\uFEFFa\r\nb\n", 0o640])
    const copy = copyBeside(path)
    assert.deepStrictEqual([readFileSync(copy, "utf8"), statSync(copy).mode & 0o777], ["\uFEFFa\r\n", 0o640])
    yield* changeHostFile(path, (_, copy = "") => Effect.succeed({ text: copy, copy: undefined }))
    assert.deepStrictEqual([readFileSync(path, "utf8"), existsSync(copy)], ["\uFEFFa\r\n", false])
  })

  itLive("changes the file that a link leads to, and writes nothing when nothing changes", function* () {
    const folder = testFolder()
    const path = fileIn(folder, "real.json", "a\n")
    const link = join(folder, "mcp.json")
    symlinkSync(path, link)
    yield* append(link, "b")
    assert.deepStrictEqual([readlinkSync(link), readFileSync(path, "utf8")], [path, "a\nb\n"])
    const { ino } = statSync(path)
    yield* changeHostFile(link, (text, copy) => Effect.succeed({ text, copy }))
    assert.strictEqual(statSync(path).ino, ino)
    assert.deepStrictEqual(readdirSync(folder).toSorted(), ["mcp.json", "real.json", "real.json.before-mcp-gen-ui"])
  })

  itLive("loses nothing when many change it at once", function* () {
    const path = fileIn(testFolder(), "mcp.json", "")
    const words = ["a", "b", "c", "d", "e"]
    yield* Effect.forEach(words, (word) => append(path, word), { concurrency: "unbounded" })
    assert.deepStrictEqual(readFileSync(path, "utf8").trim().split("\n").toSorted(), words)
  })

  itLive("asks again when the host writes meanwhile, and gives up where that never ends", function* () {
    const path = fileIn(testFolder(), "mcp.json", "a\n")
    let left = 1
    const changeAgainst = changeHostFile(path, (text, copy) =>
      Effect.sync(() => {
        if (left-- > 0) writeFileSync(path, `${text}host\n`)
        return { text: `${text}b\n`, copy }
      })
    )
    yield* changeAgainst
    assert.strictEqual(readFileSync(path, "utf8"), "a\nhost\nb\n")
    left = Number.POSITIVE_INFINITY
    assert.match(yield* failure(changeAgainst), /mcp\.json: is written by another program all the time/)
  })

  itLive("says what is wrong with a file, and leaves nothing beside it", function* () {
    const folder = testFolder()
    const readOnly = fileIn(folder, "read-only.json", "a\n")
    chmodSync(readOnly, 0o444)
    assert.match(
      yield* failure(append(readOnly, "b")),
      /read-only\.json: is read-only; found mode 444, allowed: .*chmod u\+w/
    )
    const binary = join(folder, "binary.json")
    writeFileSync(binary, Uint8Array.of(0xff, 0xfe, 0x7b, 0))
    assert.match(yield* failure(readHostFile(binary)), /binary\.json: is no text in UTF-8/)
    assert.match(yield* failure(append(join(folder, "none.json"), "b")), /none\.json: does not exist/)
    assert.deepStrictEqual(readdirSync(folder).toSorted(), ["binary.json", "read-only.json"])
  })
})
