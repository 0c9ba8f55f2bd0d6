import { shortHash } from "../shortHash.ts"

/**
 * The URI of each tool's UI: `ui://` and the percent-encoded name. Hosts compare URIs exactly, but some lower-case what
 * follows the slashes. Of names that differ only in case, all but the first one listed get a suffix.
 */
export interface UiUris {
  readonly uriOf: (toolName: string) => string | undefined
  /** Takes the exact URI, or one whose case a host changed. */
  readonly toolAt: (uri: string) => string | undefined
}

/** `others` are URIs of other owners: none of ours equals one of them, in any case. */
export const makeUiUris = (
  toolNames: ReadonlyArray<string>,
  others: ReadonlyArray<string> = [],
  base = "ui://"
): UiUris => {
  const uris = new Map<string, string>()
  const names = new Map<string, string>()
  const taken = new Set(others.map((uri) => uri.toLowerCase()))
  for (const name of toolNames) {
    if (uris.has(name)) continue
    const plain = `${base}${encodeURIComponent(name.toWellFormed())}`
    const uri = taken.has(plain.toLowerCase()) ? `${plain}~${shortHash(name)}` : plain
    taken.add(uri.toLowerCase())
    uris.set(name, uri)
    names.set(uri, name)
  }
  const anyCase = new Map([...names].map(([uri, name]) => [uri.toLowerCase(), name]))
  return {
    uriOf: (toolName) => uris.get(toolName),
    toolAt: (uri) => names.get(uri) ?? anyCase.get(uri.toLowerCase())
  }
}

/** Groups of names that differ only in case: worth a warning. */
export const caseClashes = (toolNames: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> => {
  const groups = Map.groupBy(new Set(toolNames), (name) => name.toLowerCase())
  return [...groups.values()].filter((group) => group.length > 1)
}
