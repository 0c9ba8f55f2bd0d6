import { Effect, FiberMap } from "effect"
import type { Tool } from "../../domain/tools/Tool.ts"
import type { UiLibrary } from "../../services/library/UiLibrary.ts"
import type { Announce } from "./UiChanges.ts"

/** A page that was opened, or takes a version over, asks again within seconds, unless it hangs or was closed. */
const PATIENCE_MS = 10_000

const MAX_SILENT = 2

const HUNG = { kind: "hung", message: "", places: [], shape: "" } as const

export type HungPages = Effect.Success<ReturnType<typeof makeHungPages>>

/**
 * Notices versions whose pages stop asking before they have drawn: nothing can be heard from a frame that hangs, nor from one that its
 * host took away without a word. So one silent page counts for nothing. The rule: pages of the same version fall silent twice, the second
 * one opened after the first was given up, and no page of that version has asked with its result meanwhile. That counts as a
 * version that failed on screen. A page that is closed as the protocol has it asks once more, and is not silent.
 */
export const makeHungPages = Effect.fnUntraced(function* (
  library: Pick<UiLibrary["Service"], "news">,
  announce: Announce
) {
  /** By tool: the version that was last opened, and how often its pages were given up. */
  const silent = new Map<string, { readonly version: string; readonly times: number }>()
  const watches = yield* FiberMap.make<string>()

  const timesOf = (tool: Tool, version: string): number => {
    const known = silent.get(tool.name)
    return known?.version === version ? known.times : 0
  }

  const giveUp = Effect.fnUntraced(function* (tool: Tool, version: string, times: number) {
    silent.set(tool.name, { version, times })
    if (times < MAX_SILENT) return
    silent.delete(tool.name)
    yield* library.news(tool, version, { failed: version, fault: HUNG })
    yield* announce(tool)
  }, Effect.uninterruptible)

  const watch = (tool: Tool, version: string, times: number): Effect.Effect<unknown> =>
    Effect.suspend(() => {
      silent.set(tool.name, { version, times: timesOf(tool, version) })
      return FiberMap.run(watches, tool.name, Effect.delay(giveUp(tool, version, times), PATIENCE_MS))
    })

  /** A page was opened; it draws next. */
  const opens = (tool: Tool, version: string) => Effect.suspend(() => watch(tool, version, timesOf(tool, version) + 1))

  return {
    opens,
    /** A page has got a version to take over. It may get it many times, where the host has lost it. */
    takes: (tool: Tool, version: string) =>
      Effect.suspend(() => watch(tool, version, Math.max(timesOf(tool, version), 1))),
    /** A page that was opened has no result yet: it has still to draw. */
    waits: Effect.fnUntraced(function* (tool: Tool, version: string) {
      const isOpen = yield* FiberMap.has(watches, tool.name)
      if (isOpen && silent.get(tool.name)?.version === version) yield* opens(tool, version)
    }),
    /** A page that shows this version has asked. */
    asks: ({ name }: Tool, version: string): Effect.Effect<void> =>
      Effect.suspend(() => {
        if (silent.get(name)?.version !== version) return Effect.void
        silent.delete(name)
        return FiberMap.remove(watches, name)
      })
  }
})
