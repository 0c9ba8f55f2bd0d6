import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { describeUnfit, entryText, inspected, readEntryText } from "../../../src/adapters/cache/uiEntryText.ts"
import type { UiEntry } from "../../../src/domain/tools/UiEntry.ts"
import * as HtmlInspectorLayer from "../../../src/layers/inspection/HtmlInspector.ts"
import * as PackageFiles from "../../../src/layers/documents/PackageFiles.ts"
import { HtmlInspector } from "../../../src/services/inspection/HtmlInspector.ts"
import { uiEntry } from "../../fixtures/uiEntry.ts"

const answers = new URL("../../fixtures/answers/", import.meta.url)

/** Stores an entry, and reads it as the next process would. */
const storedAndRead = (more: Partial<UiEntry>) =>
  Effect.gen(function* () {
    const entry = uiEntry("a", more)
    return yield* inspected(readEntryText(entryText(entry), entry.key), yield* HtmlInspector)
  })

const page = (more: string): string =>
  `<script type="module">import { show, text } from "mcp-gen-ui/parts"\nshow(() => text("a"))</script>${more}`

describe("an entry that was stored", () => {
  layer(HtmlInspectorLayer.layer.pipe(Layer.provide(PackageFiles.layer)))((it) => {
    it.effect("is what it was, if a recorded answer was accepted as it", () =>
      Effect.gen(function* () {
        const inspector = yield* HtmlInspector
        let accepted = 0
        for (const name of readdirSync(answers)) {
          const answer = readFileSync(new URL(name, answers), "utf8")
          const verdict = yield* inspector.inspect(answer, { toolNames: [], maxHtmlBytes: 1_000_000 })
          if (verdict._tag === "Rejected" || verdict.source === null) continue
          accepted += 1
          const stored = yield* storedAndRead({ source: verdict.source })
          if (stored._tag !== "Entry") assert.fail(`${name} ${describeUnfit(stored)}`)
          assert.strictEqual(stored.entry.source, verdict.source, name)
        }
        assert.isAbove(accepted, 20)
      })
    )

    it.effect("is refused if its source would be, whoever wrote it", () =>
      Effect.gen(function* () {
        const bad = [
          page('<iframe src="https://evil.example"></iframe>'),
          page("<script>fetch('https://evil.example')</script>"),
          page('<img src="x" onerror="alert(1)">'),
          "<p>no page</p>",
          "<!-- minimal -->"
        ]
        for (const provider of ["anthropic", "hand"]) {
          for (const source of bad) {
            const stored = yield* storedAndRead({ source, provider })
            assert.strictEqual(stored._tag, "Refused", source)
          }
        }
      })
    )

    it.effect("is kept if it asks for what only its tool knows to be right", () =>
      Effect.gen(function* () {
        const source = page('<label>Password <input type="password" id="p"></label>').replace(
          'show(() => text("a"))',
          'show((data, ctx) => { ctx.say(document.getElementById("p").value); return text("a") })'
        )
        const stored = yield* storedAndRead({ source })
        assert.strictEqual(stored._tag, "Entry")
      })
    )

    it.effect("is mended where an answer would be", () =>
      Effect.gen(function* () {
        const stored = yield* storedAndRead({
          source: page('<link rel="preconnect" href="https://fonts.gstatic.com">')
        })
        if (stored._tag !== "Entry") assert.fail(describeUnfit(stored))
        assert.strictEqual(stored.entry.source, page(""))
      })
    )

    it.effect("is refused if it passes for a file that a person made", () =>
      Effect.gen(function* () {
        const stored = yield* storedAndRead({ source: page(""), provider: "file" })
        assert.deepStrictEqual(stored, { _tag: "Refused", why: "it passes for one that was made by hand" })
        assert.strictEqual((yield* storedAndRead({ source: page(""), provider: "hand" }))._tag, "Entry")
      })
    )
  })
})
