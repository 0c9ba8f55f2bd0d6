import { Console, Effect, Layer, Result, Runtime, Schema } from "effect"
import { basename } from "node:path"
import { findSources, type FoundSource } from "../../adapters/documents/exportFolder.ts"
import { localFiles } from "../../adapters/platform/localFiles.ts"
import { systemErrorCode } from "../../adapters/platform/replaceFile.ts"
import { serverIdentity } from "../../adapters/documents/serverIdentity.ts"
import { closestOf } from "../../domain/closestOf.ts"
import type { CommandLineArguments } from "../../domain/settings/ConfigFlags.ts"
import { rejected } from "../../domain/settings/ConfigProblem.ts"
import { MANIFEST_FILE, unmarkedFileName } from "../../domain/documents/export/ExportManifest.ts"
import { isLinkedDocument } from "../../domain/documents/export/standaloneHtml.ts"
import { handMadeFileName } from "../../domain/tools/handMadeFileName.ts"
import type { Tool } from "../../domain/tools/Tool.ts"
import { Settings } from "../../services/settings/Settings.ts"
import { UiCache } from "../../services/cache/UiCache.ts"
import { UiEdits } from "../../services/library/UiEdits.ts"
import { UiLibrary } from "../../services/library/UiLibrary.ts"
import { keeping, languageModel, uiLibrary } from "../MainLayer.ts"
import { logged, quietLog, settingsFor } from "./commandSettings.ts"
import { servedTools } from "./export.ts"
import { shownName, shownText, tableText } from "./tableText.ts"

export interface ImportArguments extends CommandLineArguments {
  /** An exported folder, its sources, or one file. */
  readonly from: string
  /** The tool that one file is for. */
  readonly tool: string | undefined
}

/** The cache would be gone with this process; exit code 2, as nothing was started. */
class CacheNotLasting extends Schema.TaggedError<CacheNotLasting>()("CacheNotLasting", {}) {
  override readonly [Runtime.errorExitCode] = 2

  override get message(): string {
    return (
      "what is imported is put into the cache, and this one is forgotten when the process ends; " +
      "name a folder for it (--cache-dir DIR), or set cache.type to filesystem or redis"
    )
  }
}

/** Some sources were not taken; the table says which, and why. Exit code 1. */
class ImportIncomplete extends Schema.TaggedError<ImportIncomplete>()("ImportIncomplete", {
  refused: Schema.Int,
  all: Schema.Int
}) {
  override get message(): string {
    return `${this.refused} of ${this.all} sources were refused or not kept`
  }
}

interface Outcome {
  readonly verdict: "accepted" | "unchanged" | "left out" | "refused" | "not kept"
  readonly said: string
}

const refused = (said: string): Outcome => ({ verdict: "refused", said })

/** A model begins its answer with it. A person who sends a page need not. */
const VERDICT = "<!-- rich -->"

/** Adds it without a new line: problems are told by their lines. */
const withVerdict = (source: string): string =>
  /<!--[^a-z]{0,20}(?:verdict[^a-z]{0,20})?(?:rich|minimal)[^a-z]{0,20}-->/i.test(source)
    ? source
    : `${VERDICT}${source}`

const sourcesOf = Effect.fnUntraced(function* (from: string, toolName: string | undefined) {
  const found = yield* findSources(from).pipe(
    Effect.mapError((failure) => rejected(`${from} cannot be read (${systemErrorCode(failure)})`)),
    Effect.provide(localFiles)
  )
  const { sources } = found
  const [first] = sources
  if (first === undefined) return yield* rejected(`${from} holds no source of a UI: no file that ends in .html`)
  if (toolName === undefined) return found
  if (sources.length > 1) return yield* rejected(`--tool names one tool, and ${from} holds ${sources.length} sources`)
  return { ...found, isManifestDamaged: false, sources: [{ ...first, toolName, server: undefined }] }
})

