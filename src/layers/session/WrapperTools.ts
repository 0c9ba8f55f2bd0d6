import { Clock, Effect, Result, Schema } from "effect"
import type { PageCheck } from "../../adapters/session/pageTokens.ts"
import { isForModels } from "../../domain/tools/RelatedTools.ts"
import type { Tool } from "../../domain/tools/Tool.ts"
import { fieldSources } from "../../domain/tools/toolExtras.ts"
import { closestOf } from "../../domain/closestOf.ts"
import type { UiEntry } from "../../domain/tools/UiEntry.ts"
import { isoTime } from "../../domain/isoTime.ts"
import { type KeptSelection, MAX_SELECTION_BYTES, selectionText } from "../../domain/session/KeptSelection.ts"
import type { WrapperToolKind } from "../../domain/session/WrapperTool.ts"
import {
  CurrentArguments,
  HistoryArguments,
  RefineArguments,
  RegenerateArguments,
  RevertArguments,
  SelectArguments,
  SelectionArguments,
  StudioArguments,
  ToolArguments
} from "../../domain/session/wrapperToolArguments.ts"
import { aboutRejected, rejectedLine } from "../../domain/library/aboutRejected.ts"
import { askedTexts, NO_REFINEMENTS, type Refinements } from "../../domain/library/Refinements.ts"
import { parseViewFile, viewProblemsText } from "../../domain/views/ViewFile.ts"
import { viewSource } from "../../domain/views/viewSource.ts"
import { aboutVersion, versionLine } from "../../domain/library/aboutVersion.ts"
import type { ToolMemory } from "../../services/library/ToolMemory.ts"
import { type UiEdits, type UiUnchanged, VersionUnknown } from "../../services/library/UiEdits.ts"
import type { UiLibrary, UiNews, UiOverview } from "../../services/library/UiLibrary.ts"
import { makeSelections, type SelectionTooLarge } from "./Selections.ts"
import type { ServerTools, ToolsUnavailable } from "./ServerTools.ts"
import type { Announce } from "./UiChanges.ts"

/** A `CallToolResult` (MCP 2025-11-25, "Tools") as we write it ourselves. */
interface ToolResult {
  readonly content: ReadonlyArray<{ readonly type: "text"; readonly text: string }>
  readonly structuredContent?: Readonly<Record<string, unknown>>
  readonly isError?: true
}

/** Answers calls of the wrapper's own tools. Bad arguments and unknown tools are results with `isError`. */
export interface WrapperTools {
  readonly call: (kind: WrapperToolKind, args: unknown) => Effect.Effect<ToolResult>
  /** Drops what is remembered of a tool that the server no longer has. */
  readonly forget: (toolName: string) => void
}

/** A call that cannot be carried out; the message says what to do instead. */
class CallRefused extends Schema.TaggedError<CallRefused>()("CallRefused", { detail: Schema.String }) {
  override get message(): string {
    return this.detail
  }
}

const failure = (text: string): ToolResult => ({ content: [{ type: "text", text }], isError: true })

const success = (text: string, structuredContent: Readonly<Record<string, unknown>>): ToolResult => ({
  content: [{ type: "text", text }],
  structuredContent
})

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

/** For a tool whose UI is not made here. */
const NOTHING: UiOverview = {
  entry: undefined,
  isGenerating: false,
  versions: [],
  current: null,
  choice: [],
  refinements: NO_REFINEMENTS
}

const statusOf = (tool: Tool, served: boolean, entry: UiEntry | undefined, isGenerating: boolean): string => {
  if (tool.hasOwnUi) return "own-ui"
  if (!served) return "disabled"
  if (isGenerating) return "generating"
  if (entry === undefined) return "not-generated"
  return entry.source === null ? "built-in" : "generated"
}

const decode = <S extends Schema.ConstraintDecoder<unknown>>(schema: S, args: unknown) =>
  Schema.decodeUnknownEffect(schema)(args, { onExcessProperty: "error", errors: "all" }).pipe(
    Effect.mapError((error) => new CallRefused({ detail: `The arguments do not fit: ${error.message}` }))
  )

/** An empty struct of the schema library takes everything. */
const decodeNothing = (args: unknown): Effect.Effect<void, CallRefused> => {
  const given = typeof args === "object" && args !== null ? Object.keys(args).slice(0, 5) : [String(args)]
  const detail = `The arguments do not fit: none are taken, and there is ${given.map((name) => `"${name}"`).join(", ")}`
  return given.length === 0 ? Effect.void : Effect.fail(new CallRefused({ detail }))
}

