/** Parts of a value that have no name: what stands in it at some place; what it gives when it is called; its `this`. */
export const ITEM = "[]"
export const RESULT = "()"
export const SELF = "this"

/** What stands under a name. The prototype of a function is what its `this` is. */
export const member = (name: string): string => (name === "prototype" ? SELF : `.${name}`)
export const param = (index: number): string => `#${index}`
/** Steps of work for one script, so that one that is made to take long is refused instead. */
const MAX_STEPS = 500_000
const PARAM = /^#(\d+)$/u
const PLACE = /^\.\d+$/u

/** The most arguments of a call that are told apart. */
export const MOST_ARGUMENTS = 8
/** More names than these are as many as all. */
const MAX_TEXTS = 200

// Most values have neither.
const NO_TEXTS: ReadonlySet<string> = new Set()
const NO_PARTS: ReadonlyMap<string, Value> = new Map()

/**
 * A class of expressions that may be the same value. What is known of one of them is known of all. A class only ever
 * grows together with others; ask {@link Values} for the one that it is now.
 */
export class Value {
  into: Value | null = null
  /** May be something that the browser gives, or that foreign code had in its hands. */
  isForeign = false
  /** Certainly is such a thing, or a member of one: named by a global of the browser, or asked of one. */
  isBrowser = false
  /** The browser has it in its hands: what is in it may be anything. */
  isShared = false
  /** JSON of the host, and what the language makes of texts and numbers: of any shape, but nothing foreign. */
  isData = false
  /** The browser calls it: it gets foreign things, and what it answers with is not looked at. */
  isHeard = false
  /** A function of the script. */
  isFunction = false
  /** A function of the language, the host or the parts: it keeps nothing that it is given. */
  isNative = false
  /** The script calls it, so that it is known what it gets. */
  isCalled = false
  isObject = false
  /** May be a number, `true`, `false` or nothing: no name of a member that matters. */
  isNumber = false
  /** May be a text that the script does not hold. */
  isText = false
  /** Its parts are reached without their names too, so they are all one class. */
  isKeyed = false
  /** It has members whose names the script does not hold. */
  isLoose = false
  /** A list that is written as one. */
  isList = false
  /** A `Map`: its items are pairs. */
  isMap = false
  /** A function or an object of the language, which a script leaves as it is. */
  isLanguage = false
  /** A link or a form, which leaves the page when it is pressed or sent. */
  leaves = false
  /** Parameters from this one on are the items of one list. */
  restFrom = Infinity
  /** Texts that it may be, as the script holds them. */
  texts: ReadonlySet<string> = NO_TEXTS
  parts: ReadonlyMap<string, Value> = NO_PARTS
}

const put = (value: Value, key: string, part: Value): void => {
  if (value.parts instanceof Map && value.parts !== NO_PARTS) value.parts.set(key, part)
  else value.parts = new Map([[key, part]])
}

const FLAGS = [
  "isForeign",
  "isBrowser",
  "isShared",
  "isData",
  "isHeard",
  "isFunction",
  "isNative",
  "isCalled",
  "isObject",
  "isNumber",
  "isText",
  "isKeyed",
  "isLoose",
  "isList",
  "isMap",
  "isLanguage",
  "leaves"
] as const

/** All classes of one script. Two of them become one as soon as a value may be in both. */
export class Values {
  /** Grows with everything that becomes known. */
  changes = 0
  /**
   * What is foreign is passed on to functions before anything else is: then what is not does not become one class with it.
   * Last of all, what nothing is known of is taken to be foreign.
   */
  stage = 0
  #steps = 0

  /** There was too much to do: what is known is not all. */
  get isTooMuch(): boolean {
    return this.#steps > MAX_STEPS
  }

  /** Counts work. */
  step(): void {
    this.#steps++
  }

  /** The class that this one is now. */
  of(value: Value): Value {
    let root = value
    while (root.into !== null) root = root.into
    for (let at = value; at.into !== null;) {
      const next: Value = at.into
      at.into = root
      at = next
    }
    return root
  }

  fresh(...flags: ReadonlyArray<(typeof FLAGS)[number]>): Value {
    const value = new Value()
    for (const flag of flags) value[flag] = true
    return value
  }

  text(text: string): Value {
    const value = new Value()
    value.texts = new Set([text])
    return value
  }

