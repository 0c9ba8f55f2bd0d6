import { Effect, Layer } from "effect"
import { inspectAnswer, inspectPartialAnswer } from "../domain/inspection/AnswerInspection.ts"
import type { AnswerContext } from "../domain/inspection/AnswerInspection.ts"
import { HARD_RULES } from "../domain/inspection/HtmlRules.ts"
import { namesOfParts } from "../domain/documents/PartNames.ts"
import { loadSourceParsers } from "../domain/inspection/SourceParsers.ts"
import type { SourceParsers } from "../domain/inspection/SourceParsers.ts"
import { HtmlInspector } from "../services/HtmlInspector.ts"
import type { Inspection, InspectionContext, Problem } from "../services/HtmlInspector.ts"
import { PackageFiles } from "../services/PackageFiles.ts"

const unreadable = (cause: unknown): Problem => ({
  rule: "not-html",
  message: `the answer can not be read (${cause instanceof Error ? cause.message : String(cause)}): ${HARD_RULES["not-html"]}`
})

/**
 * Inspects with htmlparser2 and acorn, which are loaded for the first answer. The names that a page may import from
 * `mcp-gen-ui/parts` are read from the runtime that ships with the package; without it they are not checked. An
 * answer that makes a parser throw is rejected like any other.
 */
export const layer: Layer.Layer<HtmlInspector, never, PackageFiles> = Layer.effect(
  HtmlInspector,
  Effect.gen(function* () {
    const files = yield* PackageFiles
    const tools = yield* Effect.cached(
      Effect.gen(function* () {
        const parsers = yield* Effect.tryPromise(loadSourceParsers)
        const partNames = yield* files.text("dist/runtime.js").pipe(
          Effect.flatMap((runtime) => Effect.try(() => namesOfParts(parsers, runtime))),
          Effect.orElseSucceed((): ReadonlySet<string> => new Set())
        )
        return { parsers, partNames }
      })
    )
    const withTools = <A>(
      context: InspectionContext,
      decide: (parsers: SourceParsers, context: AnswerContext) => A,
      otherwise: (problem: Problem) => A
    ): Effect.Effect<A> =>
      tools.pipe(
        Effect.flatMap(({ parsers, partNames }) => Effect.try(() => decide(parsers, { ...context, partNames }))),
        Effect.catch((error) => Effect.succeed(otherwise(unreadable(error.cause))))
      )
    return HtmlInspector.of({
      inspect: Effect.fn("HtmlInspector.inspect")(function* (answer, context) {
        return yield* withTools<Inspection>(
          context,
          (parsers, known) => inspectAnswer(parsers, answer, known),
          (problem) => ({ _tag: "Rejected", problems: [problem], suspectedInjection: false })
        )
      }),
      inspectPartial: Effect.fn("HtmlInspector.inspectPartial")(function* (answer, context) {
        return yield* withTools<Problem | null>(
          context,
          (parsers, known) => inspectPartialAnswer(parsers, answer, known),
          (problem) => problem
        )
      })
    })
  })
)
