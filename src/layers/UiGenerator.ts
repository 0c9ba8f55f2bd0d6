import { Cause, Clock, Effect, Layer, Random, Stream } from "effect"
import type { FallbackReason, TokenUsage } from "../domain/documents/UiEntry.ts"
import { HtmlInspector } from "../services/HtmlInspector.ts"
import type { Inspection, InspectionContext, Problem } from "../services/HtmlInspector.ts"
import { LanguageModel } from "../services/LanguageModel.ts"
import type { ModelFailed } from "../services/LanguageModel.ts"
import { PromptLibrary } from "../services/PromptLibrary.ts"
import type { GenerateInput, Prompt } from "../services/PromptLibrary.ts"
import { RequestId } from "../services/RequestId.ts"
import { GenerationFailed, UiGenerator } from "../services/UiGenerator.ts"

export interface UiGeneratorOptions {
  /** The budget of a whole generation: every attempt, every wait, the repair. */
  readonly timeoutMs: number
  /** How many requests may be sent in all for one prompt, as long as each fails in a way that allows another. */
  readonly maxAttempts: number
  /** The wait before the second attempt; it doubles from there, up to 5 s. */
  readonly retryDelayMs: number
  readonly maxOutputTokens: number
  readonly maxHtmlBytes: number
}

const MAX_RETRY_DELAY_MS = 5000
const MAX_JITTER = 0.1

/** How many characters arrive between two looks at an unfinished answer. */
const PARTIAL_STEP = 2048

interface Answer {
  readonly text: string
  readonly truncated: boolean
  readonly usage: TokenUsage | null
  /** Why the answer was stopped before its end. */
  readonly stopped: Problem | null
}

const sum = (a: TokenUsage | null, b: TokenUsage | null): TokenUsage | null =>
  a === null || b === null
    ? (a ?? b)
    : { inputTokens: a.inputTokens + b.inputTokens, outputTokens: a.outputTokens + b.outputTokens }

const modelReason = (failure: ModelFailed): FallbackReason => ({
  code: failure.code,
  message: failure.message,
  transient: failure.retryable
})

/** The wait after the n-th failure, in milliseconds: what the provider asked for, else exponential with jitter. */
const delayAfter = Effect.fnUntraced(function* (failure: ModelFailed, failures: number, retryDelayMs: number) {
  if (failure.retryAfterMs !== null) return failure.retryAfterMs
  const jitter = yield* Random.nextBetween(1, 1 + MAX_JITTER)
  return Math.min(retryDelayMs * 2 ** (failures - 1) * jitter, MAX_RETRY_DELAY_MS)
})

const list = (problems: ReadonlyArray<Problem>): string => problems.map((problem) => problem.rule).join(", ")

/**
 * Asks the language model of its context. One generation is: prompt → stream, looked at while it arrives →
 * inspection → document, or one repair prompt → document; all within `timeoutMs`. Only failures of the model that
 * are retryable are retried, after the wait the provider asked for, else after an exponential one; a wait that does
 * not fit into what is left of the budget ends the generation at once. Interruption closes the model's stream.
 *
 * `generate` fails with `GenerationFailed`: TIMEOUT at the end of the budget, the model's code when it failed,
 * REJECTED or PROMPT_INJECTION when its answer may not be shown, INTERNAL for a broken prompt file or a bug.
 */
