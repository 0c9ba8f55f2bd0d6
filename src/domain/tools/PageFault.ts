import { Schema } from "effect"
import { shortened } from "../shortened.ts"

/** What a page may say of its fault, in characters and positions. */
export const MAX_FAULT_MESSAGE = 300
export const MAX_FAULT_SHAPE = 1_000
export const MAX_FAULT_PLACES = 10

/** What went wrong. `hung` is what the wrapper itself finds: the page stopped asking. */
export const FAULT_KINDS = ["threw", "threw later", "not started", "empty", "lost data", "hung"] as const

/** What a generated page told of itself when it failed on screen. */
export const PageFault = Schema.Struct({
  kind: Schema.Literals(FAULT_KINDS),
  message: Schema.String.check(Schema.isMaxLength(MAX_FAULT_MESSAGE)),
  /** `line:column` in the document, innermost first; those in the runtime are among them. */
  places: Schema.Array(Schema.String.check(Schema.isPattern(/^\d{1,9}:\d{1,9}$/))).check(
    Schema.isMaxLength(MAX_FAULT_PLACES)
  ),
  /** The shape of the result that it had: names and types, no values. */
  shape: Schema.String.check(Schema.isMaxLength(MAX_FAULT_SHAPE)),
  /** The version was taken over by an open page: places count from the beginning of its script. */
  isInPlace: Schema.optionalKey(Schema.Boolean)
})
export type PageFault = typeof PageFault.Type

/** A fault as the log, `_ui_inspect` and the model get it. */
export interface KnownFault {
  readonly kind: PageFault["kind"]
  readonly message: string
  /** The line of the source, if one is known. */
  readonly line: string | null
  readonly shape: string | null
}

const MAX_LINE = 200

const WORDS: Readonly<Record<PageFault["kind"], string>> = {
  threw: "its code threw as it began",
  "threw later": "its code threw later",
  "not started": "its code never asked for the data of the tool",
  empty: "it showed nothing",
  "lost data": "nothing of the result could be read on it",
  hung: "it stopped answering as it began to draw: an endless loop, or one that takes very long"
}

/** In a message, what stands in quotes may be data; so may a long number, or an address of mail. */
const QUOTED = /(["'`])((?:(?!\1).){1,300})\1/gu
const PRIVATE = /(?<![\w.+-])[\w.+-]{1,64}@[\w.-]{1,64}|\d{5,}/gu
/** The names of members in a shape. */
const NAME = /(?<=[{,])"((?:[^"\\]|\\.){0,100})":/gu

const scriptsIn = (source: string): ReadonlyArray<string> =>
  source
    .split("<script")
    .slice(1)
    .map((piece) => piece.slice(piece.indexOf(">") + 1).split("</script", 1)[0] ?? "")

/** What the linker adds to scripts. */
const LINKED = /;?const \$\d+\$*=mcpGenUiNames;|\$\d+\$*\.round\(\)[;,]?/gu

/**
 * The lines of a linked source that a fault names, innermost first. `document` is the one that the page came with.
 * Other places are those of the runtime, whose lines are long.
 */
export const faultyLines = (
  { isInPlace, places }: PageFault,
  source: string,
  document: string
): ReadonlyArray<string> => {
  const own = new Set(source.split("\n").map((line) => line.trim()))
  const texts = isInPlace === true ? scriptsIn(source) : [document]
  const all = texts.map((text) => text.split("\n"))
  return places.flatMap((place) => {
    const [line = 0, column = 0] = place.split(":").map(Number)
    const found = all
      .map((lines) => lines[line - 1] ?? "")
      .find((text) => text.trim() !== "" && column <= text.length + 1)
    return found !== undefined && own.has(found.trim()) ? [found.replaceAll(LINKED, "").trim()] : []
  })
}

/**
 * What the model and the log may hear of a fault. Quoted words and names of members stay only if they are `known`, by the
 * source or by what is known of the tool: what is on screen may be private.
 */
export const knownFault = (
  { kind, message, shape }: PageFault,
  known: ReadonlyArray<string>,
  [line]: ReadonlyArray<string>
): KnownFault => {
  const isKnown = (text: string): boolean => known.some((there) => there.includes(text))
  return {
    kind,
    message: message
      .replaceAll(QUOTED, (all, quote: string, text: string) => (isKnown(text) ? all : `${quote}…${quote}`))
      .replaceAll(PRIVATE, (text) => (isKnown(text) ? text : "…")),
    line: line === undefined ? null : shortened(line, MAX_LINE),
    shape: shape === "" ? null : shape.replaceAll(NAME, (_all, name: string) => (isKnown(name) ? `${name}: ` : "…: "))
  }
}

/** A fault in words, a line each, for a prompt. */
export const faultLines = ({ kind, line, message, shape }: KnownFault): ReadonlyArray<string> => [
  `On screen ${WORDS[kind]}${message === "" ? "" : `: ${message}`}`,
  ...(line === null ? [] : [`It was at this line: ${line}`]),
  ...(shape === null ? [] : [`The result then had this shape: ${shape}`])
]
