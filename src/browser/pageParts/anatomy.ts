import type { Child } from "../parts/dom.ts"
import { addSheet, empty, h, isNothing, isPlain, listOf, textOf } from "../parts/kit.ts"

interface Piece {
  readonly text: string
  readonly label: Child
  readonly tone: string
}

const readPiece = (given: unknown): Piece => {
  const { text, label, tone } = isPlain(given)
    ? given
    : { text: listOf(given)[0] ?? given, label: listOf(given)[1], tone: listOf(given)[2] }
  return { text: textOf(text), label: label as Child, tone: textOf(tone) }
}

/** The colours of the charts, by label: the same label has the same colour; a piece without one is muted. */
const coloursOf = (pieces: ReadonlyArray<Piece>): ((piece: Piece) => string) => {
  const labels = [...new Set(pieces.filter(({ label }) => !isNothing(label)).map(({ label }) => textOf(label)))]
  const asNumbers = labels.length > 0 && labels.every((label) => /^[\d\s^×.,]+$/.test(label))
  return ({ label, tone }) =>
    tone !== ""
      ? `var(--mg-${tone === "neutral" ? "muted" : tone})`
      : isNothing(label)
        ? "var(--mg-muted)"
        : asNumbers
          ? "var(--mg-accent)"
          : `var(--mg-${(labels.indexOf(textOf(label)) % 8) + 1})`
}

/** One value in large letters, its pieces in colours, with the meaning of each below it. */
export const anatomy = (pieces?: unknown): HTMLElement => {
  const all = listOf(pieces)
    .map(readPiece)
    .filter(({ text }) => text !== "")
  if (all.length === 0) return empty()
  // In letters of the value: a meaning may need more room than what it explains.
  const length = all.reduce(
    (sum, { label, text }) => sum + Math.max(text.length, Math.min(16, textOf(label).length) / 3 + 0.5),
    0
  )
  const colour = coloursOf(all)
  const told = new Set<string>()
  /** What is said of one piece is seen by its colour in the others. */
  const isNew = ({ label }: Piece): boolean => {
    const text = textOf(label)
    const isFirst = !told.has(text) || /^[\d\s^×.,]+$/.test(text)
    told.add(text)
    return isFirst
  }
  return h(
    "div",
    { class: "mg-anatomy", style: { "--n": Math.max(length, 7) } },
    h(
      "div",
      {},
      all.map((piece) =>
        h(
          "span",
          { class: isNothing(piece.label) ? "mg-piece mg-piece-bare" : "mg-piece", style: { "--c": colour(piece) } },
          h("b", {}, piece.text),
          !isNothing(piece.label) && isNew(piece) && h("small", {}, piece.label)
        )
      )
    )
  )
}

addSheet(
  "anatomy",
  `
.mg-anatomy{container-type:inline-size;flex:1 1 0;min-width:min(100%,220px)}
.mg-anatomy>div{display:flex;flex-wrap:wrap;gap:12px 2px;direction:ltr;font-size:clamp(15px,calc(150cqi/var(--n)),44px)}
.mg-piece{display:grid;align-content:start;gap:5px;min-width:0;max-width:100%}
.mg-piece>b{font:600 1em/1.25 $mono;color:color-mix(in oklab,var(--c) 74%,$text);border-bottom:3px solid var(--c);padding-bottom:3px;overflow-wrap:anywhere;white-space:pre-wrap}
.mg-piece-bare>b{border-color:transparent}
.mg-piece>small{font-size:$xs;line-height:1.3;color:$muted;max-width:16ch;padding-inline-end:10px;overflow-wrap:break-word}
`
)
