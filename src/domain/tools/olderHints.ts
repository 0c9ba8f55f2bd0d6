/** Kinds of views that configurations name; the model is told in words. */
export const VIEW_KINDS = [
  "table",
  "form",
  "chart",
  "cards",
  "list",
  "tree",
  "timeline",
  "calendar",
  "map",
  "gallery",
  "dashboard",
  "wizard"
] as const

interface WrittenHints {
  readonly uiType?: "rich" | "minimal" | (typeof VIEW_KINDS)[number]
  readonly interactivity?: "low" | "medium" | "high" | "readonly"
  readonly prompt?: string
}

const ONLY_SHOWS = "It only shows: offer nothing that changes data or calls the tool again."

/** Hints of one tool as they are written, in the words that the rest of the program knows. */
export const hintsAsWritten = <Hints extends WrittenHints>({ interactivity, prompt, uiType, ...hints }: Hints) => {
  const kind = uiType === "rich" || uiType === "minimal" ? undefined : uiType
  const words = [
    kind === undefined ? undefined : `Show it as a ${kind === "cards" ? "grid of cards" : kind}.`,
    interactivity === "readonly" ? ONLY_SHOWS : undefined,
    prompt
  ].filter((text) => text !== undefined)
  return {
    ...hints,
    ...(uiType !== undefined && { uiType: uiType === "minimal" ? ("minimal" as const) : ("rich" as const) }),
    ...(interactivity !== undefined && {
      interactivity: interactivity === "readonly" ? ("low" as const) : interactivity
    }),
    ...(words.length > 0 && { prompt: words.join("\n") })
  }
}
