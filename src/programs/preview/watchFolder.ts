import { Effect } from "effect"
import type { Scope } from "effect"
import { watch } from "node:fs"

/** Names of the files of a folder as they change. */
export interface WatchedFolder {
  /** Calls back until the answer is called. */
  readonly onChange: (listener: (file: string) => void) => () => void
  /** Why it cannot be watched, in a sentence; `null` if it is. */
  readonly problem: string | null
}

/** Milliseconds: editors write a file in several steps. */
const QUIET_MS = 80

/** Nothing changes in it. */
export const noFolder: WatchedFolder = { onChange: () => () => undefined, problem: null }

/**
 * Watches a folder until the scope closes. Several quick changes of a file count as one. It does not say whether a file was
 * written, replaced or removed.
 */
export const watchFolder = Effect.fn("preview.watchFolder")(function* (
  path: string
): Effect.fn.Return<WatchedFolder, never, Scope.Scope> {
  const listeners = new Set<(file: string) => void>()
  const timers = new Map<string, NodeJS.Timeout>()
  const tell = (file: string): void => {
    timers.delete(file)
    for (const listener of listeners) listener(file)
  }
  const opened = yield* Effect.result(
    Effect.acquireRelease(
      Effect.try({
        try: () => {
          const watcher = watch(path, { persistent: false }, (_event, file) => {
            if (file === null) return
            clearTimeout(timers.get(file))
            timers.set(file, setTimeout(tell, QUIET_MS, file))
          })
          // The folder may go away; then nothing in it changes any more.
          watcher.on("error", () => watcher.close())
          return watcher
        },
        catch: (cause) => (cause instanceof Error && "code" in cause ? String(cause.code) : "UNKNOWN")
      }),
      (watcher) =>
        Effect.sync(() => {
          watcher.close()
          for (const timer of timers.values()) clearTimeout(timer)
        })
    )
  )
  const why = opened._tag === "Failure" ? (opened.failure === "ENOENT" ? "it does not exist" : opened.failure) : null
  return {
    onChange: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    problem:
      why === null ? null : `The folder of UIs made by hand, ${path}, is not watched: ${why}. Make it, and restart.`
  }
})
