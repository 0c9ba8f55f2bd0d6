import type { UiEntry } from "../documents/UiEntry.ts"

/** How a version came to be. */
export type VersionOrigin = "generated" | "refined" | "regenerated" | "imported"

/** What is to be kept of how a UI came to be. */
export interface Lineage {
  readonly origin: VersionOrigin
  readonly feedback?: string | null
}

/** A UI that was accepted for a tool. Numbers begin with 1 and are never given twice. */
export interface UiVersion {
  readonly number: number
  readonly entry: UiEntry
  /** The version that it was made from; `null` for one made from nothing. */
  readonly parent: number | null
  readonly origin: VersionOrigin
  /** What the user had asked for, if this version is the answer to it. */
  readonly feedback: string | null
}

/** UTF-16 units of sources that all versions of all tools may hold together. */
const MAX_SIZE = 5_000_000
const MAX_VERSIONS = 20

interface Line {
  readonly toolHash: string
  readonly versions: Array<UiVersion>
  current: number
  next: number
}

const sizeOf = (version: UiVersion): number => version.entry.source?.length ?? 0

/**
 * The accepted UIs of each tool with their lineage, and which of them is the current one. Bounded by count for each
 * tool and by size in all: the oldest ones go, never the current ones or what those were
 * made from.
 */
export class UiVersions {
  readonly #lines = new Map<string, Line>()
  #size = 0

  /** Adds a version and makes it the current one. A tool that was defined anew begins anew. */
  add(toolHash: string, entry: UiEntry, { feedback = null, origin }: Lineage): UiVersion {
    const { toolName } = entry
    const known = this.#lines.get(toolName)
    if (known !== undefined && known.toolHash !== toolHash) this.forget(toolName)
    const line = this.#lines.get(toolName) ?? { toolHash, versions: [], current: 0, next: 1 }
    const parent = origin === "refined" && line.current > 0 ? line.current : null
    const version: UiVersion = { number: line.next, entry, parent, origin, feedback }
    line.versions.push(version)
    line.next += 1
    line.current = version.number
    this.#size += sizeOf(version)
    // Last in the order in which lines give way.
    this.#lines.delete(toolName)
    this.#lines.set(toolName, line)
    while (line.versions.length > MAX_VERSIONS) this.#dropOldest(line)
    for (const older of this.#lines.values()) while (this.#size > MAX_SIZE && this.#dropOldest(older));
    return version
  }

  /** Oldest first. */
  of(toolName: string): ReadonlyArray<UiVersion> {
    return this.#lines.get(toolName)?.versions ?? []
  }

  /** The current one, if the tool is still defined as it was. */
  current(toolName: string, toolHash?: string): UiVersion | undefined {
    const line = this.#lines.get(toolName)
    if (toolHash !== undefined && line?.toolHash !== toolHash) return undefined
    return line?.versions.find(({ number }) => number === line.current)
  }

  /** Makes a version the current one; `undefined` if there is none of that number. */
  select(toolName: string, number: number): UiVersion | undefined {
    const line = this.#lines.get(toolName)
    const version = line?.versions.find((candidate) => candidate.number === number)
    if (line !== undefined && version !== undefined) line.current = number
    return version
  }

  forget(toolName: string): void {
    for (const version of this.of(toolName)) this.#size -= sizeOf(version)
    this.#lines.delete(toolName)
  }

  #dropOldest(line: Line): boolean {
    const parent = line.versions.find(({ number }) => number === line.current)?.parent
    const at = line.versions.findIndex(({ number }) => number !== line.current && number !== parent)
    const [dropped] = at === -1 ? [] : line.versions.splice(at, 1)
    if (dropped !== undefined) this.#size -= sizeOf(dropped)
    return dropped !== undefined
  }
}
