import { ITEM, member, param, RESULT, SELF } from "./Values.ts"
import type { Value, Values } from "./Values.ts"

/** One call of a function or a method of the language: what it does with what it is called on and with. */
export class LanguageCall {
  readonly values: Values
  readonly self: Value
  readonly args: ReadonlyArray<Value>
  readonly result: Value

  constructor(values: Values, self: Value, args: ReadonlyArray<Value>, result: Value) {
    this.values = values
    this.self = self
    this.args = args
    this.result = result
  }

  get first(): Value {
    return this.args[0] ?? this.result
  }

  item(value: Value): Value {
    return this.values.part(value, ITEM)
  }

  pair(value: Value, at: 0 | 1): Value {
    return this.values.part(this.item(value), member(String(at)))
  }

  /** What a list or a map holds. */
  content(): Value {
    return this.self.isMap ? this.pair(this.self, 1) : this.item(this.self)
  }

  is(...values: ReadonlyArray<Value>): void {
    for (const value of values) this.values.join(this.result, value)
  }

  /** The result is a new list or object that holds these. */
  holds(...values: ReadonlyArray<Value>): void {
    this.values.mark(this.result, "isObject")
    for (const value of values) this.values.join(this.item(this.result), value)
  }

  /** Calls a function with these, and answers with what it gives. */
  call(fn: Value, ...given: ReadonlyArray<Value | null>): Value {
    given.forEach((value, index) => {
      if (value !== null) this.values.give(fn, index, value)
    })
    return this.values.part(fn, RESULT)
  }

  /** Calls the first argument for every item; another argument after it is its `this`. */
  each(): Value {
    const [fn] = this.args
    if (fn === undefined) return this.result
    this.bound()
    if (!this.self.isMap) this.values.mark(this.values.part(fn, param(1)), "isNumber")
    return this.call(fn, this.content(), this.self.isMap ? this.pair(this.self, 0) : null, this.self)
  }

  bound(at = 1): void {
    const self = this.args[at]
    if (self !== undefined) this.values.join(this.values.part(this.args[at - 1] ?? self, SELF), self)
  }

  /** `name` may be that of any member of `whole`. */
  named(name: Value, whole: Value): void {
    this.values.nameOf(name, whole)
  }
}

type Effect = (call: LanguageCall) => void

const table = (effects: Readonly<Record<string, Effect>>): ReadonlyMap<string, Effect> =>
  new Map(Object.entries(effects).flatMap(([names, effect]) => names.split(" ").map((name) => [name, effect] as const)))

const mayBeText = ({ isText, isData, texts }: Value): boolean => isText || isData || texts.size > 0

const newList: Effect = (call) => {
  call.each()
  call.holds(call.item(call.self))
  if (mayBeText(call.self)) call.values.mark(call.result, "isText")
}

const reduced: Effect = (call) => {
  const start = call.args[1] ?? call.item(call.self)
  call.is(start, call.call(call.first, call.result, call.item(call.self), null, call.self))
}

// A promise stands for what it brings.
const awaited: Effect = (call) => {
  call.is(call.call(call.first, call.self))
  const failed = call.args[1]
  if (failed !== undefined) call.values.mark(call.values.part(failed, param(0)), "isForeign")
}

