import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Latch, Layer, Logger } from "effect"
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { createHash } from "node:crypto"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeEach } from "vitest"
import { localFiles } from "../../../src/adapters/platform/localFiles.ts"
import type { UiEntry } from "../../../src/domain/tools/UiEntry.ts"
import { readManifest } from "../../../src/domain/documents/export/ExportManifest.ts"
import { NOTHING_LEARNED } from "../../../src/domain/tools/LearnedResults.ts"
import { toolFromDefinition } from "../../../src/domain/tools/Tool.ts"
import * as DocumentLinker from "../../../src/layers/documents/DocumentLinker.ts"
import * as PackageFiles from "../../../src/layers/documents/PackageFiles.ts"
import * as UiExportFolder from "../../../src/layers/documents/UiExportFolder.ts"
import * as UiExportNone from "../../../src/layers/documents/UiExportNone.ts"
import { UiExport } from "../../../src/services/documents/UiExport.ts"
import type { UpstreamSettings } from "../../../src/services/settings/Settings.ts"
import { gatedDisk, timed } from "../../fixtures/gatedDisk.ts"
import { settingsOf } from "../../fixtures/settings.ts"
import { uiEntry } from "../../fixtures/uiEntry.ts"
import { itLive } from "../../fixtures/itEffect.ts"

const folder = mkdtempSync(join(tmpdir(), "mcp-gen-ui-folder-"))
afterAll(() => rmSync(folder, { recursive: true }))

let names = 0
let place = ""
beforeEach(() => {
  place = join(folder, String((names += 1)), "out")
})

const linker = DocumentLinker.layer({ theme: "system", maxOutputDisplayBytes: 102_400 })
const serverNamed = (name: string): UpstreamSettings => ({
  transport: "stdio",
  command: "npx",
  args: [name],
  env: {},
  cwd: undefined
})

const services = (log: Array<string> = [], server = "alpha", disk = localFiles) =>
  UiExportFolder.layerOn({ directory: place, settings: settingsOf({ upstream: serverNamed(server) }) }).pipe(
    Layer.provide([linker, disk]),
    Layer.provide(PackageFiles.layer),
    Layer.merge(Logger.layer([Logger.make(({ message }) => void log.push(String(message)))]))
  )

const facts = { learned: NOTHING_LEARNED, examples: [], version: 3 }

const toolNamed = (name: string) => toolFromDefinition({ name }) ?? assert.fail("no tool")

const write = (name: string, more: Partial<UiEntry> = {}, server = "alpha") =>
  Effect.gen(function* () {
    const { write: writeUi } = yield* UiExport
    return yield* writeUi(toolNamed(name), uiEntry(name, { toolName: name, source: `<p>${name}</p>`, ...more }), facts)
  }).pipe(Effect.provide(services([], server)))

const why = (effect: ReturnType<typeof write>) =>
  Effect.match(effect, { onSuccess: () => "written", onFailure: ({ why: reason }) => reason })

const text = (path: string): string => readFileSync(join(place, path), "utf8")
const manifest = () => readManifest(text("manifest.json")) ?? assert.fail("no manifest")