const work = Effect.fnUntraced(function* (from: string, toolName: string | undefined) {
  const { exported, isManifestDamaged, sources: found } = yield* sourcesOf(from, toolName)
  if (isManifestDamaged) {
    const said = `${MANIFEST_FILE} is damaged, or was not written by an export: tools are known by the names of files`
    yield* Console.error(`mcp-gen-ui: ${said}`)
  }
  const { catalog } = yield* servedTools
  const library = yield* UiLibrary
  const edits = yield* UiEdits
  const cache = yield* UiCache
  const own = serverIdentity(yield* Settings, process.env)
  const hasOwn = exported.some(({ server }) => server?.id === own.id)

  /** If nothing in the folder is from this server, its id may differ by how it is started: then names decide. */
  const ofOthers = ({ server, toolName: name }: FoundSource): Outcome | undefined => {
    if (server === undefined || server.id === own.id) return undefined
    const said = `exported from another server, ${shownText(server.name)}; name the file and --tool to take it all the same`
    if (hasOwn) return { verdict: "left out", said }
    return exported.filter(({ tool }) => tool === name).length > 1 ? refused(said) : undefined
  }

  const adopted = Effect.fnUntraced(function* (tool: Tool, source: string) {
    const { entry: present } = yield* library.overview(tool)
    if (present?.fallback === null && present.source === source) {
      return { verdict: "unchanged", said: "it is the UI that is served already" } satisfies Outcome
    }
    const outcome = yield* Effect.result(edits.adopt(tool, withVerdict(source)))
    if (Result.isFailure(outcome)) return refused(outcome.failure.reason.message)
    const { entry } = outcome.success
    if (!(yield* cache.isLasting(entry.key))) {
      return { verdict: "not kept", said: "it could not be written into the cache" } satisfies Outcome
    }
    const notes = [...entry.repairs.map((repair) => `repaired: ${repair}`), ...entry.warnings]
    return { verdict: "accepted", said: notes.join("; ") } satisfies Outcome
  })

  /** Finds the tool by the name of the file; a very long name has a short form. */
  const toolOf = ({ path, toolName: name }: FoundSource): string | undefined =>
    name ?? catalog.tools.find((tool) => handMadeFileName(tool.name) === unmarkedFileName(basename(path)))?.name

  const outcomeOf = (source: FoundSource): Effect.Effect<Outcome> => {
    const { content } = source
    if ("why" in content) return Effect.succeed(refused(content.why))
    const foreign = ofOthers(source)
    if (foreign !== undefined) return Effect.succeed(foreign)
    const { text } = content
    const name = toolOf(source)
    if (name === undefined) return Effect.succeed(refused("its name is no tool's: name the tool with --tool"))
    const tool = catalog.toolNamed(name)
    if (tool === undefined) {
      const closest = closestOf(
        name,
        catalog.tools.map((other) => other.name)
      )
      const advice = closest === undefined ? "" : `; did you mean "${closest}"?`
      return Effect.succeed(refused(`the server has no tool "${name}"${advice}`))
    }
    if (!catalog.isServed(tool)) return Effect.succeed(refused("no UI is served for this tool"))
    if (isLinkedDocument(text)) {
      return Effect.succeed(refused("this is an exported page; edit and import its source (sources/…) instead"))
    }
    return adopted(tool, text)
  }

  const rows: Array<ReadonlyArray<string>> = []
  let failed = 0
  for (const source of found) {
    const { said, verdict } = yield* outcomeOf(source)
    if (verdict === "refused" || verdict === "not kept") failed += 1
    const name = "why" in source.content ? undefined : toolOf(source)
    rows.push([
      name === undefined ? shownText(source.path) : shownName(name),
      verdict,
      said.replaceAll(/[\p{Cc}\p{Cf}]/gu, " ")
    ])
  }
  yield* Console.log(tableText([["TOOL", "SOURCE", ""], ...rows]))
  if (failed > 0) return yield* new ImportIncomplete({ refused: failed, all: found.length })
})

/**
 * `mcp-gen-ui import`: takes edited sources of UIs back. Each has to pass the inspection that generated ones have to pass,
 * and is put into the cache of the settings, where a server with the same settings finds it. No model is asked.
 */
export const runImport = Effect.fn("runImport")(function* (given: ImportArguments) {
  const { notices, settings } = yield* settingsFor(given, { ...quietLog(given.flags, "warn"), http: "off" })
  if (!settings.cache.enabled || settings.cache.type === "memory") return yield* new CacheNotLasting()
  const services = Layer.merge(uiLibrary, keeping).pipe(
    Layer.provide(languageModel),
    Layer.provideMerge(logged(settings, notices))
  )
  yield* work(given.from, given.tool).pipe(Effect.provide(services))
})
