import { Effect, Result, Runtime, Schema } from "effect"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import type { Tool } from "../../domain/tools/Tool.ts"
import { makeToolCatalog } from "../../domain/tools/ToolCatalog.ts"

/** The folder, or a file in it, can not be read as tool definitions; exit code 2. */
class CorpusUnreadable extends Schema.TaggedError<CorpusUnreadable>()("CorpusUnreadable", {
  path: Schema.String,
  detail: Schema.String
}) {
  override readonly [Runtime.errorExitCode] = 2

  override get message(): string {
    return `--corpus: ${this.path}: ${this.detail}`
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
  EACCES: "can not be read; check its permissions"
}

const describe = (cause: unknown): string => {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : ""
  return FILE_ERRORS[code] ?? `can not be read${code === "" ? "" : ` (${code})`}`
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

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
 * list of tools. `INDEX.json` and `*.results.json` are passed over. In the order of the file names.
 */
export const readCorpus = Effect.fn("readCorpus")(function* (folder: string) {
  const names = yield* Effect.tryPromise({
    try: () => readdir(folder),
    catch: (cause) => new CorpusUnreadable({ path: folder, detail: describe(cause) })
  })
  const found: Array<CorpusTool> = []
  for (const name of names.filter(isDefinitions).toSorted()) {
    const path = join(folder, name)
    const text = yield* Effect.tryPromise({
      try: () => readFile(path, "utf8"),
      catch: (cause) => new CorpusUnreadable({ path, detail: describe(cause) })
    })
    const content = Result.try((): unknown => JSON.parse(text))
    if (Result.isFailure(content)) return yield* new CorpusUnreadable({ path, detail: "is not JSON" })
    const definitions = definitionsIn(content.success)
    if (definitions === undefined)
      return yield* new CorpusUnreadable({ path, detail: "there is no list of tools in it" })
    const { tools } = makeToolCatalog(definitions, () => true)
    for (const tool of tools) found.push({ server: name.slice(0, -".json".length), tool })
  }
  if (found.length > 0) return found
  return yield* new CorpusUnreadable({
    path: folder,
    detail: "there are no tools in it; it takes one .json file a server"
  })
})