describe("an export folder", () => {
  itLive("has the page, the source as it is, and the manifest with their checksums", function* () {
    const source = "\uFEFF<p>\r\nä</p>"
    const paths = yield* write("get", { source, refinements: ["blue"], createdAt: 1_767_323_045_000 })
    assert.deepStrictEqual(paths, ["get.html", "sources/get.html"])
    assert.strictEqual(text("sources/get.html"), source)
    assert.include(text("get.html"), `<meta name="generator" content="mcp-gen-ui">`)
    assert.deepStrictEqual(readdirSync(place).toSorted(), ["get.html", "manifest.json", "sources"])
    const [ui] = manifest().uis
    assert.deepInclude(ui, {
      tool: "get",
      uri: "ui://get",
      version: 3,
      refinements: ["blue"],
      createdAt: "2026-01-02T03:04:05.000Z",
      shows: "nothing"
    })
    for (const { path, sha256 } of ui?.files ?? []) {
      assert.strictEqual(
        createHash("sha256")
          .update(readFileSync(join(place, path)))
          .digest("hex"),
        sha256
      )
    }
    assert.strictEqual(statSync(join(place, "get.html")).mode & 0o077, 0)
  })

  itLive("holds every name that a tool may have, and nothing beside it changes", function* () {
    for (const name of ["../../up", "/etc/x", "con", ".hidden", "a b%2F", "manifest.json"]) yield* write(name)
    assert.strictEqual(manifest().uis.length, 6)
    assert.deepStrictEqual(readdirSync(join(place, "..")), ["out"])
    for (const { files } of manifest().uis) for (const { path } of files) assert.isTrue(existsSync(join(place, path)))
  })

  itLive("takes names of any length, each with a file of its own that others can write to", function* () {
    const long = ["工".repeat(200), `${"工".repeat(199)}b`, "x".repeat(300), `${"x".repeat(300)}y`]
    for (const name of long) yield* write(name)
    for (const name of long) yield* write(name, {}, "beta")
    const paths = manifest().uis.flatMap(({ files }) => files.map(({ path }) => path))
    assert.strictEqual(new Set(paths).size, 16)
    for (const path of paths) assert.isAtMost(Buffer.byteLength(path.replace("sources/", "")), 210)
    assert.sameMembers(
      manifest().uis.map(({ tool }) => tool),
      [...long, ...long]
    )
  })

  itLive("keeps the UIs of two servers apart, also if their tools have the same name", function* () {
    const [page = "", source = ""] = yield* write("search", { source: "<p>alpha</p>" })
    const other = yield* write("search", { source: "<p>beta</p>" }, "beta")
    const [otherPage = "", otherSource = ""] = other
    assert.deepStrictEqual([page, source], ["search.html", "sources/search.html"])
    assert.match(otherPage, /^search~[0-9a-f]{8}\.html$/)
    assert.deepStrictEqual([text(source), text(otherSource)], ["<p>alpha</p>", "<p>beta</p>"])
    assert.notStrictEqual(text(page), text(otherPage))
    assert.deepStrictEqual(
      manifest().uis.map(({ server, tool }) => [tool, server?.name]),
      [
        ["search", "npx alpha"],
        ["search", "npx beta"]
      ]
    )
    // Each goes on with its own, another version of the server too.
    assert.deepStrictEqual(yield* write("search", { source: "<p>newer</p>" }, "beta@2.0.0"), other)
    assert.deepStrictEqual([text(source), text(otherSource)], ["<p>alpha</p>", "<p>newer</p>"])
    yield* write("search", { source: null, level: 2 }, "beta")
    assert.deepStrictEqual([text(source), existsSync(join(place, otherSource))], ["<p>alpha</p>", false])
  })

  itLive("keeps tools apart on disks that do not tell case apart", function* () {
    for (const name of ["a/b", "A/B", "get", "Get", "GET"]) yield* write(name)
    const paths = manifest().uis.flatMap(({ files }) => files.map(({ path }) => path.toLowerCase()))
    assert.strictEqual(new Set(paths).size, 10)
  })

  itLive("takes over what an older version wrote, which names no server", function* () {
    yield* write("get")
    const older = text("manifest.json").replace(/"server": \{[^}]*\},/, "")
    assert.notInclude(older, "alpha")
    writeFileSync(join(place, "manifest.json"), older)
    assert.deepStrictEqual(yield* write("get", { source: "<p>newer</p>" }), ["get.html", "sources/get.html"])
    assert.deepStrictEqual(
      manifest().uis.map(({ server }) => server?.name),
      ["npx alpha"]
    )
  })

  itLive("never waits for what stands in the way", function* () {
    mkdirSync(join(place, "sources"), { recursive: true })
    mkdirSync(join(place, "folder.html"))
    execFileSync("mkfifo", [join(place, "pipe.html"), join(place, "sources/get.html")])
    for (const name of ["folder", "pipe"]) {
      assert.strictEqual(yield* why(write(name)), `${name}.html is there, and was not exported`)
    }
    assert.strictEqual(yield* why(write("get")), "sources/get.html is there, and was not exported")
    execFileSync("mkfifo", [join(place, "manifest.json")])
    assert.match(yield* why(write("other")), /^manifest\.json of this folder is damaged/)
  })

  itLive("takes a newer UI of the same tool, and a built-in one takes the source away", function* () {
    yield* write("get")
    yield* write("get", { source: "<p>newer</p>" })
    assert.strictEqual(text("sources/get.html"), "<p>newer</p>")
    yield* write("get", { source: null, level: 2 })
    assert.isFalse(existsSync(join(place, "sources/get.html")))
    assert.deepStrictEqual(
      manifest().uis.map(({ files }) => files.map(({ path }) => path)),
      [["get.html"]]
    )
  })

  itLive("keeps what was edited by hand, until it is moved away", function* () {
    yield* write("get")
    const before = [text("get.html"), text("manifest.json")]
    writeFileSync(join(place, "sources/get.html"), "<p>mine</p>")
    const newer = { source: "<p>newer</p>" }
    assert.match(yield* why(write("get", newer)), /^sources\/get\.html was changed by hand: import it/)
    assert.deepStrictEqual([text("get.html"), text("manifest.json")], before)
    yield* write("get", { source: null, level: 2 })
    assert.strictEqual(text("sources/get.html"), "<p>mine</p>")
    unlinkSync(join(place, "sources/get.html"))
    assert.strictEqual(yield* why(write("get", newer)), "written")
  })

  itLive("leaves files of others alone, links too", function* () {
    mkdirSync(place, { recursive: true })
    writeFileSync(join(place, "manifest.json"), '{"name":"an app"}')
    assert.match(yield* why(write("get")), /^manifest\.json of this folder is damaged, or was not written by an export/)
    assert.strictEqual(text("manifest.json"), '{"name":"an app"}')
    rmSync(join(place, "manifest.json"))

    const elsewhere = join(place, "..", "elsewhere")
    mkdirSync(elsewhere)
    rmSync(join(place, "sources"), { recursive: true })
    symlinkSync(elsewhere, join(place, "sources"))
    assert.match(yield* why(write("get")), /^sources is a link/)
    assert.deepStrictEqual(readdirSync(elsewhere), [])
    unlinkSync(join(place, "sources"))

    writeFileSync(join(elsewhere, "page"), "theirs")
    symlinkSync(join(elsewhere, "page"), join(place, "get.html"))
    assert.match(yield* why(write("get")), /^get\.html is there, and was not exported/)
    assert.strictEqual(readFileSync(join(elsewhere, "page"), "utf8"), "theirs")
  })

  it("lets nobody else write into the folders that it makes, whatever the umask allows", () => {
    const script = fileURLToPath(new URL("../../fixtures/exportWriter.ts", import.meta.url))
    execFileSync("sh", ["-c", 'umask 000; exec "$0" "$@"', process.execPath, script, place, "1", "a"])
    for (const made of [place, join(place, "sources")]) assert.strictEqual(statSync(made).mode & 0o022, 0)
  })

  itLive("loses nothing when processes write into it at once", function* () {
    const script = fileURLToPath(new URL("../../fixtures/exportWriter.ts", import.meta.url))
    const writers = ["a", "b", "c"].map((name) =>
      spawn(process.execPath, [script, place, "6", name], { stdio: ["ignore", "ignore", "inherit"] })
    )
    const codes = yield* Effect.promise(() => Promise.all(writers.map((child) => once(child, "close"))))
    assert.deepStrictEqual(
      codes.map(([code]) => code),
      [0, 0, 0]
    )
    assert.strictEqual(manifest().uis.length, 18)
    assert.strictEqual(readdirSync(join(place, "sources")).length, 18)
    assert.deepStrictEqual(
      readdirSync(place).filter((name) => !name.endsWith(".html")),
      ["manifest.json", "sources"]
    )
  })
})

