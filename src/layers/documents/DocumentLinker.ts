import { Cause, Effect, Layer } from "effect"
import { createHash, randomBytes } from "node:crypto"
import { type HouseFiles, readHouseLook } from "../../adapters/documents/readHouseLook.ts"
import { BUILTIN, documentHtml, plainHtml } from "../../domain/documents/DocumentTemplate.ts"
import type { DocumentData } from "../../domain/documents/DocumentTemplate.ts"
import type { PageTools } from "../../domain/tools/PageTools.ts"
import { drawingsFor, pagePartsIn, withPageParts } from "../../domain/documents/pageParts.ts"
import { styleVariablesFor } from "../../domain/documents/styleVariables.ts"
import { PrintedDocuments } from "../../domain/documents/PrintedDocuments.ts"
import type { LinkedSource } from "../../domain/inspection/linking/LinkedPage.ts"
import type { Tool } from "../../domain/tools/Tool.ts"
import { PrintedJson } from "../../domain/wire/PrintedJson.ts"
import { HAND_MADE, type UiEntry } from "../../domain/tools/UiEntry.ts"
import { DocumentLinker } from "../../services/documents/DocumentLinker.ts"
import { PackageFiles } from "../../services/documents/PackageFiles.ts"
import type { Theme } from "../../services/settings/Settings.ts"

/** The same program twice: packed, and readable in a browser's tools. */
const runtimePath = (isWide: boolean, isReadable: boolean | undefined): string =>
  `dist/runtime${isWide ? "Wide" : ""}${isReadable === true ? "" : ".packed"}.js`

const hash = (...texts: ReadonlyArray<string>): string =>
  createHash("sha256").update(JSON.stringify(texts)).digest("hex").slice(0, 16)

const sha256 = (text: string): string => createHash("sha256").update(text).digest("base64")

/** One for the whole process. */
const nonce = randomBytes(16).toString("base64url")

/** How many bytes of printed documents are kept. */
const MAX_PRINTED_BYTES = 16_777_216

const versions = new WeakMap<UiEntry, string>()

const versionOf = (entry: UiEntry): string => {
  const known = versions.get(entry)
  if (known !== undefined) return known
  const version = hash(entry.toolName, entry.templateVersion, entry.source ?? `built-in ${entry.fallback?.code ?? ""}`)
  versions.set(entry, version)
  return version
}

const isHandMade = ({ provider }: UiEntry): boolean => provider === HAND_MADE

type NamedTools = Pick<DocumentData, "readOnlyTools">

/** Kept per list that was searched: sources are long and read often. */
const namedTools = new WeakMap<UiEntry, { readonly of: Tool["readOnly"]; readonly named: NamedTools }>()

const readOnlyTools = ({ extras, readOnly }: Tool, entry: UiEntry): NamedTools => {
  const known = namedTools.get(entry)
  if (known?.of === readOnly) return known.named
  const cards = extras?.dashboard?.map(({ tool }) => tool.name)
  const tools = readOnly.filter((name) => (cards ?? entry.source)?.includes(name) === true)
  const named = tools.length === 0 ? {} : { readOnlyTools: tools }
  namedTools.set(entry, { of: readOnly, named })
  return named
}

/** Read once: what a tool has beside it is looked for each time. */
const withExtras = ({ extras }: Tool): Pick<DocumentData, "extras"> => (extras === undefined ? {} : { extras })

const dataFor = (
  tool: Tool,
  entry: UiEntry,
  options: { readonly theme: Theme; readonly maxOutputDisplayBytes: number },
  pageTools: PageTools | undefined
): DocumentData => ({
  tool: {
    name: tool.name,
    title: entry.declared?.title ?? tool.title,
    description: tool.description,
    inputSchema: tool.inputSchema,
    outputSchema: tool.outputSchema,
    annotations: tool.annotations,
    // What a server calls itself may say nothing ("node"); its first tool tells it from others.
    family: tool.callable[0]
  },
  view: entry.source === null ? "builtin" : "generated",
  uiType: entry.uiType,
  fallback: entry.fallback,
  level: entry.level,
  version: versionOf(entry),
  theme: options.theme,
  limits: { maxOutputDisplayBytes: options.maxOutputDisplayBytes },
  ...(isHandMade(entry) ? { byHand: true } : {}),
  ...(entry.declared?.displayModes === undefined ? {} : { displayModes: entry.declared.displayModes }),
  ...readOnlyTools(tool, entry),
  ...(pageTools === undefined ? {} : { wrapperTools: pageTools }),
  ...withExtras(tool)
})