const OF_VALUES = table({
  "indexOf lastIndexOf charCodeAt codePointAt search localeCompare test startsWith endsWith includes has delete clear hasOwnProperty isPrototypeOf propertyIsEnumerable":
    ({ values, result }) => values.mark(result, "isNumber"),
  "forEach some every findIndex findLastIndex": (call) => {
    call.each()
    call.values.mark(call.result, "isNumber")
  },
  "join toString toUpperCase toLowerCase toLocaleUpperCase toLocaleLowerCase trim trimStart trimEnd padStart padEnd repeat substring substr charAt normalize replace replaceAll toFixed toPrecision toLocaleString toISOString toJSON toDateString toTimeString toLocaleDateString toLocaleTimeString":
    ({ values, result, args }) => {
      values.mark(result, "isText")
      for (const arg of args) if (values.of(arg).isFunction) values.mark(arg, "isData")
    },
  "split match matchAll exec": ({ values, result }) => values.mark(result, "isData"),
  "filter slice reverse toReversed subarray": newList,
  "sort toSorted": (call) => {
    if (call.args.length > 0) call.call(call.first, call.item(call.self), call.item(call.self))
    newList(call)
  },
  flat: (call) => call.holds(call.item(call.self), call.item(call.item(call.self))),
  "push unshift add": (call) => {
    for (const arg of call.args) call.values.join(call.item(call.self), arg)
    call.is(call.self)
  },
  "concat splice fill with toSpliced": (call) => {
    for (const arg of call.args)
      for (const value of [arg, call.item(arg)]) call.values.join(call.item(call.self), value)
    newList(call)
  },
  "at pop shift find findLast": (call) => {
    call.each()
    call.is(call.item(call.self))
  },
  map: (call) => call.holds(call.each()),
  flatMap: (call) => call.holds(call.each(), call.item(call.each())),
  "reduce reduceRight": reduced,
  get: (call) => call.is(call.content()),
  set: (call) => {
    const [key, value] = call.args
    if (call.self.isMap && key !== undefined) call.values.join(call.pair(call.self, 0), key)
    if (value !== undefined) call.values.join(call.content(), value)
    call.is(call.self)
  },
  entries: (call) => {
    if (call.self.isMap || call.self.isData) call.holds(call.item(call.self))
    else call.values.join(call.pair(call.result, 1), call.item(call.self))
  },
  keys: (call) => {
    if (call.self.isMap) call.holds(call.pair(call.self, 0))
    else if (call.self.isData) call.values.mark(call.item(call.result), "isText")
  },
  values: (call) => call.holds(call.content()),
  next: (call) => call.values.join(call.values.part(call.result, member("value")), call.item(call.self)),
  "valueOf finally": (call) => call.is(call.self),
  catch: (call) => {
    call.values.mark(call.values.part(call.first, param(0)), "isForeign")
    call.is(call.self, call.values.part(call.first, RESULT))
  }
})

/** Methods of lists, texts, maps, numbers and promises, by their names. */
export const METHODS: ReadonlyMap<string, Effect> = new Map([...OF_VALUES, ["then", awaited]])

const same: Effect = (call) => call.is(call.first)
const copied: Effect = (call) => call.holds(call.item(call.first))
const grouped: Effect = (call) => {
  call.holds(call.first)
  call.values.mark(call.result, "isLoose")
  if (call.args[1] !== undefined) call.call(call.args[1], call.item(call.first))
}

/** Functions that keep or hand out what they are given, by the names under which they are called. */
const KEEPING: ReadonlyMap<string, Effect> = table({
  "Object.keys": (call) => call.named(call.item(call.result), call.first),
  "Object.entries": (call) => {
    call.named(call.pair(call.result, 0), call.first)
    call.values.join(call.pair(call.result, 1), call.item(call.first))
  },
  "Object.values Set WeakSet": copied,
  "Object.fromEntries": (call) => {
    call.holds(call.pair(call.first, 1))
    call.values.mark(call.result, "isLoose")
  },
  "Object.assign": (call) => {
    for (const source of call.args.slice(1)) {
      if (!call.values.of(call.first).isForeign) call.values.copy(source, call.first)
      else for (const [key, part] of call.values.of(source).parts) call.values.handOver(part, key.startsWith(".on"))
    }
    call.is(call.first)
  },
  "Object Object.freeze Object.seal Object.create Promise.resolve Promise.all": same,
  "Object.groupBy": grouped,
  "Map.groupBy": (call) => {
    call.values.mark(call.result, "isMap")
    call.values.join(call.pair(call.result, 1), call.first)
    if (call.args[1] === undefined) return
    call.values.join(call.pair(call.result, 0), call.call(call.args[1], call.item(call.first)))
  },
  Map: (call) => {
    call.values.mark(call.result, "isMap")
    copied(call)
  },
  WeakMap: (call) => call.holds(call.pair(call.first, 1)),
  "Array Array.of": (call) => call.holds(...call.args),
  "Array.from": (call) => {
    if (call.args[1] === undefined) copied(call)
    else {
      call.bound(2)
      call.holds(call.call(call.args[1], call.item(call.first)))
    }
  },
  "Promise.race Promise.any": (call) => call.is(call.item(call.first)),
  "Promise.allSettled": (call) => {
    call.values.join(call.values.part(call.item(call.result), member("value")), call.item(call.first))
    call.values.mark(call.values.part(call.item(call.result), member("reason")), "isForeign")
  },
  Promise: (call) => {
    const resolve = call.values.part(call.first, param(0))
    call.values.mark(call.first, "isCalled")
    call.values.mark(resolve, "isFunction")
    call.is(call.values.part(resolve, param(0)))
  },
  Proxy: (call) => {
    call.is(call.first)
    call.values.mark(call.result, "isLoose")
    for (const fn of call.args[1] === undefined ? [] : call.values.within(call.args[1]).keys()) {
      if (!fn.isFunction) continue
      call.values.mark(call.values.part(fn, param(1)), "isText")
      call.values.join(call.item(call.first), call.call(fn, call.first, null, call.item(call.first), call.first))
    }
  }
})

