import { Clock, Effect, Function, Metric } from "effect"
import type { Scope } from "effect"
import { FallbackReason, type TokenUsage } from "../../domain/tools/UiEntry.ts"
import type { CacheStatistics } from "../cache/UiCache.ts"
import type { GeneratedUi } from "../generation/Generations.ts"

/**
 * What the process counts and measures of itself, under the names that Prometheus and OTLP show. Each value goes into
 * the `MetricRegistry` of the context. Labels come from closed lists, but for the names of tools, which are bounded.
 */

export type GenerationOutcome = "generated" | "repaired" | "minimal" | "failed"

/** Of what kind a generation is: what somebody waits for, or the second draft of a UI that is there. */
export type Draft = "first" | "second"

export type ReadResult = "hit" | "miss"

/** A code of {@link FallbackReason}, or what went wrong with a server or a session. */
export type ErrorKind =
  | FallbackReason["code"]
  | "UPSTREAM_UNAVAILABLE"
  | "UPSTREAM_EXITED"
  | "UPSTREAM_LOST"
  | "SESSION_FAILED"

const DIRECTIONS = ["input", "output"] as const
const DRAFTS: ReadonlyArray<Draft> = ["first", "second"]
const OUTCOMES: ReadonlyArray<GenerationOutcome> = ["generated", "repaired", "minimal", "failed"]
const REASONS: ReadonlyArray<FallbackReason["code"]> = FallbackReason.fields.code.literals
const KINDS: ReadonlyArray<ErrorKind> = [
  ...REASONS.filter((code) => code !== "NO_MODEL"),
  "UPSTREAM_UNAVAILABLE",
  "UPSTREAM_EXITED",
  "UPSTREAM_LOST",
  "SESSION_FAILED"
]

/** Seconds: fine steps around one answer, up to the budget of a generation without readers. */
const DURATION_BOUNDARIES = [0.5, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 45, 60]

/** Tools that have a series of their own; further ones share the label `other`. */
const MAX_TOOLS = 200
const MAX_TOOL_CHARACTERS = 64
const OTHER_TOOLS = "other"

const counter = (name: string, unit: string, description: string) =>
  Metric.counter(`mcp_gen_ui_${name}_total`, { description, incremental: true, attributes: { unit } })
const gauge = (name: string, unit: string, description: string) =>
  Metric.gauge(`mcp_gen_ui_${name}`, { description, attributes: { unit } })

const generationDuration = Metric.histogram("mcp_gen_ui_generation_duration_seconds", {
  description: "Time from a permit to the end of a generation, by how it ended and by draft.",
  boundaries: DURATION_BOUNDARIES,
  attributes: { unit: "seconds" }
})
const generationsInFlight = gauge("generations_in_flight", "{generation}", "Generations that hold a permit.")
const queueLength = gauge("generation_queue_length", "{generation}", "Generations that wait for a permit.")
const uiReads = counter("ui_reads", "{read}", "Reads of UIs, by whether a cached one was served.")
const fallbacks = counter("fallbacks", "{ui}", "Times that another UI had to stand in for a generated one, by reason.")
const refinements = counter("refinements", "{refinement}", "Refinements that were asked for, by tool.")
const errors = counter("errors", "{error}", "Failures of models, answers, servers and sessions, by kind.")
const modelTokens = counter("model_tokens", "{token}", "Tokens of finished model requests, by direction and by draft.")
const cacheEntries = gauge("cache_entries", "{entry}", "UIs in the cache.")
const cacheBytes = gauge("cache_bytes", "bytes", "Size of the UIs in the cache.")
const cacheEvictions = counter("cache_evictions", "{entry}", "UIs that the cache dropped to stay within its bounds.")
const sessions = gauge("sessions", "{session}", "Sessions of hosts over HTTP.")

/** One series of a metric. */
const series = <Input, State>(metric: Metric.Metric<Input, State>, label: string, value: string) =>
  Metric.withAttributes(metric, { [label]: value })

const durations = (outcome: GenerationOutcome, draft: Draft) =>
  series(series(generationDuration, "outcome", outcome), "draft", draft)

const tokens = (direction: (typeof DIRECTIONS)[number], draft: Draft) =>
  series(series(modelTokens, "direction", direction), "draft", draft)

const toolLabels = new WeakMap<Map<string, unknown>, Set<string>>()