/** What a failed change means for the person who asked for it. */
const unchanged = ({ reason, toolName }: UiUnchanged, more = ""): ToolResult => {
  const why = reason.message.replace(/[.!?]?$/, ".")
  return failure(`The UI of "${toolName}" was not changed: ${why} The previous UI stays.${more}`)
}

const notOfPage = (toolName: string) =>
  new CallRefused({ detail: `Only the UI of "${toolName}" that was read in this session may ask this.` })

/** How many of the newest fit into one answer (UTF-8 bytes of text); at least one. */
const fitting = (selections: ReadonlyArray<KeptSelection>): number => {
  let bytes = 0
  const over = selections.findIndex((selection, index) => {
    bytes += Buffer.byteLength(selectionText(selection))
    return index > 0 && bytes > MAX_SELECTION_BYTES
  })
  return over === -1 ? selections.length : over
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
  const among = choice.map((number) => `${number}${number === current ? " (served)" : ""}`).join(", ")
  const choose =
    choice.length === 0
      ? ""
      : ` The user chooses in the page among versions ${among}; reverting to one chooses it, too.`
  return success(`${content[0]?.text ?? ""}${choose}${short}`, { ...structuredContent, variants: choice })
}

const NEWS: Readonly<Record<UiNews["state"], string>> = {
  current: "The UI is up to date.",
  generating: "A UI is being written.",
  changed: "There is a newer UI."
}

