import { Clock, Effect, Result } from "effect"
import { askedTexts, type Refinements } from "../../../domain/library/Refinements.ts"
import { isoTime } from "../../../domain/isoTime.ts"
import type { UiWriter } from "../../../domain/session/shortTools.ts"
import {
  RefineArguments,
  RegenerateArguments,
  RevertArguments,
  StudioArguments,
  WriteArguments
} from "../../../domain/session/wrapperToolArguments.ts"
import type { Tool } from "../../../domain/tools/Tool.ts"
import { HAND_MADE, type UiEntry } from "../../../domain/tools/UiEntry.ts"
import { parseViewFile, viewProblemsText } from "../../../domain/views/ViewFile.ts"
import { viewSource } from "../../../domain/views/viewSource.ts"
import { type UiEdits, UiUnchanged } from "../../../services/library/UiEdits.ts"
import type { UiLibrary } from "../../../services/library/UiLibrary.ts"
import type { Announce } from "../UiChanges.ts"
import type { CalledTools } from "./calledTools.ts"
import { CallRefused, decode, failure, success, type ToolResult } from "./toolAnswers.ts"

/** Tools whose last failed change is remembered. */
const MAX_FAILURES = 200

interface Failure {
  readonly code: string
  readonly message: string
  /** ISO 8601. */
  readonly at: string
}

/** What became of a refinement that was not applied. */
const KEPT = " The refinement is kept and will be tried with the next change."

const REJECTED =
  " The refinement is rejected, and later ones are made without it: say it differently, or in the same words to have it tried again."

/** What a failed change means for the person who asked for it. */
const unchanged = ({ reason, toolName }: UiUnchanged, more = ""): ToolResult => {
  const why = reason.message.replace(/[.!?]?$/, ".")
  return failure(`The UI of "${toolName}" was not changed: ${why} The previous UI stays.${more}`)
}

/** Says what there is to choose among. */
const withChoice = (
  { content, structuredContent }: ToolResult,
  asked: number,
  choice: ReadonlyArray<number>,
  current: number | null
): ToolResult => {
  const missing = asked - Math.max(1, choice.length)
  const short = missing === 0 ? "" : ` Of ${asked} variants, ${missing} failed or came out the same as another.`
  const among = choice.map((number) => `${number}${number === current ? " (shown now)" : ""}`).join(", ")
  const choose =
    choice.length === 0
      ? ""
      : ` The user chooses in the page among versions ${among}; reverting to one chooses it, too.`
  return success(`${content[0]?.text ?? ""}${choose}${short}`, { ...structuredContent, variants: choice })
}

/** The host's model has so long to write, before pages that are open ask less often again. */
const WRITING_MS = 180_000

/** A model would show the new page by another call of the tool, which may do something twice. */
const shown = (toolName: string): string =>
  ` A page that is open shows it by itself within seconds: do not call ${toolName} again for that.`

