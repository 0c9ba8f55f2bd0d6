import { Cause, Clock, Effect, Predicate, Random, Stream } from "effect"
import { tokenUsage } from "../../adapters/generation/apiModel.ts"
import { shortened } from "../../domain/shortened.ts"
import type { FallbackReason, TokenUsage } from "../../domain/tools/UiEntry.ts"
import { memberNames } from "../../domain/tools/memberNames.ts"
import { editedSource, holdsEdits } from "../../domain/tools/sourceEdits.ts"
import { inputNames } from "../../domain/tools/SecretFields.ts"
import { HtmlInspector } from "../../services/inspection/HtmlInspector.ts"
import type { Inspection, InspectionContext, Problem } from "../../services/inspection/HtmlInspector.ts"
import type { GenerationProgress } from "../../services/generation/GenerationProgress.ts"
import { LanguageModel, ModelFailed } from "../../services/generation/LanguageModel.ts"
import { PromptLibrary } from "../../services/generation/PromptLibrary.ts"
import type { GenerateInput, Prompt } from "../../services/generation/PromptLibrary.ts"
import { RequestId } from "../../services/session/RequestId.ts"
import { type GeneratedUi, GenerationFailed } from "../../services/generation/Generations.ts"
import * as UiMetrics from "../../services/observability/UiMetrics.ts"

export interface UiGeneratorOptions {
  /** The budget of the model's work on one UI: every attempt, every wait, the repair. See {@link generationBudgetMs}. */
  readonly timeoutMs: number
  /** How many requests may be sent for one prompt, if each fails in a way that allows another. */
  readonly maxAttempts: number
  /** The wait before the second attempt; it doubles from there, up to 5 s. */
  readonly retryDelayMs: number
  readonly maxOutputTokens: number
  readonly maxHtmlBytes: number
}

/** Nobody waits for a second draft, so it may take its time, whatever `timeoutMs` says. */
export const SECOND_DRAFT_TIMEOUT_MS = 60_000
export const SECOND_DRAFT_TOKENS = 4000

export const draftOf = ({ secondDraft }: Pick<GenerateInput, "secondDraft">): UiMetrics.Draft =>
  secondDraft === undefined ? "first" : "second"

/** A generation that goes on without its readers may take this many times as long. */
const CONTINUED_BUDGET_FACTOR = 4

/** What `timeoutMs` and `onTimeout` of the configuration leave for the model's work, in milliseconds. */
export const generationBudgetMs = (generation: {
  readonly timeoutMs: number
  readonly onTimeout: "abort" | "continue"
}): number => generation.timeoutMs * (generation.onTimeout === "continue" ? CONTINUED_BUDGET_FACTOR : 1)

const MAX_RETRY_DELAY_MS = 5000
const MAX_JITTER = 0.1

/** After two empty answers in a row a third is no better. */
const MAX_EMPTY_ANSWERS = 2

/** An unfinished answer is inspected after this many more characters, or an eighth of it: each time all of it is read. */
const PARTIAL_STEP = 2048
const PARTIAL_SHARE = 1 / 8

/** What a reason may quote of the problems of one answer, in characters. */
const MAX_QUOTED_PROBLEMS = 400

const COMMENT_END = "-->"
const RICH_VERDICT = "<!-- rich -->"

interface Answer {
  readonly text: string
  readonly truncated: boolean
  readonly usage: TokenUsage | null
  /** Why the answer was stopped before its end. */
  readonly stopped: Problem | null
}

type Accepted = Extract<Inspection, { readonly _tag: "Accepted" }>

const sum = (a: TokenUsage | null, b: TokenUsage | null): TokenUsage | null => {
  if (a === null || b === null) return a ?? b
  return tokenUsage(
    a.inputTokens + b.inputTokens,
    a.outputTokens + b.outputTokens,
    (a.cachedInputTokens ?? 0) + (b.cachedInputTokens ?? 0)
  )
}

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

const quote = (problems: ReadonlyArray<Problem>): string => {
  return shortened(problems.map((problem) => problem.message).join(" "), MAX_QUOTED_PROBLEMS)
}