export const makeWrapperTools = (
  library: UiLibrary["Service"],
  edits: UiEdits["Service"],
  memory: ToolMemory["Service"],
  serverTools: ServerTools,
  pageAt: PageCheck,
  announce: Announce
): WrapperTools => {
  const selections = makeSelections()
  /** By tool, the last change that failed, the oldest first. A change that works deletes it. */
  const failures = new Map<string, Failure>()

  const toolOf = (name: string): Effect.Effect<Tool, CallRefused> => {
    const { toolNamed, tools } = serverTools.known().catalog
    const tool = toolNamed(name)
    if (tool !== undefined) return Effect.succeed(tool)
    const close = closestOf(
      name,
      tools.map((known) => known.name)
    )
    const hint = close === undefined ? "The list of UIs names the tools there are." : `Did you mean "${close}"?`
    return Effect.fail(new CallRefused({ detail: `There is no tool "${name}". ${hint}` }))
  }

  const servedToolOf = (name: string): Effect.Effect<Tool, CallRefused> =>
    Effect.filterOrFail(toolOf(name), serverTools.known().catalog.isServed, (tool) => {
      const other = isForModels(tool) ? "enabledTools in the configuration leaves it out" : "only pages may call it"
      const why = tool.hasOwnUi ? "it brings its own UI" : other
      return new CallRefused({ detail: `The UI of "${name}" is not made here: ${why}.` })
    })

  /**
   * Some hosts have one session for their pages and another one for the model. A page that was read in another session of
   * this process hears of a newer UI, but cannot change anything here.
   */
  const pageOf = (toolName: string, token: string) =>
    Effect.fromNullishOr(pageAt(toolName, token)).pipe(Effect.mapError(() => notOfPage(toolName)))

  const summaryOf = Effect.fnUntraced(function* (tool: Tool) {
    const served = serverTools.known().catalog.isServed(tool)
    const { current, entry, isGenerating, refinements, versions } = served ? yield* library.overview(tool) : NOTHING
    const history = askedTexts(refinements)
    const summary = {
      name: tool.name,
      uri: serverTools.known().catalog.uriOf(tool.name) ?? null,
      enabled: served,
      status: statusOf(tool, served, entry, isGenerating),
      uiType: entry?.uiType ?? null,
      cached: entry !== undefined,
      refinements: history.length,
      rejected: aboutRejected(refinements),
      version: current,
      versions: versions.length,
      failed: versions.flatMap(({ failedAt, number }) =>
        failedAt === null ? [] : [{ version: number, at: isoTime(failedAt) }]
      ),
      fallbackReason: entry?.fallback ?? null
    }
    return { summary, entry, history }
  })

  const outcomeOf = (entry: UiEntry, did: string, durationMs: number): ToolResult => {
    const seconds = (durationMs / 1000).toFixed(1)
    const repaired = entry.repairs.length === 0 ? "" : `; repaired: ${entry.repairs.join(", ")}`
    const text = `${did} the UI of "${entry.toolName}" in ${seconds} s (${entry.uiType}, level ${entry.level}${repaired}).`
    return success(text, {
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
    yield* announced(tool)
    return outcomeOf(entry, did, (yield* Clock.currentTimeMillis) - before)
  })

  const announced = (tool: Tool) =>
    Effect.suspend(() => {
      const uri = serverTools.known().catalog.uriOf(tool.name)
      return uri === undefined ? Effect.void : announce(uri)
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

  const refine = Effect.fnUntraced(function* (args: unknown) {
    const { toolName, feedback, view } = yield* decode(RefineArguments, args)
    const tool = yield* servedToolOf(toolName)
    if (view !== undefined) return yield* declare(tool, view, feedback)
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

  const list = Effect.fnUntraced(function* (args: unknown) {
    yield* decodeNothing(args)
    const tools = yield* Effect.forEach(serverTools.known().catalog.tools, (tool) =>
      Effect.map(summaryOf(tool), ({ summary }) => summary)
    )
    const lines = tools.map(({ failed, name, refinements, rejected, status }) => {
      const refined = refinements > 0 ? ", refined" : ""
      const refused = rejected.length > 0 ? `, refinements rejected: ${rejected.length}` : ""
      return `${name}: ${status}${refined}${refused}${failed.map(({ version }) => `, version ${version} failed on screen`).join("")}`
    })
    return success(lines.length === 0 ? "The server has no tools." : lines.join("\n"), { tools })
  })

  const inspect = Effect.fnUntraced(function* (args: unknown) {
    const { toolName } = yield* decode(ToolArguments, args)
    const tool = yield* toolOf(toolName)
    const { summary, entry, history } = yield* summaryOf(tool)
    const details = {
      ...summary,
      level: entry?.level ?? null,
      repairs: entry?.repairs ?? [],
      warnings: entry?.warnings ?? [],
      cacheKey: entry?.key ?? null,
      createdAt: entry === undefined ? null : isoTime(entry.createdAt),
      retryAt: entry?.retryAt === undefined ? null : isoTime(entry.retryAt),
      durationMs: entry?.durationMs ?? null,
      provider: entry?.provider ?? null,
      model: entry?.model ?? null,
      promptVersion: entry?.promptVersion ?? null,
      templateVersion: entry?.templateVersion ?? null,
      history,
      tokens: entry?.usage ?? null,
      secondDraft: entry?.secondDraft?.state ?? null,
      examples: memory.learned(tool.name).results.length,
      examplesShown: entry?.examples ?? null,
      lastError: failures.get(tool.name) ?? null,
      fields: fieldSources(tool),
      inputSchema: tool.inputSchema ?? null,
      outputSchema: tool.outputSchema ?? null
    }
    return success(JSON.stringify(details, null, 2), details)
  })

  const history = Effect.fnUntraced(function* (args: unknown) {
    const { toolName, version } = yield* decode(HistoryArguments, args)
    const tool = yield* servedToolOf(toolName)
    const { choice, current, refinements, versions } = yield* library.overview(tool)
    const asked = versions.find(({ number }) => number === version)
    if (version !== undefined && asked === undefined) {
      return yield* new VersionUnknown({ toolName, version, known: versions.map(({ number }) => number) })
    }
    const rejected = aboutRejected(refinements)
    const none = versions.length === 0 ? [`The UI of "${toolName}" has no versions yet.`] : []
    const lines = versions.map((there) => versionLine(there, current))
    const open = choice.length === 0 ? [] : [`The user is to choose among ${choice.join(", ")}.`]
    const text = [...none, ...lines, ...open, ...rejected.map(rejectedLine)].join("\n")
    return success(asked?.entry.source == null ? text : `${text}\n\n${asked.entry.source}`, {
      toolName,
      current,
      versions: versions.map((there) => aboutVersion(there, current)),
      ...(choice.length === 0 ? {} : { variants: choice }),
      rejected,
      ...(asked === undefined ? {} : { source: asked.entry.source })
    })
  })

  const revert = Effect.fnUntraced(function* (args: unknown) {
    const { toolName, version } = yield* decode(RevertArguments, args)
    const tool = yield* servedToolOf(toolName)
    const { entry, number } = yield* edits.revert(tool, version)
    failures.delete(toolName)
    yield* announced(tool)
    const { level, refinements, uiType } = entry
    const text = `The UI of "${toolName}" is version ${number} again (${uiType}, level ${level}).`
    return success(text, { toolName, version: number, level, uiType, refinements })
  })

  const current = Effect.fnUntraced(function* (args: unknown) {
    const { chosen, failed, pick, report, token, toolName, touched, version } = yield* decode(CurrentArguments, args)
    const { isOfSession, proof } = yield* pageOf(toolName, token)
    const told = isOfSession ? { failed, report, pick, isChosen: chosen } : {}
    const { variants, ...news } = yield* library.news(yield* servedToolOf(toolName), version, {
      ...told,
      isTouched: touched
    })
    if (!isOfSession || variants === undefined) return success(NEWS[news.state], { proof, ...news })
    const choices = variants.versions.map((value, index) => ({ value, label: `Variant ${index + 1}` }))
    return success(NEWS[news.state], { proof, ...news, variants: { choices, current: variants.current } })
  })

  const studio = Effect.fnUntraced(function* (args: unknown) {
    const { source, toolName } = yield* decode(StudioArguments, args)
    const tool = yield* servedToolOf(toolName)
    const version = source === undefined ? null : (yield* edits.adopt(tool, source)).number
    if (version !== null) yield* announced(tool)
    const prompt = yield* library.prompt(tool)
    return success(version === null ? (prompt ?? "There is no prompt.") : `Served as version ${version}.`, {
      toolName,
      prompt,
      version
    })
  })

  const refresh = Effect.fnUntraced(function* (args: unknown) {
    yield* decodeNothing(args)
    const changes = yield* serverTools.refresh
    const count = (what: keyof typeof changes) => `${changes[what].length} ${what}`
    return success(`Tools: ${count("added")}, ${count("removed")}, ${count("changed")}, ${count("unchanged")}.`, {
      ...changes
    })
  })

  const select = Effect.fnUntraced(function* (args: unknown) {
    const { filter, items, noun = "items", token, toolName, total = 0 } = yield* decode(SelectArguments, args)
    const { isOfSession, proof } = yield* pageOf(toolName, token)
    if (!isOfSession) return yield* notOfPage(toolName)
    yield* toolOf(toolName)
    yield* selections.keep({
      toolName,
      items,
      noun: noun.replaceAll(/\s+/gu, " "),
      total: Math.max(total, items.length),
      ...(filter === undefined ? {} : { filter })
    })
    const text =
      items.length === 0
        ? `Nothing is selected in ${toolName} any more.`
        : `The selection in ${toolName} is kept (${items.length}).`
    return success(text, { toolName, proof, kept: items.length })
  })

  const selection = Effect.fnUntraced(function* (args: unknown) {
    const { toolName } = yield* decode(SelectionArguments, args)
    if (toolName !== undefined) yield* toolOf(toolName)
    const all = yield* selections.all
    const asked = toolName === undefined ? all : all.filter((kept) => kept.toolName === toolName)
    if (asked.length === 0) {
      const where = toolName === undefined ? "in the UIs of this server" : `in the UI of ${toolName}`
      const elsewhere = all.length === 0 ? "" : ` There is a selection in ${all[0]?.toolName}.`
      return success(`The user has selected nothing ${where}.${elsewhere}`, { selections: [] })
    }
    const count = fitting(asked)
    const others = asked.slice(count).map((kept) => kept.toolName)
    const texts = asked.slice(0, count).map(selectionText)
    if (others.length > 0) texts.push(`There is more, to be asked for by toolName: ${others.join(", ")}.`)
    return success(texts.join("\n\n"), {
      selections: asked.slice(0, count).map(({ filter, items, noun, selectedAt, toolName, total }) => ({
        toolName,
        noun,
        items,
        total,
        filter,
        selectedAt: isoTime(selectedAt)
      })),
      ...(others.length === 0 ? {} : { others })
    })
  })

  const handlers: Readonly<
    Record<
      WrapperToolKind,
      (
        args: unknown
      ) => Effect.Effect<ToolResult, CallRefused | ToolsUnavailable | SelectionTooLarge | VersionUnknown | UiUnchanged>
    >
  > = {
    refine,
    list,
    inspect,
    regenerate,
    history,
    revert,
    refresh_tools: refresh,
    selection,
    select,
    current,
    studio
  }

  return {
    call: Effect.fn("WrapperTools.call")(function* (kind, args) {
      return yield* handlers[kind](args === undefined ? {} : args).pipe(
        Effect.catchTag("VersionUnknown", ({ message }) => Effect.succeed(failure(`${message.replace(/^t/, "T")}.`))),
        Effect.catchTag(["CallRefused", "ToolsUnavailable", "SelectionTooLarge", "UiUnchanged"], (error) =>
          Effect.succeed(failure(error.message))
        )
      )
    }),
    forget: (toolName) => {
      failures.delete(toolName)
      selections.forget(toolName)
    }
  }
}