it.live("a UI that cannot be exported is served all the same, with one warning", () => {
  const log: Array<string> = []
  return Effect.gen(function* () {
    mkdirSync(join(place, ".."), { recursive: true })
    writeFileSync(place, "a file in place of the folder")
    const { offer } = yield* UiExport
    for (const name of ["one", "two"]) yield* offer(toolNamed(name), uiEntry(name, { toolName: name }), facts)
    assert.strictEqual(log.length, 1)
    assert.match(log[0] ?? "", /^the UI of "one" was not exported: .* cannot be written \(ENOTDIR|EEXIST\)$/)
  }).pipe(Effect.provide(Layer.unwrap(Effect.sync(() => services(log)))))
})

describe("a folder that never answers", () => {
  it.effect("is told after six seconds; no UI waits for it from then on, until it answers", () => {
    const latch = Latch.makeUnsafe(true)
    return Effect.gen(function* () {
      const { write: writeUi } = yield* UiExport
      const exported = writeUi(toolNamed("get"), uiEntry("get", { toolName: "get", source: "<p>get</p>" }), facts)
      yield* exported
      yield* latch.close
      const late = `${place} cannot be written (it does not answer, or another process keeps it)`
      for (const seconds of [6, 0]) {
        const [failure, waited] = yield* timed(Effect.flip(exported))
        assert.deepStrictEqual([failure.why, waited], [late, seconds])
      }
      yield* latch.open
      yield* Effect.eventually(exported)
    }).pipe(Effect.provide(services([], "alpha", gatedDisk(latch))))
  })

  it.effect("keeps who is interrupted for a second", () => {
    const latch = Latch.makeUnsafe(true)
    return Effect.gen(function* () {
      const { write: writeUi } = yield* UiExport
      const exported = writeUi(toolNamed("get"), uiEntry("get", { toolName: "get", source: "<p>get</p>" }), facts)
      yield* exported
      yield* latch.close
      const writing = yield* Effect.forkChild(exported, { startImmediately: true })
      assert.strictEqual((yield* timed(Fiber.interrupt(writing)))[1], 1)
    }).pipe(Effect.provide(services([], "alpha", gatedDisk(latch))))
  })
})

it.live("nothing is written without a folder", () =>
  Effect.gen(function* () {
    const { offer, write: writeUi } = yield* UiExport
    yield* offer(toolNamed("get"), uiEntry("get"), facts)
    assert.deepStrictEqual(yield* writeUi(toolNamed("get"), uiEntry("get"), facts), [])
    assert.isFalse(existsSync(place))
  }).pipe(Effect.provide(UiExportNone.layer))
)
