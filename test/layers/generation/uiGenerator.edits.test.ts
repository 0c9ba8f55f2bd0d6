import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { NOTHING_LEARNED } from "../../../src/domain/tools/LearnedResults.ts"
import { toolFromDefinition } from "../../../src/domain/tools/Tool.ts"
import { makeUiGenerator } from "../../../src/layers/generation/uiGenerator.ts"
import * as HtmlInspectorLayer from "../../../src/layers/inspection/HtmlInspector.ts"
import * as PackageFilesLayer from "../../../src/layers/documents/PackageFiles.ts"
import * as PromptLibraryLayer from "../../../src/layers/generation/PromptLibrary.ts"
import { CONFIG_DEFAULTS } from "../../../src/domain/settings/ConfigDefaults.ts"
import { HtmlInspector } from "../../../src/services/inspection/HtmlInspector.ts"
import { PromptLibrary } from "../../../src/services/generation/PromptLibrary.ts"
import type { GenerationProgress } from "../../../src/services/generation/GenerationProgress.ts"
import { after, answers, hangs, scriptedModel, type Turn } from "../../fixtures/scriptedModel.ts"

const tool = toolFromDefinition({ name: "list_issues", inputSchema: { type: "object" } })
if (tool === undefined) throw new Error("the definition above is a tool")

const SOURCE = `<script type="module">
  import { show, header, table } from "mcp-gen-ui/parts"
  show((data) => [header("Issues"), table(data.items)])
</script>`
const edit = (find: string, replace: string): string =>
  `<<<<<<< SEARCH\n${find}\n=======\n${replace}\n>>>>>>> REPLACE\n`
const FIT = edit('header("Issues")', 'header("Open issues")')
const EDITED = SOURCE.replace('"Issues"', '"Open issues"')
const WHOLE = `<!-- rich -->\n${SOURCE.replace("Issues", "All of them")}`
const MISFIT = edit("heading(", "header(")
const ASKS_FOR_EDITS = /Answer with edits of it/
const ASKS_FOR_WHOLE = /word for word\. Answer with the whole page/

const { limits } = CONFIG_DEFAULTS.generation
const options = { timeoutMs: 15_000, maxAttempts: 3, retryDelayMs: 1000, maxOutputTokens: 8000, maxHtmlBytes: 512_000 }
const layers: Layer.Layer<HtmlInspector | PromptLibrary> = Layer.merge(
  HtmlInspectorLayer.layer,
  PromptLibraryLayer.layer({ limits })
).pipe(Layer.provide(PackageFilesLayer.layer))

/** Takes every text for a page, and loads nothing, so that the clock of the test is the only one. */
const anyPage = Layer.succeed(HtmlInspector, {
  inspect: (source) => Effect.succeed({ _tag: "Accepted", uiType: "rich", source, repairs: [], warnings: [] }),
  inspectPartial: () => Effect.succeed(null)
})
const said = Effect.succeed({ system: "system", prompt: "prompt" })
const plainPrompts = Layer.succeed(PromptLibrary, {
  version: Effect.succeed("1"),
  generate: () => said,
  repair: () => said,
  brief: () => Effect.succeed("brief")
})

const refining = (turns: readonly [Turn, ...ReadonlyArray<Turn>], given = layers) => {
  const model = scriptedModel(turns)
  const progress: Array<GenerationProgress> = []
  const input = { tool, hints: {}, refinements: ["open"], currentSource: SOURCE, learned: NOTHING_LEARNED }
  const generate = Effect.flatMap(makeUiGenerator(options), (generateUi) =>
    generateUi(input, (step) => progress.push(step))
  ).pipe(Effect.provide([model.layer, given]))
  return { model, generate, progress }
}

describe("a refinement that is answered with edits", () => {
  it.effect.each([
    ["edits that fit", FIT, EDITED, 0],
    ["edits after a verdict, in a fence", `<!-- rich -->\n\`\`\`\n${FIT}\`\`\``, EDITED, 0],
    ["a whole page all the same", WHOLE, WHOLE.slice(14), 0],
    ["the verdict minimal", "<!-- minimal -->", null, 0],
    ["edits whose page is repaired by rule", edit("header, table }", "table }"), SOURCE, 1]
  ] as const)("takes %s, in one request", ([, answer, source, level]) =>
    Effect.gen(function* () {
      const { generate, model, progress } = refining([answers(answer, { chunkSize: 7 })])
      const ui = yield* generate
      assert.deepInclude(ui, { source: ui.level === 1 ? ui.source : source, level })
      assert.lengthOf(model.requests, 1)
      assert.match(model.requests[0]?.prompt ?? "", ASKS_FOR_EDITS)
      // What the studio shows grows with the answer.
      const written = progress.filter(({ stage }) => stage === "writing").map(({ characters }) => characters)
      assert.deepStrictEqual(
        written,
        written.toSorted((a, b) => a - b)
      )
    })
  )

  it.effect.each([
    ["fit nowhere", MISFIT, {}],
    ["are cut off", FIT, { truncated: true }],
    ["have a page beside them", `${FIT}\n${WHOLE}`, {}]
  ] as const)("asks once for the whole page where they %s", ([, answer, how]) =>
    Effect.gen(function* () {
      const { generate, model } = refining([answers(answer, how), answers(WHOLE)])
      const ui = yield* generate
      assert.strictEqual(ui.source, WHOLE.slice(14))
      assert.deepStrictEqual([ui.level, ui.repairs], [1, ["the model corrected its answer: edits-misfit"]])
      assert.lengthOf(model.requests, 2)
      assert.match(model.requests[1]?.prompt ?? "", ASKS_FOR_WHOLE)
    })
  )

  it.effect.each([
    ["edits that do not fit again", MISFIT],
    ["a page that is refused", `${WHOLE}<iframe src="https://evil.example"></iframe>`]
  ] as const)("fails after %s: it is not asked a third time", ([, second]) =>
    Effect.gen(function* () {
      const { generate, model } = refining([answers(MISFIT), answers(second)])
      assert.strictEqual((yield* Effect.flip(generate)).reason.code, "REJECTED")
      assert.lengthOf(model.requests, 2)
    })
  )

  it.effect("asks for a repair of the page that they make, where that is refused", () =>
    Effect.gen(function* () {
      const bad = edit('header("Issues")', 'header("Issues"), h("iframe", { src: "https://evil.example" })')
      const { generate, model } = refining([answers(bad), answers(WHOLE)])
      assert.deepInclude(yield* generate, { source: WHOLE.slice(14), level: 1 })
      assert.include(model.requests[1]?.prompt, "Your last answer for this tool could not be used")
      assert.include(model.requests[1]?.prompt, 'h("iframe"')
    })
  )

  it.effect.each([
    ["asked for the whole page", [after(9000, answers(MISFIT)), hangs()], 2],
    ["edits that are still being written, and are no page", [hangs(edit("</script>", "</script>"))], 1]
  ] as const)("keeps to the budget: %s", ([, [first, ...more], requests]) =>
    Effect.gen(function* () {
      const { generate, model } = refining([first, ...more], Layer.merge(anyPage, plainPrompts))
      const fiber = yield* Effect.forkChild(Effect.flip(generate), { startImmediately: true })
      yield* TestClock.adjust(options.timeoutMs)
      assert.strictEqual((yield* Fiber.join(fiber)).reason.code, "TIMEOUT")
      assert.lengthOf(model.requests, requests)
    })
  )
})
