import { Effect, Schema } from "effect"
import { toolShape } from "../../domain/library/toolShape.ts"
import { handMadeFileName } from "../../domain/tools/handMadeFileName.ts"
import type { Tool } from "../../domain/tools/Tool.ts"
import { PackageFiles } from "../../services/documents/PackageFiles.ts"
import { hashOf } from "./uiJobs.ts"

/** What a UI of the library was made for: the structure of the tool, without its words. */
export const fingerprintOf = (tool: Pick<Tool, "name" | "inputSchema" | "outputSchema">): string =>
  hashOf(toolShape(tool)).slice(0, 16)

/** `library/SERVER/entry.json` of each server, by the names of their folders; the build puts them into one file. */
const Entries = Schema.fromJsonString(
  Schema.Record(Schema.String, Schema.Struct({ tools: Schema.Record(Schema.String, Schema.String) }))
)

/**
 * The finished UIs that ship with the package (docs/library.md). Nothing is read before one is asked for.
 * A server is known by its tools: it has at least half of those that the entry has UIs for.
 */
export const findFinishedUis = Effect.gen(function* () {
  const files = yield* PackageFiles
  const entries = yield* Effect.cached(
    files.text("dist/library.json").pipe(
      Effect.flatMap(Schema.decodeUnknownEffect(Entries)),
      Effect.tapError(({ message }) =>
        Effect.logWarning(`the library of UIs cannot be read: ${message}`).pipe(
          Effect.annotateLogs("component", "library")
        )
      ),
      Effect.orElseSucceed((): typeof Entries.Type => ({}))
    )
  )
  return Effect.fn("findFinishedUi")(function* (tool: Tool) {
    const fingerprint = fingerprintOf(tool)
    const found = Object.entries(yield* entries).find(([, { tools }]) => {
      if (!Object.hasOwn(tools, tool.name) || tools[tool.name] !== fingerprint) return false
      const names = Object.keys(tools)
      const there = names.filter((name) => tool.callable.includes(name))
      return there.length * 2 >= names.length
    })
    if (found === undefined) return undefined
    return yield* Effect.orElseSucceed(
      files.text(`library/${found[0]}/${handMadeFileName(tool.name)}`),
      () => undefined
    )
  })
})
