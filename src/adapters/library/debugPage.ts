import { Effect } from "effect"
import { mkdir, mkdtemp, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** The folder of this run, made on first use. Only its owner can read it. */
let folder: Promise<string> | undefined

const inFolder = async (name: string, html: string): Promise<string> => {
  folder ??= mkdir(tmpdir(), { recursive: true }).then(() => mkdtemp(join(tmpdir(), "mcp-gen-ui-debug-")))
  const path = join(await folder, name)
  await writeFile(path, html, { mode: 0o600 })
  return path
}

/** A tool's name as part of a file name, whatever characters it has. */
const safeName = (toolName: string): string =>
  encodeURIComponent(toolName.toWellFormed()).replaceAll("*", "%2A").slice(0, 100)

/**
 * Saves a served document for a person to look at (`--debug`) and logs where; a disk that is full or read-only is a
 * warning, not a failure.
 */
export const saveDebugPage = (toolName: string, key: string, html: string): Effect.Effect<void> =>
  Effect.tryPromise(() => inFolder(`${safeName(toolName)}-${key.slice(0, 8)}.html`, html)).pipe(
    Effect.matchEffect({
      onSuccess: (path) => Effect.logInfo("page saved").pipe(Effect.annotateLogs({ path })),
      onFailure: (error) => Effect.logWarning("page not saved", error.cause)
    }),
    Effect.annotateLogs({ component: "debug", tool: toolName })
  )
