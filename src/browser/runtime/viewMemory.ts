import { isObject } from "../../domain/isObject.ts"
import type { ViewMemory } from "./session.ts"
import { clearTimeout, setTimeout } from "./platform.ts"
import type { JsonObject } from "./types.ts"

const PREFIX = "mcp-gen-ui:"

/** UTF-8 bytes of JSON that one page may keep, and how many pages are kept. */
const MAX_BYTES = 60_000
const MAX_PAGES = 20

/** Milliseconds in which several changes become one. */
const PAUSE_MS = 300

const openStorage = (): Storage | undefined => {
  for (const name of ["localStorage", "sessionStorage"] as const) {
    try {
      const storage = window[name]
      storage.setItem(PREFIX, "")
      storage.removeItem(PREFIX)
      return storage
    } catch {
      // The frame is sandboxed, or the storage is full.
    }
  }
  return undefined
}

/** FNV-1a, 32 bits. */
const hash = (text: string): string => {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  return (value >>> 0).toString(36)
}

interface Page {
  readonly at: number
  readonly entries: ReadonlyArray<readonly [string, unknown]>
}

const readPage = (text: string | null): Page => {
  try {
    const { at, entries } = JSON.parse(text ?? "") as Page
    return { at: Number(at), entries: [...entries].filter((entry) => Array.isArray(entry)) }
  } catch {
    return { at: 0, entries: [] }
  }
}

export interface RuntimeMemory extends ViewMemory {
  /**
   * Says which call the page shows, once that is known: its arguments, or what else names it. Only the first one
   * counts.
   */
  readonly open: (call: unknown) => void
  readonly flush: () => void
  /** Takes what was kept elsewhere; what the page has itself stays. `true`: there was something new. */
  readonly fill: (kept: JsonObject) => boolean
  /** Who else keeps the values of the call with these arguments: is told of it at first, and of each change. */
  readonly keepAlso: (keeper: (args: JsonObject, values?: JsonObject) => void) => void
}

/** The memory of a page: of one tool and one call of it, in the browser's storage where the sandbox has one. */
export const viewMemory = (toolName: string): RuntimeMemory => {
  const values = new Map<string, unknown>()
  let key: string | undefined
  let storage: Storage | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let shown: unknown
  let tell: Parameters<RuntimeMemory["keepAlso"]>[0] = () => undefined

  const prune = (store: Storage): void => {
    const pages = Object.keys(store)
      .filter((name) => name.startsWith(PREFIX))
      .map((name) => ({ name, at: readPage(store.getItem(name)).at }))
    for (const { name } of pages.sort((a, b) => b.at - a.at).slice(MAX_PAGES)) store.removeItem(name)
  }

  const flush = (): void => {
    if (timer === undefined) return
    clearTimeout(timer)
    timer = undefined
    if (key === undefined) return
    const entries = [...values]
    let text = ""
    do text = JSON.stringify({ at: Date.now(), entries } satisfies Page)
    while (new TextEncoder().encode(text).length > MAX_BYTES && entries.shift() !== undefined)
    if (isObject(shown)) tell(shown, Object.fromEntries(entries))
    if (storage === undefined) return
    try {
      storage.setItem(key, text)
      prune(storage)
    } catch {
      // The storage is full: `values` still has what the page knows.
    }
  }
  window.addEventListener("pagehide", flush)

  const set = (name: string, value: unknown): void => {
    values.delete(name)
    if (value !== undefined) values.set(name, value)
    timer ??= setTimeout(flush, PAUSE_MS)
  }

  return {
    open: (call) => {
      if (key !== undefined) return
      key = `${PREFIX}${toolName}:${hash(JSON.stringify(call) ?? "")}`
      storage = openStorage()
      for (const [name, value] of readPage(storage?.getItem(key) ?? null).entries) {
        if (!values.has(name)) values.set(name, value)
      }
      shown = call
      if (isObject(shown)) tell(shown)
    },
    get: (name) => values.get(name),
    set,
    flush,
    fill: (kept) => {
      const news = Object.entries(kept).filter(([name]) => !values.has(name))
      for (const [name, value] of news) set(name, value)
      return news.length > 0
    },
    keepAlso: (keeper) => (tell = keeper)
  }
}
