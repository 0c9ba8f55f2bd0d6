/** Data as it is written in a file: every part knows where it begins and ends, so that only what changes is written anew. */
export type HostNode = HostScalar | HostList | HostMap

interface Span {
  readonly start: number
  readonly end: number
}

/** `value` is `undefined` for what we cannot read, such as an alias of YAML. */
interface HostScalar extends Span {
  readonly kind: "scalar"
  readonly value: unknown
}

export interface HostList extends Span {
  readonly kind: "list"
  readonly items: ReadonlyArray<HostNode>
  /** With dashes, one a line (YAML). */
  readonly isBlock: boolean
}

export interface HostMap extends Span {
  readonly kind: "map"
  readonly pairs: ReadonlyArray<HostPair>
  /** Without braces, one member a line. */
  readonly isBlock: boolean
}

export interface HostPair extends Span {
  readonly key: string
  readonly value: HostNode
  /** What stands before the last name in the header of a table of TOML. */
  readonly table?: string | undefined
}

export type HostFormat = "json" | "yaml" | "toml"

export interface HostTree {
  readonly text: string
  readonly format: HostFormat
  readonly root: HostMap
}

/** A text that is not of its format; line and column count from 1. */
export interface HostTextProblem {
  readonly line: number
  readonly column: number
  readonly detail: string
}

/** The last member of a name: the one that counts in JSON. */
export const pairOf = (map: HostMap, key: string): HostPair | undefined =>
  map.pairs.findLast((pair) => pair.key === key)

export const memberOf = (node: HostNode | undefined, key: string): HostNode | undefined =>
  node?.kind === "map" ? pairOf(node, key)?.value : undefined

export const textOf = (node: HostNode | undefined): string | undefined =>
  node?.kind === "scalar" && typeof node.value === "string" ? node.value : undefined

/** The texts of a list; numbers as texts. `undefined` if it is none, or holds something else. */
export const textsOf = (node: HostNode | undefined): ReadonlyArray<string> | undefined => {
  if (node?.kind !== "list") return undefined
  const texts = node.items.map((item) => {
    const value = item.kind === "scalar" ? item.value : undefined
    return typeof value === "number" || typeof value === "boolean" || typeof value === "bigint" ? String(value) : value
  })
  return texts.every((text) => typeof text === "string") ? texts : undefined
}

/** The members of a map that are texts or numbers. */
export const recordOf = (node: HostNode | undefined): Readonly<Record<string, string>> =>
  node?.kind === "map"
    ? Object.fromEntries(
        node.pairs.flatMap(({ key, value }) => {
          const text = value.kind === "scalar" && value.value !== null ? value.value : undefined
          return text === undefined ? [] : [[key, String(text)]]
        })
      )
    : {}