const SAMPLE: DocumentData = {
  tool: { name: "sample" },
  view: "builtin",
  uiType: "minimal",
  fallback: null,
  level: 2,
  version: "",
  theme: "system",
  limits: { maxOutputDisplayBytes: 0 }
}

const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/**
 * Links with the runtime that ships with the package. Each source is linked and checked once for its entry, because a
 * cache may hold sources that were never inspected. If a browser would read the markup differently, plain HTML is
 * served. The parsers are loaded for the first source, so a run with built-in UIs only never loads them.
 */
export const layer = (options: {
  readonly theme: Theme
  readonly maxOutputDisplayBytes: number
  /** Links the runtime unpacked: twice the size. */
  readonly readable?: boolean
  readonly house?: HouseFiles
}): Layer.Layer<DocumentLinker, never, PackageFiles> =>
  Layer.effect(
    DocumentLinker,
    Effect.gen(function* () {
      const files = yield* PackageFiles
      const linking = yield* Effect.cached(
        Effect.tryPromise(async () =>
          (await import("../../domain/inspection/linking/PageLinking.ts")).loadPageLinking()
        )
      )
      const lucide = yield* Effect.cached(
        files.text("dist/lucide.json").pipe(
          Effect.mapError((missing) => new Cause.UnknownError(missing)),
          Effect.flatMap((json) => Effect.try((): Readonly<Record<string, string>> => JSON.parse(json)))
        )
      )
      /** The style element of the Tailwind classes that a source names; empty where it names none. */
      const utilities = Effect.fnUntraced(function* (source: string) {
        const theme = yield* files
          .text("dist/tailwind.css")
          .pipe(Effect.mapError((missing) => new Cause.UnknownError(missing)))
        const { utilityStyles } = yield* Effect.promise(() => import("../../adapters/documents/utilityStyles.ts"))
        const css = yield* Effect.tryPromise(() => utilityStyles(theme, source))
        return css === "" ? "" : `<style>${css}</style>`
      })
      const linked = new WeakMap<UiEntry, LinkedSource>()
      /** Versions of hand-made sources for which a warning was given. */
      const warned = new Set<string>()
      const runtimeOf = (isWide: boolean) =>
        Effect.cached(
          Effect.gen(function* () {
            const code = yield* files.text(runtimePath(isWide, options.readable))
            if (!/<\/script|<!--|<script/iu.test(code)) return code
            const { escapeScript } = yield* linking
            return yield* Effect.try(() => escapeScript(code))
          })
        )
      const runtime = yield* runtimeOf(false)
      const wideRuntime = yield* runtimeOf(true)
      const linkedSource = Effect.fnUntraced(function* (entry: UiEntry, source: string) {
        const known = linked.get(entry)
        if (known !== undefined) return known
        const { checkServedMarkup, linkSource } = yield* linking
        const codes = yield* Effect.forEach(pagePartsIn(source), (part) => files.text(`dist/${part}.js`)).pipe(
          Effect.mapError((missing) => new Cause.UnknownError(missing))
        )
        const drawings = drawingsFor(source, yield* lucide)
        const { page, finding } = yield* Effect.try(() => {
          const page = linkSource(withPageParts(source, [...drawings, ...codes]), isHandMade(entry))
          const wrong = checkServedMarkup(page)
          if (wrong !== null && !isHandMade(entry)) throw new Error(`its markup is refused: ${wrong}`)
          return { page, finding: wrong }
        })
        const style = isHandMade(entry) ? styleVariablesFor(source) : yield* utilities(source)
        const result = { ...page, head: `${style}${page.head}` }
        if (finding !== null && !warned.has(versionOf(entry))) {
          warned.add(versionOf(entry))
          yield* Effect.logWarning(`A UI that was made by hand breaks the rules for markup: ${finding}`).pipe(
            Effect.annotateLogs({ component: "DocumentLinker", event: "markup-warned", tool: entry.toolName })
          )
        }
        linked.set(entry, result)
        return result
      })
      const house = yield* Effect.cached(
        options.house === undefined
          ? Effect.undefined
          : readHouseLook(options.house).pipe(
              Effect.catch(({ path, setting, text }) =>
                Effect.logError(`UIs are shown without the look of the house: ${setting}: ${text}`).pipe(
                  Effect.annotateLogs({ component: "DocumentLinker", event: "house-unusable", path }),
                  Effect.as(undefined)
                )
              )
            )
      )
      // Cached, because every read of a UI needs it.
      const version = yield* Effect.cached(
        Effect.zip(runtime, house).pipe(
          Effect.map(([code, look]) => hash(documentHtml(SAMPLE, code, null, { nonce: "", hashes: [] }, look))),
          Effect.orElseSucceed(() => "without-runtime")
        )
      )
      const linkOrFail = Effect.fnUntraced(function* (entry: UiEntry, data: DocumentData) {
        const code = yield* data.extras === undefined ? runtime : wideRuntime
        const source = entry.source === null ? null : yield* linkedSource(entry, entry.source)
        const hashes = data.byHand === true ? null : (source?.scripts ?? []).map(sha256)
        const look = yield* house
        return yield* Effect.try(() =>
          documentHtml(data, code, source, { nonce, hashes, csp: entry.declared?.csp }, look)
        )
      })
      const plainly = (error: unknown, tool: Tool): Effect.Effect<string> => {
        const reason = describe(Cause.isUnknownError(error) ? (error.cause ?? error) : error)
        return Effect.logError(`The document could not be linked: ${reason}`).pipe(
          Effect.annotateLogs({ component: "DocumentLinker", event: "link-failed", tool: tool.name }),
          Effect.as(plainHtml(tool, reason))
        )
      }
      const printed = new PrintedDocuments(MAX_PRINTED_BYTES)
      return DocumentLinker.of({
        link: Effect.fn("DocumentLinker.link")(
          (tool: Tool, entry: UiEntry, pageTools?: PageTools) =>
            linkOrFail(entry, dataFor(tool, entry, options, pageTools)),
          (effect, tool) => effect.pipe(Effect.catch((error) => plainly(error, tool)))
        ),
        print: Effect.fn("DocumentLinker.print")(
          function* (tool: Tool, entry: UiEntry, pageTools?: PageTools) {
            const data = dataFor(tool, entry, options, pageTools)
            // Together with the version, which stands for the source, this determines the document.
            const key = yield* Effect.try(() => JSON.stringify([data, isHandMade(entry), entry.declared?.csp]))
            const known = printed.get(key)
            if (known !== undefined) return known
            const document = new PrintedJson(yield* linkOrFail(entry, data))
            printed.set(key, document)
            return document
          },
          (effect, tool) =>
            effect.pipe(Effect.catch((error) => Effect.map(plainly(error, tool), (html) => new PrintedJson(html))))
        ),
        part: Effect.fn("DocumentLinker.part")(function* (tool: Tool, entry: UiEntry) {
          const source = entry.source === null ? BUILTIN : yield* linkedSource(entry, entry.source)
          const { byHand, fallback, level, readOnlyTools, uiType, version, view } = dataFor(
            tool,
            entry,
            options,
            undefined
          )
          const { body, bodyAttributes, head, htmlAttributes } = source
          const trust = { ...(byHand && { byHand }), ...(readOnlyTools && { readOnlyTools }) }
          return { view, uiType, level, fallback, version, ...trust, htmlAttributes, bodyAttributes, head, body }
        }),
        versionOf,
        version
      })
    })
  )
