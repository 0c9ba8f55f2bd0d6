import type { KnownFault } from "../tools/PageFault.ts"
import type { UiEntry } from "../tools/UiEntry.ts"

/** How a version came to be; `written`: by the model of the host; `reset`: back to the built-in UI. */
type VersionOrigin =
  | "generated"
  | "refined"
  | "regenerated"
  | "reset"
  | "variant"
  | "redrafted"
  | "repaired"
  | "imported"
  | "written"
  | "library"

/** How a UI came to be, as its version keeps it. */
export interface Lineage {
  readonly origin: VersionOrigin
  readonly feedback?: string | null
  /** The version that was repaired. */
  readonly parent?: number
}

/** A UI that was accepted for a tool. Numbers begin with 1 and are never given twice. */
export interface UiVersion {
  readonly number: number
  readonly entry: UiEntry
  /** The version that it was made from; `null` for one made from nothing. */
  readonly parent: number | null
  readonly origin: VersionOrigin
  /** The refinement that led to this version. */
  readonly feedback: string | null
  /** The version that was served until this one was; `null` for the first. */
  readonly before: number | null
  /** When a page reported that the version failed on screen (milliseconds since the epoch). */
  readonly failedAt: number | null
  /** What the page told then. */
  readonly fault: KnownFault | null
}

/** UTF-16 units, for the sources of all versions of all tools together. */
const MAX_SIZE = 5_000_000
const MAX_VERSIONS = 20

interface Line {
  readonly toolHash: string
  readonly versions: Array<UiVersion>
  current: number
  next: number
  /** The variants that a person is to choose among, by number. */
  choice: ReadonlyArray<number>
  /** The current version, if it failed and the built-in UI is served in its place. */
  withheld: number | null
}

const sizeOf = (version: UiVersion): number => version.entry.source?.length ?? 0

const versionOf = (line: Line, wanted: number): UiVersion | undefined =>
  line.versions.find(({ number }) => number === wanted)

/**
 * The last version served before the current one that did not fail; else the newest older one that did not. A source
 * that failed counts as failed under any number.
 */
const goodBeforeIn = (line: Line): UiVersion | undefined => {
  const current = versionOf(line, line.current)
  const failed = new Set(line.versions.flatMap(({ entry, failedAt }) => (failedAt === null ? [] : [entry.source])))
  const isGood = ({ entry }: UiVersion): boolean => entry.source !== current?.entry.source && !failed.has(entry.source)
  for (let number = current?.before ?? null; number !== null;) {
    const version = versionOf(line, number)
    if (version !== undefined && isGood(version)) return version
    number = version?.before ?? null
  }
  return line.versions.findLast((version) => version.number < line.current && isGood(version))
}

/**
 * The accepted UIs of each tool with their lineage, which one is current, and which failed on screen. The versions of
 * each tool and their total size are bounded: the oldest are dropped, but never a current one, its parent, or the one
 * that would replace it.
 */
export class UiVersions {
  readonly #lines = new Map<string, Line>()
  #size = 0

  /** Adds a version and makes it the current one. A changed tool definition starts a new line. */
  add(toolHash: string, entry: UiEntry, { feedback = null, origin, parent: of }: Lineage): UiVersion {
    const { toolName } = entry
    const known = this.#lines.get(toolName)
    if (known !== undefined && known.toolHash !== toolHash) this.forget(toolName)
    const line = this.#lines.get(toolName) ?? {
      toolHash,
      versions: [],
      current: 0,
      next: 1,
      choice: [],
      withheld: null
    }
    const before = line.current > 0 ? line.current : null
    const parent = origin === "refined" || origin === "redrafted" || origin === "written" ? before : (of ?? null)
    // Importing a failed source is deliberate, like a revert to it, so it stays.
    const same =
      origin === "imported" ? line.versions.findLast((there) => there.entry.source === entry.source) : undefined
    const { failedAt, fault } = same ?? { failedAt: null, fault: null }
    const version: UiVersion = { number: line.next, entry, parent, origin, feedback, before, failedAt, fault }
    line.versions.push(version)
    line.next += 1
    line.current = version.number
    line.choice = []
    line.withheld = null
    this.#size += sizeOf(version)
    // The tools that changed longest ago lose versions first.
    this.#lines.delete(toolName)
    this.#lines.set(toolName, line)
    while (line.versions.length > MAX_VERSIONS) this.#dropOldest(line)
    for (const older of this.#lines.values()) while (this.#size > MAX_SIZE && this.#dropOldest(older));
    return version
  }

