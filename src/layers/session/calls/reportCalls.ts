import { Effect } from "effect"
import { aboutRejected, rejectedLine } from "../../../domain/library/aboutRejected.ts"
import { aboutVersion, versionLine } from "../../../domain/library/aboutVersion.ts"
import { askedTexts, NO_REFINEMENTS } from "../../../domain/library/Refinements.ts"
import { isoTime } from "../../../domain/isoTime.ts"
import { type KeptSelection, MAX_SELECTION_BYTES, selectionText } from "../../../domain/session/KeptSelection.ts"
import {
  HistoryArguments,
  ListArguments,
  SelectionArguments,
  ToolArguments
} from "../../../domain/session/wrapperToolArguments.ts"
import type { Tool } from "../../../domain/tools/Tool.ts"
import { fieldSources } from "../../../domain/tools/toolExtras.ts"
import { LIBRARY, type UiEntry } from "../../../domain/tools/UiEntry.ts"
import type { ToolMemory } from "../../../services/library/ToolMemory.ts"
import { VersionUnknown } from "../../../services/library/UiEdits.ts"
import type { UiLibrary, UiOverview } from "../../../services/library/UiLibrary.ts"
import type { Selections } from "../Selections.ts"
import type { ServerTools } from "../ServerTools.ts"
import type { CalledTools } from "./calledTools.ts"
import { decode, decodeNothing, success } from "./toolAnswers.ts"

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

/** How many of the newest fit into one answer (UTF-8 bytes of text); at least one. */
const fitting = (selections: ReadonlyArray<KeptSelection>): number => {
  let bytes = 0
  const over = selections.findIndex((selection, index) => {
    bytes += Buffer.byteLength(selectionText(selection))
    return index > 0 && bytes > MAX_SELECTION_BYTES
  })
  return over === -1 ? selections.length : over
}

/** Answers the calls that tell of UIs, selections and the server's tools, and change no UI. */
export const makeReportCalls = (
  library: UiLibrary["Service"],
  memory: ToolMemory["Service"],
  serverTools: ServerTools,
  { servedToolOf, told, toolOf }: CalledTools,
  selections: Selections,
  lastErrorOf: (toolName: string) => unknown
) => {
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
      lastError: lastErrorOf(tool.name) ?? null,
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

  const refresh = Effect.fnUntraced(function* (args: unknown) {
    yield* decodeNothing(args)
    const changes = yield* serverTools.refresh
    const count = (what: keyof typeof changes) => `${changes[what].length} ${what}`
    return success(`Tools: ${count("added")}, ${count("removed")}, ${count("changed")}, ${count("unchanged")}.`, {
      ...changes
    })
  })

  return { selection, list, inspect, history, refresh_tools: refresh }
}
