import { Clock, Effect, Result, Schema } from "effect"
import type { PageCheck } from "../../adapters/session/pageTokens.ts"
import { isForModels } from "../../domain/tools/RelatedTools.ts"
import type { Tool } from "../../domain/tools/Tool.ts"
import { fieldSources } from "../../domain/tools/toolExtras.ts"
import { closestOf } from "../../domain/closestOf.ts"
import { type FallbackReason, HAND_MADE, LIBRARY, NO_MODEL, type UiEntry } from "../../domain/tools/UiEntry.ts"
import { isoTime } from "../../domain/isoTime.ts"
import { type KeptSelection, MAX_SELECTION_BYTES, selectionText } from "../../domain/session/KeptSelection.ts"
import type { UiWriter } from "../../domain/session/shortTools.ts"
import type { WrapperToolKind } from "../../domain/session/WrapperTool.ts"
import {
  CurrentArguments,
  HistoryArguments,
  ListArguments,
  RefineArguments,
  RegenerateArguments,
  RevertArguments,
  SelectArguments,
  SelectionArguments,
  StudioArguments,
  ToolArguments,
  WriteArguments
} from "../../domain/session/wrapperToolArguments.ts"
import { aboutRejected, rejectedLine } from "../../domain/library/aboutRejected.ts"
import { askedTexts, NO_REFINEMENTS, type Refinements } from "../../domain/library/Refinements.ts"
import { parseViewFile, viewProblemsText } from "../../domain/views/ViewFile.ts"
import { viewSource } from "../../domain/views/viewSource.ts"
import { aboutVersion, versionLine } from "../../domain/library/aboutVersion.ts"
import type { ToolMemory } from "../../services/library/ToolMemory.ts"
import { type UiEdits, UiUnchanged, VersionUnknown } from "../../services/library/UiEdits.ts"
import type { UiLibrary, UiNews, UiOverview } from "../../services/library/UiLibrary.ts"
import { MAX_VIEW_BYTES, type Recall } from "./Recall.ts"
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

/** What may be said of a tool's UI, in a sentence about the tool. */
const STATUSES = {
  "own-ui": "its server brings its page",
  disabled: "has no page",
  "not-generated": "has the built-in page until one is written",
  generating: "its page is being written",
  generated: "has a page that a model wrote",
  library: "has a ready-made page",
  "built-in": "has the built-in page"
} as const

const statusOf = (
  tool: Tool,
  served: boolean,
  entry: UiEntry | undefined,
  isGenerating: boolean
): keyof typeof STATUSES => {
  if (tool.hasOwnUi) return "own-ui"
  if (!served) return "disabled"
  if (isGenerating) return "generating"
  if (entry === undefined) return "not-generated"
  if (entry.source === null) return "built-in"
  return entry.provider === LIBRARY ? "library" : "generated"
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
  const among = choice.map((number) => `${number}${number === current ? " (shown now)" : ""}`).join(", ")
  const choose =
    choice.length === 0
      ? ""
      : ` The user chooses in the page among versions ${among}; reverting to one chooses it, too.`
  return success(`${content[0]?.text ?? ""}${choose}${short}`, { ...structuredContent, variants: choice })
}

/** The host's model has so long to write, before pages that are open ask less often again. */
const WRITING_MS = 180_000
const WRITING = { state: "generating", retryAfterMs: 1000 } as const
/** All that is in the answer as a text, too, which no host strips; `result` is JSON. */
const withText = (
  { content, structuredContent }: ToolResult,
  more: Readonly<Record<string, unknown>>,
  result: string | undefined
): ToolResult => {
  const json = JSON.stringify({ ...structuredContent, ...more })
  const text = result === undefined ? json : `${json.slice(0, -1)},"result":${result}}`
  return { content: [...content, { type: "text", text }], ...(structuredContent && { structuredContent }) }
}

