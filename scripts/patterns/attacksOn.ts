import { type AST, RegExpParser, visitRegExpAST } from "@eslint-community/regexpp"

export type Attack = readonly [head: string, repeated: string, end: string]

export type Quantified = AST.Quantifier

const OTHERS = [..."aZ0 _-.:/\\\n\t\"'`<>[](){}|*+#=@,;!?&%$~^é中\u2028😀\u0001"]
/** In few patterns, so a text that is about to match does not. */
const STRANGE = "\u0001"
const REPETITIONS = 70

export const parsePattern = (source: string, flags: string): AST.Pattern =>
  new RegExpParser().parsePattern(source, 0, source.length, {
    unicode: flags.includes("u"),
    unicodeSets: flags.includes("v")
  })

/** The repetitions of a pattern, outermost first. */
export const quantifiersIn = (pattern: AST.Pattern): ReadonlyArray<Quantified> => {
  const found: Array<Quantified> = []
  visitRegExpAST(pattern, {
    onQuantifierEnter: (quantifier) => {
      if (quantifier.max > 1) found.push(quantifier)
    }
  })
  return found
}

type OneCharacter = AST.Character | AST.CharacterSet | AST.CharacterClass | AST.ExpressionCharacterClass

/** What is made by chance is the same each time. */
class Chance {
  #state = 1

  below(count: number): number {
    this.#state = (Math.imul(this.#state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((this.#state / 2 ** 32) * count)
  }

  of<A>(items: ReadonlyArray<A>): A | undefined {
    return items[this.below(items.length)]
  }
}

/** The characters and words of a pattern, and texts that parts of it match. */
class Samples {
  readonly chance = new Chance()
  /** Characters that the pattern tells apart, and the words in it. */
  readonly tokens: ReadonlyArray<string>
  /** The characters that are written in it. */
  readonly written: ReadonlyArray<string>
  readonly #flags: string
  readonly #members = new Map<string, ReadonlyArray<string>>()
  readonly #pool: ReadonlyArray<string>

  constructor(pattern: AST.Pattern, flags: string) {
    this.#flags = flags.replaceAll(/[^suvi]/g, "")
    const written = new Set<string>()
    const words = new Set<string>()
    const characters: Array<OneCharacter> = []
    visitRegExpAST(pattern, {
      onCharacterEnter: (node) => {
        written.add(String.fromCodePoint(node.value))
        if (!node.parent.type.startsWith("CharacterClass")) characters.push(node)
      },
      onCharacterSetEnter: (node) => {
        if (!node.parent.type.startsWith("CharacterClass")) characters.push(node)
      },
      onCharacterClassEnter: (node) => characters.push(node),
      onAlternativeEnter: ({ elements }) => {
        const text = elements.map((each) => (each.type === "Character" ? String.fromCodePoint(each.value) : "\0"))
        for (const word of text.join("").split("\0")) if (word.length > 1) words.add(word)
      }
    })
    this.written = [...written]
    this.#pool = [...new Set([...OTHERS, ...written])]
    const kinds = new Map<string, string>()
    for (const character of this.#pool) {
      const kind = characters.map((node) => Number(this.#membersOf(node).includes(character))).join("")
      if (kind.includes("1") && !kinds.has(kind)) kinds.set(kind, character)
    }
    this.tokens = [...new Set([...kinds.values(), ...words])]
  }

  #membersOf(node: OneCharacter): ReadonlyArray<string> {
    const known = this.#members.get(node.raw)
    if (known !== undefined) return known
    const one = new RegExp(`^(?:${node.raw})$`, this.#flags)
    const members = this.#pool.filter((character) => one.test(character))
    this.#members.set(node.raw, members)
    return members
  }

  /** A text that the node matches, as far as that can be told without its assertions and back references. */
  matching(node: AST.Node): string {
    switch (node.type) {
      case "Pattern":
      case "Group":
      case "CapturingGroup": {
        const chosen = this.chance.of(node.alternatives)
        return chosen === undefined ? "" : this.matching(chosen)
      }
      case "Alternative":
        return node.elements.map((element) => this.matching(element)).join("")
      case "Quantifier": {
        const more = this.chance.below(this.chance.below(6) === 0 ? REPETITIONS : 3)
        const count = Math.min(node.max, node.min + more, Math.max(node.min, REPETITIONS))
        return Array.from({ length: count }, () => this.matching(node.element)).join("")
      }
      case "Assertion":
        return node.kind === "lookahead" && !node.negate ? this.matching(node.alternatives[0] as AST.Alternative) : ""
      case "Character":
      case "CharacterSet":
      case "CharacterClass":
      case "ExpressionCharacterClass":
        return this.chance.of(this.#membersOf(node)) ?? ""
      default:
        return ""
    }
  }

  /** A text that matches all that stands before a node. */
  before(node: AST.Node): string {
    let text = ""
    for (let at = node; at.parent !== null; at = at.parent) {
      const { parent } = at
      if (parent.type !== "Alternative") continue
      const earlier = parent.elements.slice(0, parent.elements.indexOf(at as AST.Element))
      text = `${earlier.map((element) => this.matching(element)).join("")}${text}`
    }
    return text
  }
}

/**
 * Texts that could make a backtracking engine slow on a pattern: what it tells apart and what its repetitions match, alone
 * and joined, again and again, after what stands before a repetition, and before an end that does not match.
 */
export const attacksOn = (source: string, flags: string, count: number): ReadonlyArray<Attack> => {
  const pattern = parsePattern(source, flags)
  const samples = new Samples(pattern, flags)
  const { chance, tokens, written } = samples
  const times = <A>(length: number, make: () => A): ReadonlyArray<A> => Array.from({ length }, make)
  const quantifiers = quantifiersIn(pattern)
  const bodies = [
    ...tokens,
    ...quantifiers.flatMap(({ element }) => times(6, () => samples.matching(element))),
    ...quantifiers.flatMap((each) => times(4, () => samples.before(each) + samples.matching(each.element))),
    ...times(6, () => samples.matching(pattern))
  ].filter((text) => text !== "")
  const heads = ["", STRANGE, ...tokens.slice(0, 6), ...quantifiers.flatMap((each) => [samples.before(each)])]
  const ends = [
    "",
    STRANGE,
    `\n${STRANGE}`,
    `\n${STRANGE}\n${STRANGE}`,
    ...tokens,
    ...written,
    ...tokens.map((token) => `\n${token}\n`)
  ]
  const attack = (): Attack => {
    const one = (): string => chance.of(bodies) ?? STRANGE
    const body = `${one()}${chance.below(2) === 0 ? "" : one()}${chance.below(6) === 0 ? one() : ""}`
    return [chance.of(heads) ?? "", body, chance.of(ends) ?? ""]
  }
  const begins = [...new Set(["", ...quantifiers.map((each) => samples.before(each))])]
  const pairs = tokens.flatMap((first) => tokens.map((second) => `${first}${second}`))
  const simple = [...new Set([...bodies, ...pairs])].flatMap((body) =>
    begins.map((head): Attack => [head, body, STRANGE])
  )
  return [...simple, ...times(count, attack)]
}