/** Answers the calls that change a UI: refine, write, regenerate, revert, studio. */
export const makeChangeCalls = (
  library: UiLibrary["Service"],
  edits: UiEdits["Service"],
  { ownName, servedToolOf, told }: CalledTools,
  announce: Announce,
  writer: UiWriter
) => {
  /** By tool, what the host's model was told to write, and when. */
  const briefs = new Map<string, { readonly feedback: string; readonly at: number }>()

  /** By tool, the last change that failed, the oldest first. A change that works deletes it. */
  const failures = new Map<string, Failure>()

  const outcomeOf = (entry: UiEntry, did: string, durationMs: number): ToolResult => {
    const seconds = (durationMs / 1000).toFixed(1)
    const builtIn = entry.source === null ? " It is the built-in one: no page was written." : ""
    const mended = entry.repairs.length === 0 ? "" : ` The page was mended: ${entry.repairs.join(", ")}.`
    const text = `${did} the UI of "${entry.toolName}" in ${seconds} s.${builtIn}${mended}`
    return success(`${text}${shown(entry.toolName)}`, {
      toolName: entry.toolName,
      level: entry.level,
      uiType: entry.uiType,
      durationMs,
      refinements: entry.refinements
    })
  }

  /** Makes a change, tells the host of it, answers what happened, and notes whether it failed. */
  const changed = Effect.fnUntraced(function* (tool: Tool, did: string, change: Effect.Effect<UiEntry, UiUnchanged>) {
    const before = yield* Clock.currentTimeMillis
    const entry = yield* change.pipe(
      Effect.mapError(({ reason, toolName }) => new UiUnchanged({ toolName, reason: told(reason) })),
      Effect.tapError(({ reason }) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          failures.delete(tool.name)
          failures.set(tool.name, { code: reason.code, message: reason.message, at: isoTime(now) })
          const oldest = failures.keys().next().value
          if (failures.size > MAX_FAILURES && oldest !== undefined) failures.delete(oldest)
        })
      )
    )
    failures.delete(tool.name)
    yield* announce(tool)
    return outcomeOf(entry, did, (yield* Clock.currentTimeMillis) - before)
  })

  /** Serves a declared view, for which no model is asked. */
  const declare = Effect.fnUntraced(function* (tool: Tool, view: unknown, feedback: string) {
    const source = Result.flatMap(parseViewFile(JSON.stringify(view)), (file) => viewSource(file, tool))
    if (Result.isFailure(source)) {
      return yield* new CallRefused({ detail: `The view does not fit: ${viewProblemsText(source.failure)}` })
    }
    const change = Effect.map(edits.adopt(tool, source.success, { origin: "refined", feedback }), ({ entry }) => entry)
    return yield* changed(tool, "Refined", change).pipe(
      Effect.catchTag("UiUnchanged", (error) => Effect.succeed(unchanged(error)))
    )
  })

  const revertTo = Effect.fnUntraced(function* (tool: Tool, version: number) {
    const { entry, number } = yield* edits.revert(tool, version)
    failures.delete(tool.name)
    yield* announce(tool)
    const { level, refinements, uiType } = entry
    const text = `The UI of "${tool.name}" is version ${number} again.${shown(tool.name)}`
    return success(text, { toolName: tool.name, version: number, level, uiType, refinements })
  })

  /** Undoes refinements: 0 is the UI that nobody has refined, built-in. */
  const back = Effect.fnUntraced(function* (tool: Tool, version: number) {
    briefs.delete(tool.name)
    if (version === 0) {
      return yield* changed(
        tool,
        "Took back all changes of",
        edits.regenerate(tool, { clearRefinements: true, uiType: "minimal" })
      )
    }
    const { content, structuredContent: { version: _, ...outcome } = {} } = yield* revertTo(tool, version)
    return success(content[0]?.text ?? "", { ...outcome, durationMs: 0 })
  })

  /** Tells the host's model what to write. Its answer comes as a call of another tool, `write`. */
  const brief = Effect.fnUntraced(function* (tool: Tool, feedback: string) {
    const { entry } = yield* library.overview(tool)
    if (entry?.provider === HAND_MADE) {
      const detail = `The UI of "${tool.name}" was made by hand (generation.uiDirectory): change its file instead.`
      return yield* new CallRefused({ detail })
    }
    const text = yield* library.brief(tool, { feedback, writeTool: ownName("write") })
    if (text === null) return yield* new CallRefused({ detail: "The prompt files cannot be used: see the log." })
    briefs.set(tool.name, { feedback, at: yield* Clock.currentTimeMillis })
    const answer: ToolResult = { content: [{ type: "text", text }] }
    return answer
  })

  const write = Effect.fnUntraced(function* (args: unknown) {
    const { source, toolName } = yield* decode(WriteArguments, args)
    const tool = yield* servedToolOf(toolName)
    let number = 0
    const change = edits.write(tool, source, briefs.get(toolName)?.feedback ?? null).pipe(
      Effect.map((version) => {
        number = version.number
        return version.entry
      })
    )
    return yield* changed(tool, "Wrote", change).pipe(
      Effect.map(({ content, structuredContent }) => {
        briefs.delete(toolName)
        const version = ` It is version ${number}; ${ownName("refine")} with "version" takes it back.`
        return success(`${content[0]?.text ?? ""}${version}`, { ...structuredContent, version: number })
      }),
      Effect.catchTag("UiUnchanged", ({ reason }) =>
        Effect.succeed(failure(`Nothing has changed yet. Mend these, and call again:\n${reason.message}`))
      )
    )
  })

  const refine = Effect.fnUntraced(function* (args: unknown) {
    const { toolName, feedback, version, view } = yield* decode(RefineArguments, args)
    const tool = yield* servedToolOf(toolName)
    if (version !== undefined) return yield* back(tool, version)
    if (feedback === undefined)
      return yield* new CallRefused({ detail: "The arguments do not fit: feedback or version is missing" })
    if (view !== undefined) return yield* declare(tool, view, feedback)
    if (writer === "host") return yield* brief(tool, feedback)
    const rejectedAt = (list: Refinements) => list.findLast(({ text }) => text === feedback)?.reason?.at
    const before = rejectedAt((yield* library.overview(tool)).refinements)
    return yield* changed(tool, "Refined", edits.refine(tool, feedback)).pipe(
      Effect.catchTag("UiUnchanged", (error) =>
        Effect.map(library.overview(tool), ({ refinements }) => {
          const at = rejectedAt(refinements)
          const isKept = error.reason.transient && askedTexts(refinements).at(-1) === feedback
          return unchanged(error, isKept ? KEPT : at === undefined || at === before ? "" : REJECTED)
        })
      )
    )
  })

  const regenerate = Effect.fnUntraced(function* (args: unknown) {
    const { toolName, clearRefinements = false, uiType, variants } = yield* decode(RegenerateArguments, args)
    const tool = yield* servedToolOf(toolName)
    const change = edits.regenerate(tool, { clearRefinements, uiType, variants })
    return yield* Effect.gen(function* () {
      const done = yield* changed(tool, "Regenerated", change)
      if (variants === undefined) return done
      const { choice, current } = yield* library.overview(tool)
      return withChoice(done, variants, choice, current)
    }).pipe(Effect.catchTag("UiUnchanged", (error) => Effect.succeed(unchanged(error))))
  })

  const revert = Effect.fnUntraced(function* (args: unknown) {
    const { toolName, version } = yield* decode(RevertArguments, args)
    return yield* revertTo(yield* servedToolOf(toolName), version)
  })

  const studio = Effect.fnUntraced(function* (args: unknown) {
    const { source, toolName } = yield* decode(StudioArguments, args)
    const tool = yield* servedToolOf(toolName)
    const version = source === undefined ? null : (yield* edits.adopt(tool, source)).number
    if (version !== null) yield* announce(tool)
    const prompt = yield* library.prompt(tool)
    return success(version === null ? (prompt ?? "There is no prompt.") : `Served as version ${version}.`, {
      toolName,
      prompt,
      version
    })
  })

  return {
    refine,
    write,
    regenerate,
    revert,
    studio,
    lastErrorOf: (toolName: string): Failure | undefined => failures.get(toolName),
    /** Whether the host's model was told to write this UI, and may be at it. */
    isBeingWritten: (toolName: string) =>
      Effect.map(Clock.currentTimeMillis, (now) => now - (briefs.get(toolName)?.at ?? -WRITING_MS) < WRITING_MS),
    forget: (toolName: string): void => {
      failures.delete(toolName)
      briefs.delete(toolName)
    }
  }
}
