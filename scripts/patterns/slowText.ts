import { setFlagsFromString } from "node:v8"
import { type Attack, attacksOn, parsePattern, quantifiersIn } from "./attacksOn.ts"

/** Steps back for each character of a text; the engine counts some two for each turn of a loop. */
const STEPS = 100
const CHARACTERS = 4000
const ATTACKS = 1000

setFlagsFromString("--allow-natives-syntax")

/** The one way to have V8 count: a test runner's function, which makes `exec` answer `null` after so many steps back. */
const limited: (source: string, flags: string, steps: number) => RegExp = (() => {
  try {
    return new Function("s", "f", "n", "return %NewRegExpWithBacktrackLimit(s, f, n)") as never
  } catch {
    throw new Error(`Node ${process.version} has no %NewRegExpWithBacktrackLimit, with which patterns are counted`)
  }
})()

/** The same pattern with loops that the engine cannot run without counting. */
const counted = (source: string, flags: string): string => {
  const edits = quantifiersIn(parsePattern(source, flags)).flatMap(({ element }) => [
    { at: element.start, text: "(?:" },
    { at: element.end, text: "|(?!))" }
  ])
  // Of what ends and begins at one place, the end comes first.
  edits.sort((a, b) => a.at - b.at || b.text.length - a.text.length)
  let text = ""
  let copied = 0
  for (const edit of edits) {
    text += source.slice(copied, edit.at) + edit.text
    copied = edit.at
  }
  return text + source.slice(copied)
}

/** Patterns that find the same, and that match in any case: `null` says that the steps were used up. */
const searches = (source: string, flags: string): ReadonlyArray<RegExp> => {
  const text = counted(source, flags)
  const first = flags.includes("y") ? `(?:${text})|` : `[^]*?(?:${text})|`
  const all = flags.includes("y") ? [] : [`(?:(?:${text})|[^])*`]
  return [first, ...all].map((each) => limited(each, flags.replaceAll(/[gyd]/g, ""), STEPS * CHARACTERS))
}

const textOf = ([head, repeated, end]: Attack): string =>
  head + repeated.repeat(Math.max(1, Math.floor(CHARACTERS / repeated.length))) + end

/**
 * A text on which a pattern takes more time than in proportion to its length; `undefined` if none is found. It is counted, not
 * measured, so the answer is the same each time.
 */
export const slowText = (source: string, flags: string): Attack | undefined => {
  if (quantifiersIn(parsePattern(source, flags)).length === 0) return undefined
  const patterns = searches(source, flags)
  return attacksOn(source, flags, ATTACKS).find((attack) => {
    const text = textOf(attack)
    return patterns.some((pattern) => pattern.exec(text) === null)
  })
}
