import { toolTitle } from "../builtin/toolTitle.ts"
import { attempt } from "../parts/values.ts"
import type { App } from "./App.ts"
import type { Bridge } from "./Bridge.ts"
import type { Selection } from "./session.ts"
import type { JsonObject, PageData } from "./types.ts"
import { clearTimeout, setTimeout } from "./platform.ts"

/** Items and UTF-8 bytes of JSON that the model gets. Of the rest it gets the number. */
const MAX_ITEMS = 200
const MAX_BYTES = 60_000

/** Milliseconds in which several selections become one. */
const PAUSE_MS = 150

interface Bounded {
  readonly items: ReadonlyArray<unknown>
  readonly json: string
}

/** The noun becomes part of a sentence that the model takes for ours, so it may have a word or two only. */
const NOUN = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} _'-]{0,39}$/u

const bounded = (items: ReadonlyArray<unknown>): Bounded => {
  const texts: Array<string> = []
  let bytes = 0
  for (const item of items.slice(0, MAX_ITEMS)) {
    const text = attempt(() => JSON.stringify(item) as string | undefined)
    bytes += new TextEncoder().encode(text).length + 1
    if (bytes > MAX_BYTES) break
    if (text !== undefined) texts.push(text)
  }
  const json = `[${texts.join(",")}]`
  return { items: JSON.parse(json) as ReadonlyArray<unknown>, json }
}

export interface SelectionUpdates {
  readonly select: (selection: Selection) => void
  /** Sends what is waiting; never rejects. */
  readonly flush: () => Promise<void>
}

/**
 * Tells the selection to the host, which gives it to the model (`ui/update-model-context`, MCP Apps 2026-01-26), and to
 * the wrapper's own tool, for hosts that do not. Either may be missing or fail. A selection without a press is not
 * told.
 */
export const selectionUpdates = (data: PageData, app: App, bridge: Bridge): SelectionUpdates => {
  let waiting: Selection | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let isTold = false

  const send = async ({ items, noun: given = "items", total, filter }: Selection): Promise<void> => {
    const noun = NOUN.test(given) ? given : "items"
    const count = total ?? items.length
    if (count === 0 && !isTold) return
    isTold = count > 0
    const told = bounded(items)
    const title = toolTitle(data.tool)
    const much = `${filter ? `all ${count} matching` : count === 1 ? "one of the" : count} ${noun}`
    const sentence =
      count === 0
        ? `Nothing is selected in "${title}" any more.`
        : `The user has selected ${much} in "${title}"${told.items.length < count ? `; here are the first ${told.items.length}` : ""}.`
    const kinds = app.getHostCapabilities()?.updateModelContext as JsonObject | undefined
    const requests: Array<Promise<unknown>> = []
    if (kinds !== undefined) {
      const takesData = "structuredContent" in kinds
      const isText = count > 0 && !takesData
      const content = [{ type: "text", text: isText ? `${sentence}\n${told.json}` : sentence }]
      const structuredContent = { toolName: data.tool.name, noun, count, ...(filter && { filter }), items: told.items }
      const hasLimits = Object.keys(kinds).length > 0
      requests.push(
        bridge.ask("ui/update-model-context", {
          ...(hasLimits && !("text" in kinds) ? {} : { content }),
          ...(hasLimits && !takesData ? {} : { structuredContent })
        })
      )
    }
    const { select: tool, token } = data.wrapperTools ?? {}
    if (tool !== undefined)
      requests.push(
        bridge.ask("tools/call", {
          name: tool,
          arguments: {
            toolName: data.tool.name,
            token,
            items: told.items,
            noun,
            ...(filter && { filter }),
            ...(told.items.length < count ? { total: count } : {})
          }
        })
      )
    await Promise.allSettled(requests)
  }

  const flush = async (): Promise<void> => {
    clearTimeout(timer)
    const next = waiting
    waiting = undefined
    if (next !== undefined) await send(next)
  }

  return {
    select: (selection) => {
      // Copy it: a view may change its own list later.
      const items = [...selection.items]
      if (items.length > 0 && !bridge.gate.isPressed) return
      waiting = { ...selection, items }
      clearTimeout(timer)
      timer = setTimeout(() => void flush(), PAUSE_MS)
    },
    flush
  }
}