/** Numbers, among them those of the window. */
const PLAIN = new Set("undefined NaN Infinity innerWidth innerHeight scrollX scrollY devicePixelRatio".split(" "))
/** Objects of functions that keep nothing of what they are given. */
const NAMESPACES = new Set("Math JSON console Intl".split(" "))
const NUMBERS = new Set("Number parseInt parseFloat Boolean isNaN isFinite".split(" "))
const FUNCTIONS = new Set([
  ...NUMBERS,
  ...(
    "String BigInt Symbol Date RegExp URL URLSearchParams FormData TextEncoder TextDecoder Blob structuredClone atob btoa " +
    "encodeURIComponent decodeURIComponent encodeURI decodeURI escape unescape Int8Array Uint8Array Uint8ClampedArray " +
    "Int16Array Uint16Array Int32Array Uint32Array Float32Array Float64Array ArrayBuffer DataView"
  ).split(" ")
])
/** Functions of others that may be handed around, because they only read. */
export const READING: ReadonlySet<string> = new Set(["Object.keys", "Object.hasOwn", "Object.is", "Array.isArray"])
/** All names of the language whose meaning is known here. */
export const LANGUAGE_NAMES: ReadonlySet<string> = new Set([
  ...PLAIN,
  ...NAMESPACES,
  ...FUNCTIONS,
  ...[...KEEPING.keys()].flatMap((path) => path.split(".").slice(0, 1))
])

/** What a name of the language means, where the script does not declare it; everything else is foreign. */
export const globalValue = (values: Values, path: string): Value => {
  if (PLAIN.has(path)) return values.fresh("isNumber")
  if (NAMESPACES.has(path)) return values.fresh("isData", "isLanguage")
  if (READING.has(path)) return values.fresh("isNative", "isData")
  if (FUNCTIONS.has(path)) return values.fresh("isNative", "isData", "isLanguage")
  return LANGUAGE_NAMES.has(path) ? values.fresh("isForeign", "isLanguage") : values.fresh("isForeign", "isBrowser")
}

/** Does what a function of the language does that is called by its name (`Object.keys`). `false` for any other. */
export const callGlobal = (path: string, call: LanguageCall): boolean => {
  const { values, result, args } = call
  const [root = ""] = path.split(".")
  const effect = KEEPING.get(path)
  if (effect !== undefined) effect(call)
  const isNumber = NUMBERS.has(path) || root === "Math" || READING.has(path)
  if (effect === undefined && isNumber) values.mark(result, "isNumber")
  if (effect !== undefined || isNumber) return true
  if (!NAMESPACES.has(root) && !FUNCTIONS.has(root)) return false
  values.mark(result, "isData")
  for (const fn of args) {
    if (!values.of(fn).isFunction) continue
    // What reads or writes JSON asks functions about every part of what it is given.
    if (root === "JSON")
      for (const value of [...args, result]) values.mark(value, value === result ? "isForeign" : "isShared")
    else values.mark(fn, "isData")
  }
  return true
}