  /** Adds variants of the current version, which stays current. A person chooses among all of them. */
  addBeside(toolHash: string, entries: ReadonlyArray<UiEntry>, lineage: Lineage): void {
    const first = this.#lines.get(entries[0]?.toolName ?? "")?.current
    const numbers = entries.map((entry) => this.add(toolHash, entry, lineage).number)
    const line = this.#lines.get(entries[0]?.toolName ?? "")
    if (line === undefined || first === undefined || versionOf(line, first) === undefined) return
    line.current = first
    line.choice = [first, ...numbers]
  }

  /** The variants to choose among, by number; none when there is no choice. */
  choiceOf(toolName: string): ReadonlyArray<number> {
    const line = this.#lines.get(toolName)
    const choice = (line?.choice ?? []).filter((number) =>
      line?.versions.some((version) => version.number === number && version.failedAt === null)
    )
    return choice.length > 1 ? choice : []
  }

  /** Somebody has chosen: what is current stays, and so do the others, as versions. */
  settle(toolName: string): void {
    const line = this.#lines.get(toolName)
    if (line !== undefined) line.choice = []
  }

  /** Oldest first. */
  of(toolName: string): ReadonlyArray<UiVersion> {
    return this.#lines.get(toolName)?.versions ?? []
  }

  /** The current version, if the tool's definition has not changed. */
  current(toolName: string, toolHash?: string): UiVersion | undefined {
    const line = this.#lines.get(toolName)
    if (toolHash !== undefined && line?.toolHash !== toolHash) return undefined
    return line === undefined ? undefined : versionOf(line, line.current)
  }

  /** Makes a version the current one; `undefined` if there is none of that number. */
  select(toolName: string, number: number): UiVersion | undefined {
    const line = this.#lines.get(toolName)
    const version = line === undefined ? undefined : versionOf(line, number)
    if (line !== undefined && version !== undefined) {
      line.current = number
      line.withheld = null
    }
    return version
  }

  /** From now on the built-in UI is served in place of the current version, until another is added or one selected. */
  withhold(toolName: string): void {
    const line = this.#lines.get(toolName)
    if (line !== undefined) line.withheld = line.current
  }

  isWithheld(toolName: string, toolHash: string): boolean {
    return this.current(toolName, toolHash)?.number === this.#lines.get(toolName)?.withheld
  }

  /** Notes that the current version failed on screen. Returns `true` only the first time. */
  fail(toolName: string, number: number, failedAt: number, fault: KnownFault | null = null): boolean {
    const line = this.#lines.get(toolName)
    const at = line?.versions.findIndex((version) => version.number === number) ?? -1
    const version = line?.versions[at]
    if (line === undefined || version === undefined || line.current !== number || version.failedAt !== null)
      return false
    line.versions[at] = { ...version, failedAt, fault }
    return true
  }

  /** Whether a source failed on screen and is not the current one, which somebody may have chosen anyway. */
  isRuledOut(toolName: string, toolHash: string, source: string | null): boolean {
    const current = this.current(toolName, toolHash)
    if (source === null || current === undefined || current.entry.source === source) return false
    return this.of(toolName).some(({ entry, failedAt }) => failedAt !== null && entry.source === source)
  }

  /** The version that replaces the current one if it fails. */
  goodBefore(toolName: string): UiVersion | undefined {
    const line = this.#lines.get(toolName)
    return line === undefined ? undefined : goodBeforeIn(line)
  }

  forget(toolName: string): void {
    for (const version of this.of(toolName)) this.#size -= sizeOf(version)
    this.#lines.delete(toolName)
  }

  #dropOldest(line: Line): boolean {
    const stays = new Set([line.current, versionOf(line, line.current)?.parent, goodBeforeIn(line)?.number])
    const at = line.versions.findIndex(({ number }) => !stays.has(number))
    const [dropped] = at === -1 ? [] : line.versions.splice(at, 1)
    if (dropped !== undefined) this.#size -= sizeOf(dropped)
    return dropped !== undefined
  }
}
