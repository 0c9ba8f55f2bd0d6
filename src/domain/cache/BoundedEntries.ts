import type { UiEntry } from "../tools/UiEntry.ts"

/** Bounds for entries in memory. Bytes count the entry as JSON; times are milliseconds. */
export interface EntryBounds {
  readonly maxEntries: number
  readonly maxEntrySizeBytes: number
  readonly maxTotalSizeBytes: number
  readonly ttlMs: number | undefined
}

interface Slot {
  readonly entry: UiEntry
  readonly bytes: number
}

/** The size of an entry as JSON, in bytes. */
export const entryBytes = (entry: UiEntry): number => Buffer.byteLength(JSON.stringify(entry))

/** Whether an entry is too old to be served. */
export const isExpired = (entry: UiEntry, ttlMs: number | undefined, now: number): boolean =>
  ttlMs !== undefined && now - entry.createdAt >= ttlMs

/** Entries in memory; the least recently used go first. An entry larger than `maxEntrySizeBytes` is not taken. */
export class BoundedEntries {
  readonly #slots = new Map<string, Slot>()
  readonly #bounds: EntryBounds
  #bytes = 0
  #evictions = 0

  constructor(bounds: EntryBounds) {
    this.#bounds = bounds
  }

  get entries(): number {
    return this.#slots.size
  }

  get bytes(): number {
    return this.#bytes
  }

  get evictions(): number {
    return this.#evictions
  }

  fits(bytes: number): boolean {
    const { maxEntries, maxEntrySizeBytes, maxTotalSizeBytes } = this.#bounds
    return bytes <= maxEntrySizeBytes && bytes <= maxTotalSizeBytes && maxEntries > 0
  }

  /** Does not make the entry younger. */
  peek(key: string, now: number): UiEntry | undefined {
    const slot = this.#slots.get(key)
    if (slot === undefined) return undefined
    if (!isExpired(slot.entry, this.#bounds.ttlMs, now)) return slot.entry
    this.drop(key)
    return undefined
  }

  get(key: string, now: number): UiEntry | undefined {
    const entry = this.peek(key, now)
    const slot = this.#slots.get(key)
    if (slot === undefined) return entry
    this.#slots.delete(key)
    this.#slots.set(key, slot)
    return entry
  }

  /** `false` if the entry is too large. An older one of the same key goes in any case. */
  set(entry: UiEntry, bytes = entryBytes(entry)): boolean {
    this.drop(entry.key)
    if (!this.fits(bytes)) return false
    this.#slots.set(entry.key, { entry, bytes })
    this.#bytes += bytes
    for (const key of this.#slots.keys()) {
      if (this.#slots.size <= this.#bounds.maxEntries && this.#bytes <= this.#bounds.maxTotalSizeBytes) break
      this.drop(key)
      this.#evictions += 1
    }
    return true
  }

  drop(key: string): void {
    const slot = this.#slots.get(key)
    if (slot === undefined) return
    this.#slots.delete(key)
    this.#bytes -= slot.bytes
  }

  keysOf(toolName: string): ReadonlyArray<string> {
    return [...this.#slots].flatMap(([key, { entry }]) => (entry.toolName === toolName ? [key] : []))
  }
}
