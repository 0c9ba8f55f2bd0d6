/** What a person has selected in the view of a tool. */
export interface KeptSelection {
  readonly toolName: string
  /** JSON values, in the order of the view; never empty. */
  readonly items: ReadonlyArray<unknown>
  /** What the items are, in the plural: "issues". */
  readonly noun: string
  /** How many were selected: more than `items` when the view had to leave some out. */
  readonly total: number
  /** The arguments of the tool that choose them, where all that match are selected. */
  readonly filter?: Readonly<Record<string, unknown>> | undefined
  /** Milliseconds since the epoch. */
  readonly selectedAt: number
}

export const MAX_SELECTED_ITEMS = 200
/** UTF-8 bytes of the items of one tool as JSON. */
export const MAX_SELECTION_BYTES = 65_536
export const MAX_NOUN_LENGTH = 60

const lineOf = (item: unknown): string => `- ${typeof item === "string" ? item : JSON.stringify(item)}`

/** The selection as text for a model: one sentence, then one item a line. */
export const selectionText = ({ filter, items, noun, toolName, total }: KeptSelection): string => {
  const match = filter === undefined || Object.keys(filter).length === 0 ? "" : ` that match ${JSON.stringify(filter)}`
  const much =
    filter !== undefined ? `all ${total} ${noun}${match}` : total === 1 ? `1 of the ${noun}` : `${total} ${noun}`
  const cut = items.length < total ? ` (the first ${items.length} of them are listed)` : ""
  return [`The user has selected ${much} in ${toolName}${cut}:`, ...items.map(lineOf)].join("\n")
}
