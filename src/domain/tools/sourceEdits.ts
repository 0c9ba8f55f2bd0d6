/** What an answer of a model, or a host, makes of the source that is there. */
type EditedSource =
  /** It holds no edits, so it is a page of its own. */
  | { readonly _tag: "Whole" }
  | { readonly _tag: "Edited"; readonly source: string }
  | { readonly _tag: "Misfit"; readonly problems: ReadonlyArray<string> }

interface Block {
  readonly find: ReadonlyArray<string>
  readonly replace: ReadonlyArray<string>
}

interface Place {
  readonly number: number
  readonly start: number
  readonly end: number
  readonly text: string
}

const OPENS = /^<{5,9}(?: SEARCH)?$/
const DIVIDES = /^={5,9}$/
const CLOSES = /^>{5,9}(?: REPLACE)?$/
const PAGE = /<(?:script|style)\b/i

/** Whether a text holds the beginning of an edit, also one that is still streaming. */
export const holdsEdits = (text: string): boolean =>
  text.includes("<<<<<") && text.split(/\r?\n/).some((line) => OPENS.test(line.trim()))

/** The blocks of an answer, and the lines around them. An open block at the end counts as one without an end. */
const blocksIn = (answer: string) => {
  const blocks: Array<Block> = []
  const around: Array<string> = []
  let find: Array<string> | undefined
  let replace: Array<string> | undefined
  for (const line of answer.split(/\r?\n/)) {
    const mark = line.trim()
    if (find === undefined) {
      if (OPENS.test(mark)) find = []
      else around.push(line)
    } else if (replace === undefined) {
      if (DIVIDES.test(mark)) replace = []
      else find.push(line)
    } else if (CLOSES.test(mark)) {
      blocks.push({ find, replace })
      find = undefined
      replace = undefined
    } else replace.push(line)
  }
  return { blocks, around: around.join("\n"), isOpen: find !== undefined }
}

const quoted = (lines: ReadonlyArray<string>): string => {
  const line = lines.find((text) => text.trim() !== "")?.trim() ?? ""
  return JSON.stringify(line.length > 80 ? `${line.slice(0, 80)}…` : line)
}

const withoutSpace = (text: string): string => text.replaceAll(/\s+/g, "")

/** Where a block belongs, or why it belongs nowhere. */
const placeOf = (source: string, { find, replace }: Block, number: number): Place | string => {
  const lineEnd = source.includes("\r\n") ? "\r\n" : "\n"
  const wanted = find.join(lineEnd)
  if (wanted.trim() === "") return `block ${number}: nothing to search for; name lines of the current page`
  const start = source.indexOf(wanted)
  if (start === -1) {
    const isSpaced = withoutSpace(source).includes(withoutSpace(wanted))
    const why = isSpaced ? "stands there with other spaces or line ends" : "does not stand in the current page"
    return `block ${number}: ${quoted(find)} ${why}; copy the lines exactly`
  }
  if (source.includes(wanted, start + 1)) {
    return `block ${number}: ${quoted(find)} stands in the current page more than once; add lines around it`
  }
  const end = start + wanted.length
  const isWholeLine = (start === 0 || source[start - 1] === "\n") && source.startsWith(lineEnd, end)
  // Lines that are taken away leave no empty line.
  return replace.length === 0 && isWholeLine
    ? { number, start, end: end + lineEnd.length, text: "" }
    : { number, start, end, text: replace.join(lineEnd) }
}

/**
 * Applies edits to a source: blocks of `<<<<<<< SEARCH`, lines that stand there once, `=======`, lines in their place,
 * `>>>>>>> REPLACE`. All or none are applied, and nothing else changes. Words around the blocks do not count.
 */
export const editedSource = (source: string | null, answer: string): EditedSource => {
  const { around, blocks, isOpen } = blocksIn(answer)
  const misfit = (...problems: ReadonlyArray<string>): EditedSource => ({ _tag: "Misfit", problems })
  if (isOpen) return misfit(`block ${blocks.length + 1}: it has no ======= or no >>>>>>> REPLACE`)
  if (blocks.length === 0) return { _tag: "Whole" }
  if (PAGE.test(around)) return misfit("there are edits and a page; answer with one of the two")
  if (source === null) return misfit("there is no page to edit; answer with the whole page")
  const found = blocks.map((block, index) => placeOf(source, block, index + 1))
  const problems = found.filter((place) => typeof place === "string")
  const places = found.filter((place) => typeof place !== "string").toSorted((a, b) => a.start - b.start)
  for (const [index, place] of places.entries()) {
    const before = places[index - 1]
    if (before !== undefined && place.start < before.end) {
      problems.push(`blocks ${before.number} and ${place.number} change the same lines; make one of them`)
    }
  }
  if (problems.length > 0) return misfit(...problems)
  let edited = ""
  let at = 0
  for (const { end, start, text } of places) {
    edited += source.slice(at, start) + text
    at = end
  }
  return { _tag: "Edited", source: edited + source.slice(at) }
}