const requiresInput = (schema: unknown): boolean =>
  Predicate.hasProperty(schema, "required") && Array.isArray(schema.required) && schema.required.length > 0

/** Whether the last script of an answer is complete. Half of a script is of no use. */
const closesItsScript = (text: string): boolean => {
  const lower = text.toLowerCase()
  return lower.lastIndexOf("</script") > lower.lastIndexOf("<script")
}

/**
 * Asks the language model of its context. One generation is: prompt → stream, looked at while it arrives →
 * inspection → document, or one repair prompt → document; all within `timeoutMs`. It retries
 * failures of the model that are retryable, after the wait that the provider asked for, else after an exponential one. A
 * wait that does not fit into the rest of the budget ends the generation at once. Interruption closes the model's stream.
 *
 * An answer that cannot become a page any more is stopped, and sent back with the reason. After
 * the verdict "minimal" nothing else counts, so the answer is stopped; its usage is not known then. After an empty answer
 * the model is asked once more. At the end of the budget an answer is used if it is a whole page already.
 *
 * It fails with `GenerationFailed`: TIMEOUT at the end of the budget, the model's code when it failed,
 * REJECTED or PROMPT_INJECTION when its answer may not be shown, INTERNAL for a broken prompt file or a bug.
 */
export const makeUiGenerator = Effect.fnUntraced(function* (options: UiGeneratorOptions) {
  const model = yield* LanguageModel
  const prompts = yield* PromptLibrary
  const inspector = yield* HtmlInspector

  const emptyAnswer = new ModelFailed({
    provider: model.provider,
    code: "SERVER_ERROR",
    status: null,
    retryAfterMs: null,
    detail: "the answer is empty"
  })

  /** `onText` hears of the whole text so far with every piece. */
  const collect = Effect.fn("UiGenerator.collect")(function* (
    prompt: Prompt,
    context: InspectionContext,
    onText: (text: string) => void
  ) {
    const requestId = yield* RequestId
    let text = ""
    let inspected = 0
    let sawVerdict = false
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
          onText(text)
          // Edits are no page before they are applied.
          if (holdsEdits(text)) return true
          if (!sawVerdict && text.includes(COMMENT_END)) {
            sawVerdict = true
            const verdict = yield* inspector.inspect(text, context)
            if (verdict._tag === "Accepted" && verdict.source === null) return false
          }
          if (text.length - inspected < Math.max(PARTIAL_STEP, inspected * PARTIAL_SHARE)) return true
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

  return Effect.fn("UiGenerator.generate")(function* (
    input: GenerateInput,
    onProgress: (progress: GenerationProgress) => void = () => {}
  ) {
    const toolName = input.tool.name
    const startedAt = yield* Clock.currentTimeMillis
    const deadline = startedAt + options.timeoutMs
    const context: InspectionContext = {
      toolNames: input.tool.callable,
      inputRequired: requiresInput(input.tool.inputSchema),
      inputNames: inputNames(input.tool.inputSchema),
      maxHtmlBytes: options.maxHtmlBytes,
      ...(input.secondDraft !== undefined && input.currentSource !== null
        ? {
            before: {
              source: input.currentSource,
              members: memberNames(input.tool, input.learned),
              shown: input.secondDraft.members
            }
          }
        : {})
    }
    const draft = draftOf(input)
    let attempt = 0
    let charactersBefore = 0
    /** The text of the attempt under way. */
    let writing = ""
    let rejected: ReadonlyArray<Problem> = []
    let usage: TokenUsage | null = null

    const report = (stage: GenerationProgress["stage"]): void =>
      onProgress({ stage, characters: charactersBefore + writing.length, attempts: attempt })
    const attemptIsOver = (): void => {
      charactersBefore += writing.length
      writing = ""
    }

    const failed = (reason: FallbackReason, retryAfterMs: number | null = null) =>
      new GenerationFailed({ toolName, reason, ...(retryAfterMs === null ? {} : { retryAfterMs }) })
    const log = Effect.fnUntraced(function* (
      level: "Debug" | "Info" | "Warn" | "Error",
      event: string,
      details: Readonly<Record<string, unknown>>,
      ...message: ReadonlyArray<unknown>
    ) {
      const durationMs = (yield* Clock.currentTimeMillis) - startedAt
      yield* Effect.logWithLevel(level)(...message).pipe(
        Effect.annotateLogs({ component: "UiGenerator", event, tool: toolName, draft, attempt, durationMs, ...details })
      )
    })

    const attemptOnce = Effect.fnUntraced(function* (prompt: Prompt, stage: "asking" | "repairing") {
      attempt += 1
      report(stage)
      yield* log("Debug", "attempt-started", { system: prompt.system, prompt: prompt.prompt }, "asking the model")
      const sentAt = yield* Clock.currentTimeMillis
      const answer = yield* collect(prompt, context, (text) => {
        writing = text
        report("writing")
      })
      usage = sum(usage, answer.usage)
      yield* UiMetrics.tokensUsed(answer.usage, draft)
      const attemptMs = (yield* Clock.currentTimeMillis) - sentAt
      const details = { attemptMs, truncated: answer.truncated, usage: answer.usage, answer: answer.text }
      yield* log("Debug", "attempt-answered", details, "the model answered")
      return answer
    })

    const ask = Effect.fnUntraced(function* (prompt: Prompt, stage: "asking" | "repairing") {
      let empty = 0
      for (let failures = 1; ; failures += 1) {
        const sentAt = yield* Clock.currentTimeMillis
        const outcome = yield* Effect.result(attemptOnce(prompt, stage))
        const answeredAt = yield* Clock.currentTimeMillis
        if (outcome._tag === "Success") {
          const answer = outcome.success
          if (answer.text.trim() !== "") return answer
          if (answer.truncated) {
            const message = `the answer is empty: all ${options.maxOutputTokens} tokens went into what is not shown`
            return yield* failed({ code: "REJECTED", message, transient: false })
          }
          empty += 1
        }
        const failure = outcome._tag === "Failure" ? outcome.failure : emptyAnswer
        attemptIsOver()
        const details = { attemptMs: answeredAt - sentAt, code: failure.code, error: failure.message }
        yield* UiMetrics.errorOccurred(failure.code)
        yield* log("Warn", "attempt-failed", details, "the model did not answer")
        const isLast = failures >= options.maxAttempts || empty >= MAX_EMPTY_ANSWERS
        if (!failure.retryable || isLast) return yield* failed(modelReason(failure), failure.retryAfterMs)
        const delay = yield* delayAfter(failure, failures, options.retryDelayMs)
        if (answeredAt + delay >= deadline) return yield* failed(modelReason(failure), failure.retryAfterMs)
        yield* Effect.sleep(delay)
      }
    })

    const judge = Effect.fnUntraced(function* (answer: Answer) {
      report("checking")
      const verdict = yield* inspect(answer, context)
      attemptIsOver()
      if (verdict._tag === "Rejected") {
        const details = { problems: list(verdict.problems), suspectedInjection: verdict.suspectedInjection }
        yield* UiMetrics.errorOccurred(verdict.suspectedInjection ? "PROMPT_INJECTION" : "REJECTED")
        yield* log("Warn", "answer-rejected", details, "the answer was rejected")
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

    /** `notes` stand beside the repairs of the inspection. */
    const uiOf = (accepted: Accepted, notes: ReadonlyArray<string>) => {
      const corrected = rejected.length === 0 ? [] : [`the model corrected its answer: ${list(rejected)}`]
      const repairs = [...corrected, ...notes, ...accepted.repairs]
      const level: 0 | 1 = repairs.length === 0 ? 0 : 1
      return { ...accepted, repairs, level }
    }

    /** The whole page that an answer makes, or why its edits do not fit. */
    const pageOf = (answer: Answer): Answer | ReadonlyArray<string> => {
      if (input.secondDraft !== undefined || !holdsEdits(answer.text)) return answer
      if (answer.truncated) return [`they were cut off at ${options.maxOutputTokens} tokens`]
      const edited = editedSource(input.currentSource, answer.text)
      if (edited._tag === "Misfit") return edited.problems
      return edited._tag === "Edited" ? { ...answer, text: `${RICH_VERDICT}${edited.source}` } : answer
    }

    const notFitting = (reasons: ReadonlyArray<string>): Problem => ({
      rule: "edits-misfit",
      message: `The edits do not fit: ${reasons.join("; ")}.`
    })

    /** Asks once for the whole page instead. */
    const askForWhole = Effect.fnUntraced(function* (reasons: ReadonlyArray<string>) {
      rejected = [notFitting(reasons)]
      attemptIsOver()
      yield* UiMetrics.errorOccurred("REJECTED")
      yield* log("Warn", "edits-misfit", { problems: reasons }, "the edits do not fit")
      const page = pageOf(yield* ask(yield* prompts.generate({ ...input, isWhole: true }), "repairing"))
      if ("text" in page) return page
      const message = `the answer was rejected twice: ${quote([...rejected, notFitting(page)])}`
      return yield* failed({ code: "REJECTED", message, transient: false })
    })

    const attemptAll = Effect.gen(function* () {
      const answered = pageOf(yield* ask(yield* prompts.generate(input), "asking"))
      const isPage = "text" in answered
      const first = isPage ? answered : yield* askForWhole(answered)
      const verdict = yield* judge(first)
      if (verdict._tag === "Rejected" && !isPage) {
        const message = `the answer was rejected twice: ${quote([...rejected, ...verdict.problems])}`
        return yield* failed({ code: "REJECTED", message, transient: false })
      }
      if (verdict._tag === "Accepted") return uiOf(verdict, [])
      rejected = verdict.problems
      const problems = rejected.map((problem) => problem.message)
      const second = yield* ask(yield* prompts.repair({ ...input, answer: first.text, problems }), "repairing")
      const corrected = yield* judge(second)
      if (corrected._tag === "Accepted") return uiOf(corrected, [])
      return yield* failed({
        code: "REJECTED",
        message: `the answer was rejected twice: ${quote(rejected)} Then: ${quote(corrected.problems)}`,
        transient: false
      })
    })

    const timedOut = Effect.gen(function* () {
      if (closesItsScript(writing) && !holdsEdits(writing)) {
        const verdict = yield* inspector.inspect(writing, context)
        if (verdict._tag === "Accepted" && verdict.source !== null) {
          return uiOf(verdict, ["the answer was still being written when the time was up"])
        }
      }
      yield* UiMetrics.errorOccurred("TIMEOUT")
      const seconds = options.timeoutMs / 1000
      const repairing = rejected.length === 0 ? "" : `, the first answer having been rejected: ${list(rejected)}`
      return yield* failed({
        code: "TIMEOUT",
        message: `no answer within ${seconds} s${repairing}`,
        transient: true
      })
    })

    const ui = yield* Effect.gen(function* () {
      const promptVersion = yield* prompts.version
      const made = yield* Effect.timeoutOrElse(attemptAll, {
        duration: options.timeoutMs,
        orElse: () => timedOut
      })
      return { ...made, promptVersion }
    }).pipe(
      Effect.catchTag("PromptInvalid", (error) =>
        Effect.fail(failed({ code: "INTERNAL", message: error.message, transient: false }))
      ),
      Effect.catchDefect((defect) =>
        Effect.gen(function* () {
          yield* log("Error", "generation-broke", {}, "the generation broke", Cause.die(defect))
          return yield* failed({ code: "INTERNAL", message: "the generation broke; see the log", transient: false })
        })
      ),
      Effect.tapError(({ reason }) =>
        log("Warn", "generation-failed", { code: reason.code, error: reason.message, usage }, "no UI was generated")
      ),
      Effect.tapError(({ reason }) => (reason.code === "INTERNAL" ? UiMetrics.errorOccurred("INTERNAL") : Effect.void))
    )
    const { source, uiType, level, repairs, warnings, promptVersion } = ui
    yield* log("Info", "generation-succeeded", { uiType, level, usage }, "a UI was generated")
    const generated: GeneratedUi = { source, uiType, level, repairs, warnings, usage, promptVersion }
    return generated
  })
})
