import { Schema } from "effect"

/** What a page may say: how many faults and members, and how many characters of each text. */
export const MAX_FAULTS = 8
export const MAX_MEMBERS = 60
export const MAX_REPORT_CHARACTERS = 60

const Text = Schema.String.check(Schema.isMaxLength(MAX_REPORT_CHARACTERS))

/** What a page found when it looked at itself after it had drawn a result. */
export const PageReport = Schema.Struct({
  /** Of the frame, in CSS pixels. */
  width: Schema.Finite,
  faults: Schema.Array(
    Schema.Struct({
      fault: Schema.Literals(["cut", "wide", "empty", "wrapped"]),
      /** Its tag and classes: `td.mg-key`. */
      element: Text,
      /** How its text begins. */
      text: Text
    })
  ).check(Schema.isMaxLength(MAX_FAULTS)),
  /** The names of the result's members that it shows, as far as their values stand on the page as they came. */
  members: Schema.Array(Text).check(Schema.isMaxLength(MAX_MEMBERS))
})
export type PageReport = typeof PageReport.Type

const WORDS: Readonly<Record<PageReport["faults"][number]["fault"], string>> = {
  cut: "text is cut off",
  wide: "wider than the frame",
  empty: "drawn empty",
  wrapped: "broken into very short lines"
}

/** Of the classes of our parts. */
const OWN_CLASS = "mg-"

/**
 * A report in words, for a prompt. It quotes only what stands in `known` already: what is on screen may be private, and
 * the model is to hear nothing new by this way.
 */
export const reportLines = ({ faults, width }: PageReport, known: ReadonlyArray<string>): ReadonlyArray<string> => {
  const isKnown = (text: string): boolean => known.some((there) => there.includes(text))
  const lines = faults.map(({ element, fault, text }) => {
    const [tag = "", ...classes] = element.split(".")
    const told = classes.filter((name) => name.startsWith(OWN_CLASS) || isKnown(name))
    const name = [/^[a-z][a-z\d]*$/.test(tag) ? tag : "element", ...told].join(".")
    return `${WORDS[fault]}: ${name}${text !== "" && isKnown(text) ? `, ${JSON.stringify(text)}` : ""}`
  })
  return [`the frame was ${Math.round(width)} pixels wide`, ...new Set(lines)]
}