export const layer = (
  options: UiGeneratorOptions
): Layer.Layer<UiGenerator, never, LanguageModel | PromptLibrary | HtmlInspector> =>
  Layer.effect(
    UiGenerator,
    Effect.gen(function* () {
      const model = yield* LanguageModel
      const prompts = yield* PromptLibrary
      const inspector = yield* HtmlInspector

      const collect = Effect.fn("UiGenerator.collect")(function* (prompt: Prompt, context: InspectionContext) {
        const requestId = yield* RequestId
        let text = ""
        let inspected = 0
        let truncated = false
        let usage: TokenUsage | null = null
        let stopped: Problem | null = null
        yield* model.stream({ ...prompt, maxOutputTokens: options.maxOutputTokens, requestId }).pipe(
          Stream.runForEachWhile((part) =>
            Effect.gen(function* () {
              if (part.type === "end") {
                truncated = part.truncated
                usage = part.usage
                return false
              }
              text += part.text
              if (text.length - inspected < PARTIAL_STEP) return true
              inspected = text.length
              stopped = yield* inspector.inspectPartial(text, context)
              return stopped === null
            })
          )
        )
        const answer: Answer = { text, truncated, usage, stopped }
        return answer
      })

      const inspect = Effect.fn("UiGenerator.inspect")(function* (answer: Answer, context: InspectionContext) {
        const verdict: Inspection = yield* inspector.inspect(answer.text, context)
        if (answer.stopped !== null) {
          const suspectedInjection = verdict._tag === "Rejected" && verdict.suspectedInjection
          return { _tag: "Rejected", problems: [answer.stopped], suspectedInjection } satisfies Inspection
        }
        if (!answer.truncated || (verdict._tag === "Accepted" && verdict.source === null)) return verdict
        const cut: Problem = {
          rule: "truncated",
          message: `The answer was cut off at ${options.maxOutputTokens} tokens. Write a shorter one.`
        }
        return {
          _tag: "Rejected",
          problems: verdict._tag === "Rejected" ? [cut, ...verdict.problems] : [cut],
          suspectedInjection: verdict._tag === "Rejected" && verdict.suspectedInjection
        } satisfies Inspection
      })

      const generate = Effect.fn("UiGenerator.generate")(function* (input: GenerateInput) {
        const toolName = input.tool.name
        const startedAt = yield* Clock.currentTimeMillis
        const deadline = startedAt + options.timeoutMs
        const context: InspectionContext = { toolNames: [toolName], maxHtmlBytes: options.maxHtmlBytes }
        let attempt = 0
        let rejected: ReadonlyArray<Problem> = []

        const failed = (reason: FallbackReason) => new GenerationFailed({ toolName, reason })
        const log = Effect.fnUntraced(function* (
          level: "Debug" | "Info" | "Warn" | "Error",
          event: string,
          details: Readonly<Record<string, unknown>>,
          ...message: ReadonlyArray<unknown>
        ) {
          const durationMs = (yield* Clock.currentTimeMillis) - startedAt
          yield* Effect.logWithLevel(level)(...message).pipe(
            Effect.annotateLogs({ component: "UiGenerator", event, tool: toolName, attempt, durationMs, ...details })
          )
        })

        const ask = Effect.fnUntraced(function* (prompt: Prompt) {
          for (let failures = 1; ; failures += 1) {
            attempt += 1
            yield* log("Debug", "attempt-started", { system: prompt.system, prompt: prompt.prompt }, "asking the model")
            const sentAt = yield* Clock.currentTimeMillis
            const outcome = yield* Effect.result(collect(prompt, context))
            const answeredAt = yield* Clock.currentTimeMillis
            if (outcome._tag === "Success") {
              const { text, truncated, usage } = outcome.success
              const details = { attemptMs: answeredAt - sentAt, truncated, usage, answer: text }
              yield* log("Debug", "attempt-answered", details, "the model answered")
              return outcome.success
            }
            const failure = outcome.failure
            const details = { attemptMs: answeredAt - sentAt, code: failure.code, error: failure.message }
            yield* log("Warn", "attempt-failed", details, "the model did not answer")
            if (!failure.retryable || failures >= options.maxAttempts) return yield* failed(modelReason(failure))
            const delay = yield* delayAfter(failure, failures, options.retryDelayMs)
            if (answeredAt + delay >= deadline) return yield* failed(modelReason(failure))
            yield* Effect.sleep(delay)
          }
        })

        const judge = Effect.fnUntraced(function* (answer: Answer) {
          const verdict = yield* inspect(answer, context)
          if (verdict._tag === "Rejected") {
            const details = { problems: list(verdict.problems), suspectedInjection: verdict.suspectedInjection }
            yield* log("Warn", "answer-rejected", details, "the answer was rejected")
            rejected = verdict.problems
            if (verdict.suspectedInjection) {
              return yield* failed({
                code: "PROMPT_INJECTION",
                message: "the answer talks about instructions instead of being a page",
                transient: false
              })
            }
          }
          return verdict
        })

        const attemptAll = Effect.gen(function* () {
          const promptVersion = yield* prompts.version
          const first = yield* ask(yield* prompts.generate(input))
          const verdict = yield* judge(first)
          if (verdict._tag === "Accepted") {
            const level: 0 | 1 = verdict.repairs.length === 0 ? 0 : 1
            return { ...verdict, level, usage: first.usage, promptVersion }
          }
          const problems = verdict.problems.map((problem) => problem.message)
          const second = yield* ask(yield* prompts.repair({ ...input, answer: first.text, problems }))
          const corrected = yield* judge(second)
          if (corrected._tag === "Rejected") {
            return yield* failed({
              code: "REJECTED",
              message: `the answer was rejected twice: ${corrected.problems.map((problem) => problem.message).join(" ")}`,
              transient: false
            })
          }
          const repairs = [`the model corrected its answer: ${list(verdict.problems)}`, ...corrected.repairs]
          const level = 1 as const
          return { ...corrected, repairs, level, usage: sum(first.usage, second.usage), promptVersion }
        }).pipe(
          Effect.catchTag("PromptInvalid", (error) =>
            Effect.fail(failed({ code: "INTERNAL", message: error.message, transient: false }))
          )
        )

        const timedOut = Effect.suspend(() => {
          const seconds = options.timeoutMs / 1000
          const repairing = rejected.length === 0 ? "" : `, the first answer having been rejected: ${list(rejected)}`
          return Effect.fail(
            failed({ code: "TIMEOUT", message: `no answer within ${seconds} s${repairing}`, transient: true })
          )
        })

        const ui = yield* attemptAll.pipe(
          Effect.timeoutOrElse({ duration: options.timeoutMs, orElse: () => timedOut }),
          Effect.catchDefect((defect) =>
            Effect.gen(function* () {
              yield* log("Error", "generation-broke", {}, "the generation broke", Cause.die(defect))
              return yield* failed({ code: "INTERNAL", message: "the generation broke; see the log", transient: false })
            })
          ),
          Effect.tapError(({ reason }) =>
            log("Warn", "generation-failed", { code: reason.code, error: reason.message }, "no UI was generated")
          )
        )
        const { source, uiType, level, repairs, warnings, usage, promptVersion } = ui
        yield* log("Info", "generation-succeeded", { uiType, level, usage }, "a UI was generated")
        return { source, uiType, level, repairs, warnings, usage, promptVersion }
      })

      return UiGenerator.of({ generate })
    })
  )
