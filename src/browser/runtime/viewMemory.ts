import type { ViewMemory } from "./session.ts"
import { clearTimeout, setTimeout } from "./platform.ts"

const PREFIX = "mcp-gen-ui:"

/** How many characters of JSON one page may keep, and how many pages are kept. */
const MAX_LENGTH = 65_536
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
}

/** The memory of a page: of one tool and one call of it, in the browser's storage where the sandbox has one. */
export const viewMemory = (toolName: string): RuntimeMemory => {
  const values = new Map<string, unknown>()
  let key: string | undefined
  let storage: Storage | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

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
    if (storage === undefined || key === undefined) return
    const entries = [...values]
    let text = ""
    do text = JSON.stringify({ at: Date.now(), entries } satisfies Page)
    while (text.length > MAX_LENGTH && entries.shift() !== undefined)
    try {
      storage.setItem(key, text)
      prune(storage)
    } catch {
      // The storage is full: `values` still has what the page knows.
    }
  }
  window.addEventListener("pagehide", flush)

  return {
    open: (call) => {
      if (key !== undefined) return
      key = `${PREFIX}${toolName}:${hash(JSON.stringify(call) ?? "")}`
      storage = openStorage()
      for (const [name, value] of readPage(storage?.getItem(key) ?? null).entries) {
        if (!values.has(name)) values.set(name, value)
      }
    },
    get: (name) => values.get(name),
    set: (name, value) => {
      values.delete(name)
      if (value !== undefined) values.set(name, value)
      timer ??= setTimeout(flush, PAUSE_MS)
    },
    flush
  }
}
