import type { Chance } from "./Chance.ts"

/** A part of a regular expression: writes a text that it matches. */
type Writer = (chance: Chance, groups: Array<string>) => string

const MOST_REPEATS = 8
const PRINTABLE = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index))
const DIGITS = [..."0123456789"]
const WORD = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"]
/** Reads better than any printable character, for `.` and for negated sets. */
const LIKELY = [..."abcdefghijklmnopqrstuvwxyz0123456789"]

const setOfEscape = (letter: string): ReadonlyArray<string> | undefined => {
  switch (letter) {
    case "d":
      return DIGITS
    case "D":
      return PRINTABLE.filter((character) => !DIGITS.includes(character))
    case "w":
      return WORD
    case "W":
      return PRINTABLE.filter((character) => !WORD.includes(character))
    case "s":
      return [" "]
    case "S":
      return PRINTABLE.slice(1)
    default:
      return undefined
  }
}

const CONTROLS: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", f: "\f", v: "\v", 0: "\0" }

const oneOf =
  (characters: ReadonlyArray<string>): Writer =>
  (chance) =>
    chance.pick(characters) ?? ""

const likelyOf = (characters: ReadonlyArray<string>): ReadonlyArray<string> => {
  const likely = characters.filter((character) => LIKELY.includes(character))
  return likely.length > 0 ? likely : characters
}

class Reader {
  private at = 0
  private groups = 0
  private readonly source: string
  constructor(source: string) {
    this.source = source
  }

  get isDone(): boolean {
    return this.at >= this.source.length
  }

  private peek(text: string): boolean {
    return this.source.startsWith(text, this.at)
  }

  private eat(text: string): boolean {
    if (!this.peek(text)) return false
    this.at += text.length
    return true
  }

  private next(): string {
    const character = this.source[this.at]
    if (character === undefined) throw new Error("the pattern ends too early")
    this.at += 1
    return character
  }

  private match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.source)
    if (found === null) return undefined
    this.at += found[0].length
    return found
  }

  alternatives(): Writer {
    const writers = [this.sequence()]
    while (this.eat("|")) writers.push(this.sequence())
    return (chance, groups) => chance.pick(writers)?.(chance, groups) ?? ""
  }

  private sequence(): Writer {
    const writers: Array<Writer> = []
    while (!this.isDone && !this.peek("|") && !this.peek(")")) writers.push(this.quantified(this.atom()))
    return (chance, groups) => writers.map((write) => write(chance, groups)).join("")
  }

  private quantified(write: Writer): Writer {
    const found = this.match(/(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/y)
    if (found === undefined) return write
    const [, sign, from, comma, to] = found
    const least = sign === undefined ? Number(from) : sign === "+" ? 1 : 0
    const open = sign === "*" || sign === "+" || (comma !== undefined && to === "")
    const most = open ? Math.max(least, MOST_REPEATS) : sign === "?" ? 1 : Number(comma === undefined ? from : to)
    return (chance, groups) => {
      const count = chance.whole(least, Math.min(most, least + MOST_REPEATS))
      return Array.from({ length: count }, () => write(chance, groups)).join("")
    }
  }

  private atom(): Writer {
    if (this.eat("(")) return this.group()
    if (this.eat("[")) return oneOf(this.set())
    if (this.eat(".")) return oneOf(LIKELY)
    if (this.eat("^") || this.eat("$")) return () => ""
    if (this.eat("\\")) return this.escape()
    const character = this.next()
    return () => character
  }

  private group(): Writer {
    const isAssertion = this.match(/\?(?:=|!|<=|<!)/y) !== undefined
    const isPlain = isAssertion || this.eat("?:")
    if (!isPlain) this.match(/\?<[A-Za-z_$][\w$]*>/y)
    const index = isPlain ? undefined : (this.groups += 1)
    const inner = this.alternatives()
    if (!this.eat(")")) throw new Error("a group is not closed")
    // What an assertion asks for is left to luck: the caller tests the text and tries again.
    if (isAssertion) return () => ""
    return (chance, groups) => {
      const text = inner(chance, groups)
      if (index !== undefined) groups[index] = text
      return text
    }
  }

  private escape(): Writer {
    const back = this.match(/[1-9]\d?/y)
    if (back !== undefined) return (_chance, groups) => groups[Number(back[0])] ?? ""
    const letter = this.next()
    if (letter === "b" || letter === "B") return () => ""
    const set = setOfEscape(letter)
    if (set !== undefined) return oneOf(likelyOf(set))
    const character = this.characterOf(letter)
    return () => character
  }

  private characterOf(letter: string): string {
    if (letter === "u" || letter === "x") {
      const code = this.match(letter === "x" ? /[\da-f]{2}/iy : /\{[\da-f]+\}|[\da-f]{4}/iy)
      if (code !== undefined) return String.fromCodePoint(Number.parseInt(code[0].replaceAll(/[{}]/g, ""), 16))
    }
    if (letter === "c") return String.fromCharCode(this.next().charCodeAt(0) % 32)
    return CONTROLS[letter] ?? letter
  }

  private set(): ReadonlyArray<string> {
    const isNegated = this.eat("^")
    const members = new Set<string>()
    while (!this.peek("]")) {
      const first = this.member(members)
      if (first === undefined || !this.peek("-") || this.source[this.at + 1] === "]") continue
      this.next()
      const last = this.member(members)
      if (last === undefined) members.add("-")
      else {
        const until = Math.min(last.codePointAt(0) ?? 0, (first.codePointAt(0) ?? 0) + 200)
        for (let code = first.codePointAt(0) ?? 0; code <= until; code += 1) members.add(String.fromCodePoint(code))
      }
    }
    this.next()
    if (isNegated) return likelyOf(PRINTABLE.filter((character) => !members.has(character)))
    return [...members]
  }

  /** Adds what stands here; answers it when it is a single character, which may begin a range. */
  private member(members: Set<string>): string | undefined {
    const character = this.next()
    if (character !== "\\") {
      members.add(character)
      return character
    }
    const letter = this.next()
    const set = setOfEscape(letter)
    if (set !== undefined) {
      for (const one of set) members.add(one)
      return undefined
    }
    const escaped = letter === "b" ? "\b" : this.characterOf(letter)
    members.add(escaped)
    return escaped
  }
}

const TRIES = 200

const compile = (pattern: string): RegExp | undefined => {
  for (const flags of ["u", ""]) {
    try {
      return new RegExp(pattern, flags)
    } catch {
      // With the flag some patterns that people write are errors; JSON Schema asks for it, servers do not.
    }
  }
  return undefined
}

/**
 * A text that matches a pattern (ECMA-262, as JSON Schema has it) with `minLength` to `maxLength` characters. Assertions
 * are not followed but tested; `undefined` when no text was found in some hundred tries.
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
  const fits = (text: string): boolean => {
    const length = [...text].length
    return length >= minLength && length <= maxLength && expression.test(text)
  }
  let write: Writer
  try {
    const reader = new Reader(pattern)
    write = reader.alternatives()
    if (!reader.isDone) return undefined
  } catch {
    return undefined
  }
  for (let tries = 0; tries < TRIES; tries += 1) {
    const text = write(chance, [])
    if (fits(text)) return text
    const padded = text + "a".repeat(Math.max(0, minLength - text.length))
    if (padded !== text && fits(padded)) return padded
  }
  return undefined
}