const toolLabel = (registry: Map<string, unknown>, toolName: string): string => {
  const known = toolLabels.get(registry) ?? new Set()
  toolLabels.set(registry, known)
  const label = toolName.slice(0, MAX_TOOL_CHARACTERS).toWellFormed()
  if (!known.has(label) && known.size >= MAX_TOOLS) return OTHER_TOOLS
  known.add(label)
  return label
}

/** Shows a value that lives elsewhere; it is read whenever metrics are collected, until the scope closes. */
const observed = <Input, State>(
  metric: Metric.Metric<Input, State>,
  get: () => State
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.asVoid(
    Effect.acquireRelease(
      Effect.map(Effect.context<never>(), (context) =>
        Metric.registerUnsafe(metric, context, { get, update: Function.constVoid, modify: Function.constVoid })
      ),
      (registration) => Effect.sync(() => registration.remove())
    )
  )

/** Starts every series of a closed list at 0: else its first increase would not be seen as one. */
export const announce: Effect.Effect<void> = Effect.all(
  [
    ...OUTCOMES.flatMap((outcome) => DRAFTS.map((draft) => Metric.value(durations(outcome, draft)))),
    ...DIRECTIONS.flatMap((direction) => DRAFTS.map((draft) => Metric.value(tokens(direction, draft)))),
    ...(["hit", "miss"] as const).map((result) => Metric.value(series(uiReads, "result", result))),
    ...REASONS.map((reason) => Metric.value(series(fallbacks, "reason", reason))),
    ...KINDS.map((kind) => Metric.value(series(errors, "kind", kind)))
  ],
  { discard: true }
)

const outcomeOf = ({ level, source }: Pick<GeneratedUi, "level" | "source">): GenerationOutcome => {
  if (source === null) return "minimal"
  return level === 0 ? "generated" : "repaired"
}

/** `durationMs` without the time in the queue. */
export const generationEnded = (outcome: GenerationOutcome, durationMs: number, draft: Draft = "first") =>
  Metric.update(durations(outcome, draft), durationMs / 1000)

/** Measures a generation; one that is interrupted, because nobody waits for it any more, has no outcome. */
export const measureGeneration = <E, R>(
  generation: Effect.Effect<GeneratedUi, E, R>,
  draft: Draft = "first"
): Effect.Effect<GeneratedUi, E, R> =>
  Effect.flatMap(Clock.currentTimeMillis, (begunAt) => {
    const ended = (outcome: GenerationOutcome) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => generationEnded(outcome, now - begunAt, draft))
    return generation.pipe(
      Effect.tap((ui) => ended(outcomeOf(ui))),
      Effect.tapError(() => ended("failed"))
    )
  })

/** `read` must be quick, and must not throw. */
export const observeGenerations = (
  read: () => { readonly running: number; readonly queued: number }
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.andThen(
    observed(generationsInFlight, () => ({ value: read().running })),
    observed(queueLength, () => ({ value: read().queued }))
  )

export const uiRead = (result: ReadResult): Effect.Effect<void> => Metric.update(series(uiReads, "result", result), 1)

export const fallbackServed = (reason: FallbackReason["code"]): Effect.Effect<void> =>
  Metric.update(series(fallbacks, "reason", reason), 1)

/** The first 200 tools have a series each, under the first 64 characters of their names. */
export const refinementAsked = (toolName: string): Effect.Effect<void> =>
  Effect.flatMap(Metric.MetricRegistry, (registry) =>
    Metric.update(series(refinements, "tool", toolLabel(registry, toolName)), 1)
  )

export const errorOccurred = (kind: ErrorKind): Effect.Effect<void> => Metric.update(series(errors, "kind", kind), 1)

/** What a provider reported for one request; `null` if it reported nothing. */
export const tokensUsed = (usage: TokenUsage | null, draft: Draft = "first"): Effect.Effect<void> =>
  usage === null
    ? Effect.void
    : Effect.andThen(
        Metric.update(tokens("input", draft), usage.inputTokens),
        Metric.update(tokens("output", draft), usage.outputTokens)
      )

/** `read` must be quick, and must not throw. */
export const observeCache = (
  read: () => Pick<CacheStatistics, "entries" | "bytes" | "evictions">
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.all(
    [
      observed(cacheEntries, () => ({ value: read().entries })),
      observed(cacheBytes, () => ({ value: read().bytes })),
      observed(cacheEvictions, () => ({ count: read().evictions, incremental: true }))
    ],
    { discard: true }
  )

/** `count` must be quick, and must not throw. */
export const observeSessions = (count: () => number): Effect.Effect<void, never, Scope.Scope> =>
  observed(sessions, () => ({ value: count() }))
