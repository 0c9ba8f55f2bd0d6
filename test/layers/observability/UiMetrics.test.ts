import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Metric, Scope } from "effect"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import { TestClock } from "effect/testing"
import * as UiMetrics from "../../../src/services/observability/UiMetrics.ts"
import type { GeneratedUi } from "../../../src/services/generation/Generations.ts"
import { parsePrometheusText, valueOf } from "../../fixtures/prometheusText.ts"

/** A test with metrics of its own. */
const effect = (name: string, body: () => Effect.fn.Return<void, unknown, Scope.Scope>): void =>
  it.effect(name, () => Effect.provideService(Effect.fnUntraced(body)(), Metric.MetricRegistry, new Map()))

const text = PrometheusMetrics.format()

const DURATION = "mcp_gen_ui_generation_duration_seconds"

const ui: GeneratedUi = {
  source: "<main></main>",
  uiType: "rich",
  level: 0,
  repairs: [],
  warnings: [],
  usage: null,
  promptVersion: "1"
}

describe("generations", () => {
  effect("are measured by how they ended", function* () {
    const takes = (seconds: number, end: Effect.Effect<GeneratedUi, string>) =>
      Effect.gen(function* () {
        const measured = UiMetrics.measureGeneration(Effect.delay(end, `${seconds} seconds`))
        const fiber = yield* Effect.forkChild(Effect.exit(measured), { startImmediately: true })
        yield* TestClock.adjust(`${seconds} seconds`)
        return yield* Fiber.join(fiber)
      })
    const exit = yield* takes(2, Effect.succeed(ui))
    assert.deepStrictEqual(exit, Exit.succeed(ui))
    yield* takes(7, Effect.succeed(ui))
    yield* takes(3, Effect.succeed({ ...ui, level: 1 }))
    yield* takes(1, Effect.succeed({ ...ui, source: null, uiType: "minimal" }))
    assert.deepStrictEqual(yield* takes(15, Effect.fail("no")), Exit.fail("no"))
    const shown = yield* text
    const counts = ["generated", "repaired", "minimal", "failed"].map((outcome) => [
      valueOf(shown, `${DURATION}_count`, { outcome, draft: "first" }),
      valueOf(shown, `${DURATION}_sum`, { outcome, draft: "first" })
    ])
    assert.deepStrictEqual(counts, [
      [2, 9],
      [1, 3],
      [1, 1],
      [1, 15]
    ])
    const bucket = (le: string) => valueOf(shown, `${DURATION}_bucket`, { outcome: "generated", draft: "first", le })
    assert.deepStrictEqual(["1", "2", "6", "8", "+Inf"].map(bucket), [0, 1, 1, 2, 2])
  })

  effect("that nobody waits for have no outcome", function* () {
    const fiber = yield* Effect.forkChild(UiMetrics.measureGeneration(Effect.never), { startImmediately: true })
    yield* Fiber.interrupt(fiber)
    assert.notInclude(yield* text, DURATION)
  })

  effect("under way are read when somebody asks, as long as there is something to read", function* () {
    const scope = yield* Scope.make()
    const state = { running: 0, queued: 0 }
    yield* Scope.provide(
      UiMetrics.observeGenerations(() => state),
      scope
    )
    state.running = 2
    state.queued = 5
    const shown = yield* text
    assert.strictEqual(valueOf(shown, "mcp_gen_ui_generations_in_flight"), 2)
    assert.strictEqual(valueOf(shown, "mcp_gen_ui_generation_queue_length"), 5)
    yield* Scope.close(scope, Exit.void)
    assert.strictEqual(yield* text, "")
  })
})

