import { Effect, Layer, Schema } from "effect"
import { inspectAnswer } from "../../domain/inspection/AnswerInspection.ts"
import { AnswerStream } from "../../domain/inspection/AnswerStream.ts"
import { HARD_RULES } from "../../domain/inspection/HtmlRules.ts"
import type { KnownExports } from "../../domain/inspection/repair/ScriptRewrites.ts"
import type { AnswerContext } from "../../domain/inspection/scripts/ScriptInspection.ts"
import { loadSourceParsers } from "../../domain/inspection/SourceParsers.ts"
import type { SourceParsers } from "../../domain/inspection/SourceParsers.ts"
import { HtmlInspector } from "../../services/inspection/HtmlInspector.ts"
import type { Inspection, InspectionContext, Problem } from "../../services/inspection/HtmlInspector.ts"
import { PackageFiles } from "../../services/documents/PackageFiles.ts"

const unreadable = (cause: unknown): Problem => ({
  rule: "not-html",
  message: `the answer cannot be read (${cause instanceof Error ? cause.message : String(cause)}): ${HARD_RULES["not-html"]}`
})

const Names = Schema.fromJsonString(
  Schema.Struct({ partNames: Schema.Array(Schema.String), appNames: Schema.Array(Schema.String) })
)

const NOTHING_KNOWN: KnownExports = { partNames: new Set(), appNames: new Set() }

const isSame = (a: InspectionContext, b: InspectionContext): boolean =>
  a.toolNames === b.toolNames &&
  a.maxHtmlBytes === b.maxHtmlBytes &&
  a.inputRequired === b.inputRequired &&
  a.before === b.before &&
  a.inputNames === b.inputNames

/** How many streaming answers are followed; one more is read again from its start at every look. */
const MAX_STREAMS = 16

/**
 * Inspects with htmlparser2 and acorn, which are loaded for the first answer. The names that a page may import from
 * `mcp-gen-ui/parts` are those of the runtime that ships with the package; without them they are not checked. An
 * answer that makes a parser throw is rejected like any other.
 */
export const layer: Layer.Layer<HtmlInspector, never, PackageFiles> = Layer.effect(
  HtmlInspector,
  Effect.gen(function* () {
    const files = yield* PackageFiles
    const tools = yield* Effect.cached(
      Effect.gen(function* () {
        const parsers = yield* Effect.tryPromise(loadSourceParsers)
        const known = yield* files.text("dist/runtime.names.json").pipe(
          Effect.flatMap(Schema.decodeUnknownEffect(Names)),
          Effect.map(({ appNames, partNames }): KnownExports => ({
            partNames: new Set(partNames),
            appNames: new Set(appNames)
          })),
          Effect.orElseSucceed(() => NOTHING_KNOWN)
        )
        return { parsers, known }
      })
    )
    const withTools = <A>(
      context: InspectionContext,
      decide: (parsers: SourceParsers, context: AnswerContext) => A,
      otherwise: (problem: Problem) => A
    ): Effect.Effect<A> =>
      tools.pipe(
        Effect.flatMap(({ parsers, known }) => Effect.try(() => decide(parsers, { ...context, ...known }))),
        Effect.catch((error) => Effect.succeed(otherwise(unreadable(error.cause))))
      )
    const streams: Array<{ readonly context: InspectionContext; readonly stream: AnswerStream }> = []
    /** Continues the stream of this answer, or starts one, so that nothing is read twice. */
    const follow = (
      parsers: SourceParsers,
      answer: string,
      context: InspectionContext,
      known: AnswerContext
    ): AnswerStream => {
      const index = streams.findIndex((one) => isSame(one.context, context) && answer.startsWith(one.stream.text))
      const found = streams.splice(index, index === -1 ? 0 : 1)[0] ?? {
        context,
        stream: new AnswerStream(parsers, known)
      }
      streams.unshift(found)
      streams.splice(MAX_STREAMS)
      return found.stream
    }
    /** The whole answer is here, so nothing follows its stream any more. */
    const forget = (answer: string): void => {
      const others = streams.filter(({ stream }) => !answer.startsWith(stream.text))
      streams.splice(0, streams.length, ...others)
    }
    return HtmlInspector.of({
      inspect: Effect.fn("HtmlInspector.inspect")(function* (answer, context) {
        return yield* withTools<Inspection>(
          context,
          (parsers, known) => {
            forget(answer)
            return inspectAnswer(parsers, answer, known)
          },
          (problem) => ({ _tag: "Rejected", problems: [problem], suspectedInjection: false })
        )
      }),
      inspectPartial: Effect.fn("HtmlInspector.inspectPartial")(function* (answer, context) {
        return yield* withTools<Problem | null>(
          context,
          (parsers, known) => follow(parsers, answer, context, known).look(answer),
          (problem) => problem
        )
      })
    })
  })
)
