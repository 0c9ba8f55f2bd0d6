import { Console, Effect, Result, Runtime, Schema } from "effect"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { isObject } from "../../domain/isObject.ts"
import { localFiles } from "../../adapters/platform/localFiles.ts"
import { isUnfitFile, readSmallFile } from "../../adapters/platform/readSmallFile.ts"
import { systemErrorCode } from "../../adapters/platform/replaceFile.ts"
import type { Tool } from "../../domain/tools/Tool.ts"
import { makeToolCatalog } from "../../domain/tools/ToolCatalog.ts"
import { matchesGlob } from "../../domain/tools/ToolGlob.ts"

/** The folder, or a file in it, cannot be read as tool definitions; exit code 2. */
class CorpusUnreadable extends Schema.TaggedError<CorpusUnreadable>()("CorpusUnreadable", {
  path: Schema.String,
  detail: Schema.String
}) {
  override readonly [Runtime.errorExitCode] = 2

  override get message(): string {
    return `--corpus: ${this.path}: ${this.detail}`
  }
}

/** No tool has a name that was asked for; exit code 2. */
class CorpusUnmatched extends Schema.TaggedError<CorpusUnmatched>()("CorpusUnmatched", {
  glob: Schema.String,
  folder: Schema.String,
  count: Schema.Finite
}) {
  override readonly [Runtime.errorExitCode] = 2

  override get message(): string {
    return `--tools: ${JSON.stringify(this.glob)} matches none of the names of tools in ${this.folder} (${this.count} found)`
  }
}

export interface CorpusTool {
  /** The name of the file without `.json`. */
  readonly server: string
  readonly tool: Tool
}

const FILE_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: "does not exist; check the path",
  ENOTDIR: "is no folder",
  EACCES: "cannot be read; check its permissions"
}

const describe = (code: string): string =>
  FILE_ERRORS[code] ?? `cannot be read${code === "UNKNOWN" ? "" : ` (${code})`}`

/** Larger files are no definitions of tools. */
const MAX_BYTES = 64_000_000

/** The list in a file: that of a server's description or of a `tools/list` result, the whole message, or the list itself. */
const definitionsIn = (content: unknown): ReadonlyArray<unknown> | undefined => {
  if (Array.isArray(content)) return content
  if (!isObject(content)) return undefined
  if (Array.isArray(content.tools)) return content.tools
  return isObject(content.result) && Array.isArray(content.result.tools) ? content.result.tools : undefined
}

const isDefinitions = (name: string): boolean =>
  name.endsWith(".json") && !name.endsWith(".results.json") && name !== "INDEX.json"

/**
 * The tools of a folder in which every `.json` file is one server: an object with `tools`, a `tools/list` answer, or a
 * list of tools. Skips `INDEX.json` and `*.results.json`, and with a warning what is no file. In the order of the file
 * names; with `glob`, only tools of such names.
 */
export const readCorpus = Effect.fn("readCorpus")(function* (folder: string, glob?: string) {
  const names = yield* Effect.tryPromise({
    try: () => readdir(folder),
    catch: (cause) => new CorpusUnreadable({ path: folder, detail: describe(systemErrorCode(cause)) })
  })
  const found: Array<CorpusTool> = []
  for (const name of names.filter(isDefinitions).toSorted()) {
    const path = join(folder, name)
    const read = yield* readSmallFile(path, MAX_BYTES).pipe(
      Effect.mapError(systemErrorCode),
      Effect.provide(localFiles),
      Effect.result
    )
    if (Result.isFailure(read)) {
      const code = read.failure
      if (code === "EFBIG" || !isUnfitFile(code)) {
        const detail = code === "EFBIG" ? `is larger than ${MAX_BYTES} bytes` : describe(code)
        return yield* new CorpusUnreadable({ path, detail })
      }
      // Not in the log: the counts at the end lack this file, so everybody has to see it.
      yield* Console.error(`mcp-gen-ui: --corpus: ${path} is no file: it is passed over`)
      continue
    }
    const text = read.success.replace(/^\uFEFF/, "")
    const content = Result.try((): unknown => JSON.parse(text))
    if (Result.isFailure(content)) return yield* new CorpusUnreadable({ path, detail: "is not JSON" })
    const definitions = definitionsIn(content.success)
    if (definitions === undefined)
      return yield* new CorpusUnreadable({ path, detail: "there is no list of tools in it" })
    const { tools } = makeToolCatalog(definitions, () => true)
    for (const tool of tools) found.push({ server: name.slice(0, -".json".length), tool })
  }
  if (found.length === 0) {
    const detail = "there are no tools in it; it takes one .json file a server"
    return yield* new CorpusUnreadable({ path: folder, detail })
  }
  const matching = glob === undefined ? found : found.filter(({ tool }) => matchesGlob(glob, tool.name))
  if (matching.length > 0 || glob === undefined) return matching
  return yield* new CorpusUnmatched({ glob, folder, count: found.length })
})
