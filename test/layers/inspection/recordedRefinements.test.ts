import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { encode } from "gpt-tokenizer/encoding/o200k_base"
import { readdirSync, readFileSync } from "node:fs"
import { editedSource } from "../../../src/domain/tools/sourceEdits.ts"
import * as HtmlInspectorLayer from "../../../src/layers/inspection/HtmlInspector.ts"
import * as PackageFilesLayer from "../../../src/layers/documents/PackageFiles.ts"
import { HtmlInspector } from "../../../src/services/inspection/HtmlInspector.ts"

const folder = new URL("../../fixtures/refinements/", import.meta.url)
const names = readdirSync(folder).flatMap((file) => /^([a-z-]+)\.txt$/.exec(file)?.[1] ?? [])

const recorded = names.map((name) => {
  const text = readFileSync(new URL(`${name}.txt`, folder), "utf8")
  const source = readFileSync(new URL(`../pages/parts-${name}.html`, folder), "utf8")
  const answer = text.slice(text.indexOf("\n\n") + 2)
  return { name, source, answer, share: encode(answer).length / encode(source).length }
})

const context = { toolNames: [], maxHtmlBytes: 512_000 }
const inspector = HtmlInspectorLayer.layer.pipe(Layer.provide(PackageFilesLayer.layer))

/** The lines of a text that stand in no edit of it. */
const untouched = (source: string, answer: string): ReadonlyArray<string> =>
  source
    .split("\n")
    .filter(
      (line) => line.trim() !== "" && !answer.split("\n").some((part) => part.trim() !== "" && line.includes(part))
    )

describe("recorded refinements", () => {
  it.effect.each(recorded)("fit, and make a page that is accepted: $name", ({ answer, source }) =>
    Effect.gen(function* () {
      const edited = editedSource(source, answer)
      if (edited._tag !== "Edited") return assert.fail(JSON.stringify(edited))
      for (const line of untouched(source, answer)) assert.include(edited.source, line)
      const { inspect } = yield* HtmlInspector
      assert.deepInclude(yield* inspect(edited.source, context), { _tag: "Accepted", uiType: "rich" })
    }).pipe(Effect.provide(inspector))
  )

  it("are a quarter as long as the page, in the median", () => {
    const shares = recorded.map(({ share }) => share).toSorted((a, b) => a - b)
    assert.isAtLeast(shares.length, 10)
    assert.isAtMost(shares[Math.floor(shares.length / 2)] ?? 1, 0.25)
  })
})