describe("what happens", () => {
  effect("is counted", function* () {
    yield* UiMetrics.uiRead("hit")
    yield* UiMetrics.uiRead("hit")
    yield* UiMetrics.uiRead("miss")
    yield* UiMetrics.fallbackServed("TIMEOUT")
    yield* UiMetrics.errorOccurred("RATE_LIMIT")
    yield* UiMetrics.errorOccurred("UPSTREAM_LOST")
    yield* UiMetrics.tokensUsed({ inputTokens: 900, outputTokens: 40, cachedInputTokens: 800 })
    yield* UiMetrics.tokensUsed({ inputTokens: 100, outputTokens: 2 })
    yield* UiMetrics.tokensUsed({ inputTokens: 5000, outputTokens: 3000 }, "second")
    yield* UiMetrics.tokensUsed(null)
    const shown = yield* text
    const draft = "first"
    assert.strictEqual(valueOf(shown, "mcp_gen_ui_model_tokens_total", { direction: "input", draft }), 1000)
    assert.strictEqual(valueOf(shown, "mcp_gen_ui_model_tokens_total", { direction: "output", draft }), 42)
    const other = { direction: "output", draft: "second" }
    assert.strictEqual(valueOf(shown, "mcp_gen_ui_model_tokens_total", other), 3000)
    const expected: ReadonlyArray<readonly [string, string, string, number]> = [
      ["ui_reads", "result", "hit", 2],
      ["ui_reads", "result", "miss", 1],
      ["fallbacks", "reason", "TIMEOUT", 1],
      ["errors", "kind", "RATE_LIMIT", 1],
      ["errors", "kind", "UPSTREAM_LOST", 1]
    ]
    for (const [name, label, value, count] of expected) {
      assert.strictEqual(valueOf(shown, `mcp_gen_ui_${name}_total`, { [label]: value }), count, `${name} ${value}`)
    }
  })

  effect("begins at 0, with a text about every family and no unit among the labels", function* () {
    yield* UiMetrics.announce
    const shown = yield* text
    assert.strictEqual(valueOf(shown, `${DURATION}_bucket`, { outcome: "failed", draft: "second", le: "+Inf" }), 0)
    assert.strictEqual(valueOf(shown, "mcp_gen_ui_ui_reads_total", { result: "hit" }), 0)
    assert.strictEqual(valueOf(shown, "mcp_gen_ui_errors_total", { kind: "UPSTREAM_UNAVAILABLE" }), 0)
    assert.strictEqual(valueOf(shown, "mcp_gen_ui_fallbacks_total", { reason: "NO_MODEL" }), 0)
    assert.isUndefined(valueOf(shown, "mcp_gen_ui_errors_total", { kind: "NO_MODEL" }))
    for (const { help, name } of parsePrometheusText(shown).values()) assert.isNotEmpty(help, name)
    yield* UiMetrics.uiRead("hit")
    yield* UiMetrics.announce
    assert.strictEqual(valueOf(yield* text, "mcp_gen_ui_ui_reads_total", { result: "hit" }), 1)
  })
})

describe("refinements", () => {
  const NAME = "mcp_gen_ui_refinements_total"

  effect("are counted by tool, whatever its name", function* () {
    const odd = 'a"b\\c\nd, {e="f"} ü'
    yield* UiMetrics.refinementAsked(odd)
    yield* UiMetrics.refinementAsked(odd)
    assert.strictEqual(valueOf(yield* text, NAME, { tool: odd }), 2)
  })

  effect("have at most 200 tools of their own", function* () {
    for (let at = 0; at < 230; at += 1) yield* UiMetrics.refinementAsked(`tool-${at}`)
    yield* UiMetrics.refinementAsked("tool-7")
    const shown = yield* text
    assert.strictEqual(parsePrometheusText(shown).get(NAME)?.samples.length, 201)
    assert.strictEqual(valueOf(shown, NAME, { tool: "other" }), 30)
    assert.strictEqual(valueOf(shown, NAME, { tool: "tool-7" }), 2)
  })

  effect("are counted under the first 64 characters of a long name", function* () {
    yield* UiMetrics.refinementAsked("x".repeat(300))
    yield* UiMetrics.refinementAsked(`${"y".repeat(63)}😀`)
    const shown = yield* text
    assert.strictEqual(valueOf(shown, NAME, { tool: "x".repeat(64) }), 1)
    assert.strictEqual(valueOf(shown, NAME, { tool: `${"y".repeat(63)}\u{fffd}` }), 1)
  })
})

describe("the cache", () => {
  effect("is read when somebody asks", function* () {
    let statistics = { entries: 0, bytes: 0, evictions: 0 }
    yield* UiMetrics.observeCache(() => statistics)
    statistics = { entries: 3, bytes: 4096, evictions: 7 }
    const shown = yield* text
    assert.strictEqual(valueOf(shown, "mcp_gen_ui_cache_entries"), 3)
    assert.strictEqual(valueOf(shown, "mcp_gen_ui_cache_bytes"), 4096)
    assert.strictEqual(valueOf(shown, "mcp_gen_ui_cache_evictions_total"), 7)
  })
})
