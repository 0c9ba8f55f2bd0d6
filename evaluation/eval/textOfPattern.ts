import * as fc from "fast-check"
import type { Chance } from "./Chance.ts"

const TRIES = 60

/** What a person can type into a field of one line. */
const TYPED = /^[\x20-\x7e]*$/

/** Lookarounds, with groups in them, and word boundaries: fast-check writes none, so the text is tested instead. */
const ASSERTION = /\(\?<?[=!](?:\\.|\[[^\]]*\]|\((?:\\.|[^()\\])*\)|[^()\\])*\)|\\b/gi

/** With the flag some patterns that people write are errors; JSON Schema asks for it, servers do not. */
const compile = (pattern: string): RegExp | undefined => {
  for (const flags of ["u", ""]) {
    try {
      return new RegExp(pattern, flags)
    } catch {
      // The next one.
    }
  }
  return undefined
}

/** fast-check throws for what it cannot write, such as an assertion. */
const samples = (expression: RegExp, seed: number): ReadonlyArray<string> => {
  try {
    return fc.sample(fc.stringMatching(expression, { size: "small" }), { seed, numRuns: TRIES })
  } catch {
    return []
  }
}

/**
 * A text that matches a pattern (ECMA-262, as JSON Schema has it) with `minLength` to `maxLength` characters, and nothing around
 * the match where that is possible. `undefined` when none was found.
 */
export const textOfPattern = (
  pattern: string,
  chance: Chance,
  {
    minLength = 0,
    maxLength = Number.POSITIVE_INFINITY
  }: { readonly minLength?: number; readonly maxLength?: number } = {}
): string | undefined => {
  const expression = compile(pattern)
  if (expression === undefined) return undefined
  const alone = compile(`^(?:${pattern.replaceAll(ASSERTION, "")})$`)
  const seed = chance.whole(0, 2 ** 31 - 1)
  const found = (alone === undefined ? [] : samples(alone, seed)).concat(samples(expression, seed))
  const texts = found
    .flatMap((text) => [text, text + "a".repeat(Math.max(0, minLength - [...text].length))])
    .filter((text) => [...text].length >= minLength && [...text].length <= maxLength && expression.test(text))
  return texts.find((text) => TYPED.test(text)) ?? texts[0]
}