  /** Makes two classes one, and their parts. */
  join(one: Value, other: Value): void {
    const open: Array<readonly [Value, Value]> = [[one, other]]
    for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
      const [a, b] = [this.of(pair[0]), this.of(pair[1])]
      if (a === b) continue
      this.changes++
      b.into = a
      for (const flag of FLAGS) a[flag] ||= b[flag]
      a.restFrom = Math.min(a.restFrom, b.restFrom)
      if (b.texts.size > 0) a.texts = a.texts.size > 0 ? new Set([...a.texts, ...b.texts]) : b.texts
      for (const [key, part] of b.parts) {
        const own = a.parts.get(key)
        if (own === undefined) put(a, key, part)
        else open.push([own, part])
      }
      this.#spread(a)
    }
  }

  /** A part of a value. That of something foreign is as foreign as the whole. */
  part(value: Value, key: string): Value {
    const whole = this.of(value)
    if (whole.isForeign) return whole
    if (key === ITEM && !whole.isKeyed) this.mark(whole, "isKeyed")
    const known = whole.parts.get(key)
    if (known !== undefined) return this.of(known)
    const made = new Value()
    put(whole, key, made)
    this.changes++
    this.#spread(whole, key)
    return this.of(made)
  }

  /** `name` may be that of any member of `whole`. */
  nameOf(name: Value, whole: Value): void {
    const { isForeign, isData, isObject } = this.of(whole)
    if (!isForeign && !isData && !isObject && this.stage < 2) return
    const names = this.names(whole)
    if (names === null) this.mark(name, "isText")
    else this.addTexts(name, names)
  }

  /** A function gets a value as one of its arguments. */
  give(fn: Value, index: number, value: Value): void {
    const { isForeign, isNative, isFunction } = this.of(fn)
    if (isForeign) return this.handOver(value)
    if (isNative && !isFunction) return
    this.mark(fn, "isCalled")
    const given = this.part(fn, param(index))
    if (this.of(value).isForeign) {
      this.mark(given, "isForeign")
      if (this.of(value).isBrowser) this.mark(given, "isBrowser")
    } else if (this.of(given).isForeign) this.handOver(value)
    else if (this.stage > 0) this.join(given, value)
  }

  /** Foreign code gets a value. Texts are copied, lists and objects are not; functions are called with anything. */
  handOver(value: Value, isHandler = false): void {
    const { isFunction, isObject, isData } = this.of(value)
    if (isFunction) this.mark(value, isHandler ? "isHeard" : "isShared")
    else if (isObject && !isData && this.stage === 2) this.mark(value, "isShared")
  }

  mark(value: Value, flag: (typeof FLAGS)[number]): void {
    const whole = this.of(value)
    if (whole[flag]) return
    whole[flag] = true
    this.changes++
    this.#spread(whole)
  }

  /** May be any text of these; of too many, any at all. */
  addTexts(value: Value, texts: Iterable<string>): void {
    const whole = this.of(value)
    const before = whole.texts.size
    whole.texts = new Set([...whole.texts, ...texts])
    if (whole.texts.size === before) return
    this.changes++
    if (whole.texts.size > MAX_TEXTS) whole.isText = true
    this.#spread(whole)
  }

  /** Everything in a value, itself included, with the way to it. What is in something foreign is not gone through. */
  within(value: Value): ReadonlyMap<Value, ReadonlyArray<string>> {
    const seen = new Map<Value, ReadonlyArray<string>>([[this.of(value), []]])
    for (const [whole, path] of seen) {
      this.step()
      if (whole.isForeign || this.isTooMuch) continue
      for (const [key, part] of whole.parts) {
        const root = this.of(part)
        if (key !== RESULT && key !== SELF && !PARAM.test(key) && !seen.has(root)) seen.set(root, [...path, key])
      }
    }
    return seen
  }

  holdsForeign(value: Value): boolean {
    return [...this.within(value).keys()].some(({ isForeign }) => isForeign)
  }

  /** The names of the members of a value, as far as the script holds them; `null` if there may be others. */
  names(value: Value): ReadonlyArray<string> | null {
    const { isForeign, isData, isLoose, isShared, isObject, parts } = this.of(value)
    if (isForeign || isData || isLoose || isShared || !isObject) return null
    return [...parts.keys()].flatMap((key) => (key.startsWith(".") ? [key.slice(1)] : []))
  }

  /** Puts all members of one value into another. */
  copy(from: Value, to: Value): void {
    const [source, target] = [this.of(from), this.of(to)]
    if (source === target || target.isForeign) return
    if (source.isForeign || source.isKeyed) this.join(this.part(target, ITEM), this.part(source, ITEM))
    if (source.isForeign || source.isLoose || source.isShared) this.mark(target, "isLoose")
    if (source.isData) this.mark(target, "isData")
    for (const [key, part] of source.parts) if (key.startsWith(".")) this.join(this.part(target, key), part)
  }

  /** As the name of a member it may be anything; so may what nothing is known of, once all else is known. */
  isOpen(value: Value): boolean {
    const { isForeign, isData, isFunction, isNative, isObject, isText, isNumber, texts } = this.of(value)
    const isUnknown = !isNumber && texts.size === 0 && this.stage >= 2
    return isForeign || isData || isFunction || isNative || isObject || isText || isUnknown
  }

  /** As the name of a member it is a number, or nothing. */
  isPlace(value: Value): boolean {
    return this.of(value).isNumber && this.of(value).texts.size === 0 && !this.isOpen(value)
  }

  /** What the class is known for holds for its parts too. */
  #spread(whole: Value, only?: string): void {
    if (whole.parts.size === 0) return
    const parts = only === undefined ? [...whole.parts] : [[only, whole.parts.get(only) ?? new Value()] as const]
    for (const [key, part] of parts) {
      if (whole.isForeign || whole.isShared) this.mark(part, key === RESULT ? "isShared" : "isForeign")
      else if (whole.isData) this.mark(part, "isData")
      if ((key === ITEM || PLACE.test(key)) && (whole.isText || whole.texts.size > 0)) this.mark(part, "isText")
      if (whole.isKeyed && key.startsWith(".")) this.join(this.part(whole, ITEM), part)
      if (whole.isHeard && (key === SELF || PARAM.test(key))) {
        this.mark(part, "isForeign")
        if (key !== SELF) this.mark(part, "isBrowser")
      }
      const index = Number(PARAM.exec(key)?.[1] ?? -1)
      if (index >= whole.restFrom) this.join(this.part(whole, param(whole.restFrom)), part)
    }
  }
}
