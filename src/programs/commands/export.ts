import { Console, Effect, Layer, Result, Schema } from "effect"
import type { CommandLineArguments } from "../../domain/settings/ConfigFlags.ts"
import { rejected } from "../../domain/settings/ConfigProblem.ts"
import { DECLARED, LIBRARY, type UiEntry } from "../../domain/tools/UiEntry.ts"
import type { Tool } from "../../domain/tools/Tool.ts"
import { makeToolCatalog, type ToolCatalog } from "../../domain/tools/ToolCatalog.ts"
import { matchesGlob } from "../../domain/tools/ToolGlob.ts"
import * as DocumentLinker from "../../layers/documents/DocumentLinker.ts"
import * as PackageFiles from "../../layers/documents/PackageFiles.ts"
import * as UiExportFolder from "../../layers/documents/UiExportFolder.ts"
import { Settings } from "../../services/settings/Settings.ts"
import { ToolMemory } from "../../services/library/ToolMemory.ts"
import { UiExport } from "../../services/documents/UiExport.ts"
import { UiLibrary } from "../../services/library/UiLibrary.ts"
import { listServerTools } from "../generate/listServerTools.ts"
import { documentOptions } from "../layerUiLibrary.ts"
import { languageModel, uiLibrary } from "../MainLayer.ts"
import { logged, quietLog, settingsFor } from "./commandSettings.ts"
import { shownName, shownText, tableText } from "./tableText.ts"

export interface ExportArguments extends CommandLineArguments {
  /** The folder. */
  readonly out: string
  /** A glob over tool names. */
  readonly tools: string | undefined
}

/** Some UIs are not in the folder; the table says which, and why. Exit code 1. */
class ExportIncomplete extends Schema.TaggedError<ExportIncomplete>()("ExportIncomplete", {
  failed: Schema.Int,
  all: Schema.Int
}) {
  override get message(): string {
    return `${this.failed} of ${this.all} UIs could not be written`
  }
}

/** With more readers at a time, the library serves the rest a fallback. */
const MAX_READERS = 4

/** The tools of the server of the settings, and those of them that have UIs. */
export const servedTools: Effect.Effect<
  { readonly catalog: ToolCatalog; readonly served: ReadonlyArray<Tool> },
  Effect.Error<typeof listServerTools>,
  Settings
> = Effect.gen(function* () {
  const { enabledTools, tools } = (yield* Settings).generation
  const isEnabled = (name: string): boolean =>
    enabledTools === undefined || enabledTools.some((glob) => matchesGlob(glob, name))
  const catalog = makeToolCatalog(yield* listServerTools, isEnabled, tools)
  return { catalog, served: catalog.tools.filter(catalog.isServed) }
})

const kindOf = (entry: UiEntry): string => {
  if (entry.source === null) {
    const isChosen = entry.fallback === null || entry.fallback.code === "NO_MODEL"
    return isChosen ? "built-in" : `built-in (${entry.fallback?.code ?? ""})`
  }
  if (entry.provider === DECLARED) return "declared"
  if (entry.provider === LIBRARY) return "from the library"
  return entry.provider === "file" || entry.provider === "hand" ? "made by hand" : "generated"
}

const work = Effect.fnUntraced(function* (glob: string | undefined) {
  const { generation } = yield* Settings
  const { catalog, served } = yield* servedTools
  const library = yield* UiLibrary
  const memory = yield* ToolMemory
  const { write } = yield* UiExport
  const tools = glob === undefined ? served : served.filter(({ name }) => matchesGlob(glob, name))
  if (tools.length === 0) {
    const what = glob === undefined ? "the server has no tool" : `no tool of the server is named like "${glob}"`
    return yield* rejected(`${what} that a UI is served for; it has ${catalog.tools.length} in all`)
  }

  const exported = Effect.fnUntraced(function* (tool: Tool) {
    const { entry } = yield* library.read(tool, { delivery: "blocking" })
    const { current } = entry.source === null ? { current: null } : yield* library.overview(tool)
    const hints = Object.hasOwn(generation.tools, tool.name) ? generation.tools[tool.name] : undefined
    const outcome = yield* Effect.result(
      write(tool, entry, {
        learned: memory.learned(tool.name),
        examples: hints?.examples ?? [],
        version: current,
        uri: catalog.uriOf(tool.name)
      })
    )
    const isWritten = Result.isSuccess(outcome)
    const said = isWritten ? outcome.success.join(", ") : shownText(`not written: ${outcome.failure.why}`)
    return { isWritten, row: [shownName(tool.name), kindOf(entry), said] }
  })
  const readers = Math.min(generation.maxConcurrentGenerations, MAX_READERS)
  const outcomes = yield* Effect.forEach(tools, exported, { concurrency: readers })
  yield* Console.log(tableText([["TOOL", "UI", "FILES"], ...outcomes.map(({ row }) => row)]))
  const failed = outcomes.filter(({ isWritten }) => !isWritten).length
  if (failed > 0) return yield* new ExportIncomplete({ failed, all: tools.length })
})

/**
 * `mcp-gen-ui export`: writes the UIs of all tools of a server into a folder, as pages that open in a browser: those of
 * the cache, else generated if there is a model, else built-in ones. A table says what was written.
 */
export const runExport = Effect.fn("runExport")(function* (given: ExportArguments) {
  const { notices, settings } = yield* settingsFor(given, { ...quietLog(given.flags, "warn"), http: "off" })
  const linker = DocumentLinker.layer(documentOptions(settings))
  const folder = UiExportFolder.layer({ directory: given.out, settings }).pipe(
    Layer.provide(linker),
    Layer.provide(PackageFiles.layer)
  )
  // The pages are written here, once.
  const context = logged({ ...settings, exportDirectory: undefined }, notices)
  const services = Layer.merge(uiLibrary.pipe(Layer.provide(languageModel)), folder).pipe(Layer.provideMerge(context))
  yield* work(given.tools).pipe(Effect.provide(services))
})