/** A model would show the new page by another call of the tool, which may do something twice. */
const shown = (toolName: string): string =>
  ` A page that is open shows it by itself within seconds: do not call ${toolName} again for that.`

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
  announce: Announce,
  {
    writer,
    isCalling,
    recall
  }: {
    readonly writer: UiWriter
    readonly recall: Recall | undefined
    readonly isCalling: (toolName: string) => boolean
  }
): WrapperTools => {
  const selections = makeSelections()
  /** By tool, what the host's model was told to write, and when. */
  const briefs = new Map<string, { readonly feedback: string; readonly at: number }>()
  /** By tool, the last change that failed, the oldest first. A change that works deletes it. */
  const failures = new Map<string, Failure>()

  const ownName = (kind: WrapperToolKind): string =>
    serverTools.known().wrapperTools.find((tool) => tool.kind === kind)?.name ?? kind

  /** Where the host's model writes, no model has to be configured. */
  const told = (reason: FallbackReason): FallbackReason => {
    if (writer !== "host" || reason.code !== NO_MODEL.code) return reason
    return {
      ...reason,
      message: `The assistant in this chat can write this UI: ask it for one (${ownName("refine")}).`
    }
  }

  const toolOf = (name: string): Effect.Effect<Tool, CallRefused> => {
    const { toolNamed, tools } = serverTools.known().catalog
    const tool = toolNamed(name)
    if (tool !== undefined) return Effect.succeed(tool)
    const close = closestOf(
      name,
      tools.map((known) => known.name)
    )
    const hint = close === undefined ? `${ownName("list")} names the tools there are.` : `Did you mean "${close}"?`
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
      fallbackReason: entry?.fallback ? told(entry.fallback) : null
    }
    const faults = versions.flatMap(({ fault, number }) => (fault === null ? [] : [{ version: number, ...fault }]))
    return { summary, entry, history, faults }
  })

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

  const revertTo = Effect.fnUntraced(function* (tool: Tool, version: number) {
    const { entry, number } = yield* edits.revert(tool, version)
    failures.delete(tool.name)
    yield* announced(tool)
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

  /** As texts and as structure: the newest selections that fit into an answer, of one tool or of all. */
  const selectedIn = Effect.fnUntraced(function* (toolName: string | undefined) {
    const all = yield* selections.all
    const asked = toolName === undefined ? all : all.filter((kept) => kept.toolName === toolName)
    const shown = asked.slice(0, fitting(asked))
    const others = asked.slice(shown.length).map((kept) => kept.toolName)
    const texts = shown.map(selectionText)
    if (others.length > 0) texts.push(`There is more, to be asked for by toolName: ${others.join(", ")}.`)
    const structure = {
      selections: shown.map(({ filter, items, noun, selectedAt, toolName, total }) => ({
        toolName,
        noun,
        items,
        total,
        filter,
        selectedAt: isoTime(selectedAt)
      })),
      ...(others.length === 0 ? {} : { others })
    }
    return { texts, structure, elsewhere: all.find((kept) => kept.toolName !== toolName)?.toolName }
  })

  const selection = Effect.fnUntraced(function* (args: unknown) {
    const { toolName } = yield* decode(SelectionArguments, args)
    if (toolName !== undefined) yield* toolOf(toolName)
    const { elsewhere, structure, texts } = yield* selectedIn(toolName)
    if (texts.length > 0) return success(texts.join("\n\n"), structure)
    const where = toolName === undefined ? "in the UIs of this server" : `in the UI of ${toolName}`
    const there = elsewhere === undefined ? "" : ` There is a selection in ${elsewhere}.`
    return success(`The user has selected nothing ${where}.${there}`, structure)
  })

  const list = Effect.fnUntraced(function* (args: unknown) {
    const { toolName } = yield* decode(ListArguments, args)
    const asked = toolName === undefined ? serverTools.known().catalog.tools : [yield* toolOf(toolName)]
    const tools = yield* Effect.forEach(asked, (tool) => Effect.map(summaryOf(tool), ({ summary }) => summary))
    const lines = tools.map(({ failed, name, refinements, rejected, status }) => {
      const refined = refinements > 0 ? ", changed as the user asked" : ""
      const refused = rejected.length > 0 ? `, changes that failed: ${rejected.length}` : ""
      return `${name}: ${STATUSES[status]}${refined}${refused}${failed.map(({ version }) => `, version ${version} failed on screen`).join("")}`
    })
    const selected = yield* selectedIn(toolName)
    const texts = [lines.length === 0 ? "The server has no tools." : lines.join("\n"), ...selected.texts]
    const { structure } = selected
    if (asked[0] === undefined || toolName === undefined) return success(texts.join("\n\n"), { tools, ...structure })
    const { current, versions } = yield* library.overview(asked[0])
    const all = versions.map((there) => versionLine(there, current)).join("\n")
    const about = versions.map((there) => aboutVersion(there, current))
    return success([...texts, all].join("\n\n").trim(), { tools, versions: about, ...structure })
  })

  const inspect = Effect.fnUntraced(function* (args: unknown) {
    const { toolName } = yield* decode(ToolArguments, args)
    const tool = yield* toolOf(toolName)
    const { summary, entry, faults, history } = yield* summaryOf(tool)
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
      declared: entry?.declared ?? null,
      examples: memory.learned(tool.name).results.length,
      examplesShown: entry?.examples ?? null,
      faults,
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
    return yield* revertTo(yield* servedToolOf(toolName), version)
  })

  const isBeingWritten = (toolName: string) =>
    Effect.map(Clock.currentTimeMillis, (now) => now - (briefs.get(toolName)?.at ?? -WRITING_MS) < WRITING_MS)

  const current = Effect.fnUntraced(function* (args: unknown) {
    const asked = yield* decode(CurrentArguments, args)
    const { chosen, failed, fault, pick, report, shows, token, toolName, touched, version, view } = asked
    const { isOfSession, proof } = yield* pageOf(toolName, token)
    const recalled = recall?.ofPage(toolName, token)
    if (view?.values !== undefined && recalled?.keep(view.args, view.values) === false) {
      const detail = `What the view of "${toolName}" wants to have kept is over ${MAX_VIEW_BYTES} bytes of JSON.`
      return yield* new CallRefused({ detail })
    }
    const ofPage = isOfSession ? { failed, fault, report, pick, isChosen: chosen } : {}
    const { note, variants, ...known } = yield* library.news(yield* servedToolOf(toolName), version, {
      ...ofPage,
      isTouched: touched
    })
    const waiting = known.state === "current" && (yield* isBeingWritten(toolName)) ? WRITING : {}
    const why = note === NO_MODEL.message ? told(NO_MODEL).message : note
    const news = { ...known, ...(why !== undefined && { note: why }), ...waiting }
    const choices = variants?.versions.map((value, index) => ({ value, label: `Variant ${index + 1}` }))
    const choice = isOfSession && variants !== undefined ? { variants: { choices, current: variants.current } } : {}
    const answer = success(NEWS[news.state], { proof, ...news, ...choice })
    if (recalled === undefined) return answer
    const isAwaited = shows?.got === undefined && isCalling(toolName)
    const result = shows === undefined || isAwaited ? undefined : recalled.result(shows)
    const values = view !== undefined && view.values === undefined ? recalled.kept(view.args) : undefined
    return withText(answer, values === undefined ? {} : { values }, result)
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

  const handlers: Readonly<
    Record<
      WrapperToolKind,
      (
        args: unknown
      ) => Effect.Effect<ToolResult, CallRefused | ToolsUnavailable | SelectionTooLarge | VersionUnknown | UiUnchanged>
    >
  > = {
    refine,
    write,
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
      briefs.delete(toolName)
      selections.forget(toolName)
    }
  }
}
