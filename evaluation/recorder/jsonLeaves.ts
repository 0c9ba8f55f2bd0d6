/** A value that is no container, or an empty container, as it is written: `1.0` is not `1`. */
export interface Leaf {
  /** Where it is, such as `result.tools[3]._meta["ui/resourceUri"]`. Of duplicate keys, the later ones end in `#2`, … */
  readonly path: string
  readonly raw: string
  /** Offsets of `raw` in the text. */
  readonly start: number
  readonly end: number
}

const SPACE = /[\t\n\r ]*/y
const STRING = /"(?:[^"\\]|\\.)*"/y
const SCALAR = /[^\s,\]}]+/y
const PLAIN_KEY = /^[A-Za-z_$][\w$]*$/

class Reader {
  readonly leaves: Array<Leaf> = []
  readonly #text: string
  #at: number

  constructor(text: string) {
    this.#text = text
    // A byte order mark in front of a message is no part of it.
    this.#at = text.startsWith("\uFEFF") ? 1 : 0
  }

  read(): ReadonlyArray<Leaf> {
    this.#value("")
    this.#take(SPACE)
    if (this.#at < this.#text.length) throw new SyntaxError(`Unexpected text at ${this.#at}`)
    return this.leaves
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const match = pattern.exec(this.#text)
    if (match === null) throw new SyntaxError(`Unexpected text at ${this.#at}`)
    this.#at = pattern.lastIndex
    return match[0]
  }

  #takeIf(character: string): boolean {
    this.#take(SPACE)
    if (this.#text[this.#at] !== character) return false
    this.#at += 1
    return true
  }

  #expect(character: string): void {
    if (!this.#takeIf(character)) throw new SyntaxError(`Expected ${character} at ${this.#at}`)
  }

  #leaf(path: string, start: number): void {
    this.leaves.push({ path, raw: this.#text.slice(start, this.#at), start, end: this.#at })
  }

  #value(path: string): void {
    this.#take(SPACE)
    const start = this.#at
    if (this.#takeIf("{")) return this.#object(path, start)
    if (this.#takeIf("[")) return this.#array(path, start)
    const raw = this.#text[start] === '"' ? this.#take(STRING) : this.#take(SCALAR)
    JSON.parse(raw)
    this.#leaf(path, start)
  }

  #object(path: string, start: number): void {
    if (this.#takeIf("}")) return this.#leaf(path, start)
    const seen = new Map<string, number>()
    do {
      this.#take(SPACE)
      const key = this.#take(STRING)
      const times = (seen.get(key) ?? 0) + 1
      seen.set(key, times)
      this.#expect(":")
      const name = key.slice(1, -1)
      const step = PLAIN_KEY.test(name) ? `${path === "" ? "" : "."}${name}` : `[${key}]`
      this.#value(`${path}${step}${times > 1 ? `#${times}` : ""}`)
    } while (this.#takeIf(","))
    this.#expect("}")
  }

  #array(path: string, start: number): void {
    if (this.#takeIf("]")) return this.#leaf(path, start)
    let index = 0
    do {
      this.#value(`${path}[${index}]`)
      index += 1
    } while (this.#takeIf(","))
    this.#expect("]")
  }
}

/**
 * All leaves of a JSON text in the order in which they stand, with their text untouched. It shares no code with the
 * wrapper, whose work it judges. Throws a `SyntaxError` for what is no JSON.
 */
export const jsonLeaves = (text: string): ReadonlyArray<Leaf> => new Reader(text).read()
