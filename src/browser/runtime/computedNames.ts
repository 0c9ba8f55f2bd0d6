import { DENIED, GUARDED, OF_WINDOWS, REFLECTION } from "../../domain/inspection/DeniedNames.ts"
import { attempt } from "../parts/values.ts"
import { now, setTimeout, uncurried } from "./platform.ts"

const { defineProperty, deleteProperty, get, getOwnPropertyDescriptor, getPrototypeOf, ownKeys, set } = Reflect

const OF_BROWSER = Object.values(DENIED).flat()

/** No prototype, and asked by `in`: a view may replace the methods of sets. */
const listed = (names: ReadonlyArray<string>): object =>
  Object.assign(Object.create(null) as object, Object.fromEntries(names.map((name) => [name, true])))

const ANYWHERE = listed([...REFLECTION, ...OF_BROWSER])
const IN_WINDOWS = listed(OF_WINDOWS)
const REFLECTING = listed(REFLECTION)

/** What the proxies of a view stand for: their handlers may answer anything. */
const targets = new WeakMap<object, object>()
const targetOf = uncurried(targets.get)
const noteTarget = uncurried(targets.set)

const isObject = (value: unknown): value is object =>
  (typeof value === "object" && value !== null) || typeof value === "function"

const bare = (value: unknown): unknown => {
  const target = isObject(value) ? targetOf(targets, value) : undefined
  return target === undefined ? value : bare(target)
}

const sourceOf = uncurried(Function.prototype.toString)

/** A text, a number, a function of the page: nothing that the browser made. */
const isOfPage = (value: unknown): boolean =>
  !isObject(value) || (typeof value === "function" && !sourceOf(value).includes("[native code]"))

/** What stands under denied names in the platform, whatever name of a page it comes to. */
const outside = new WeakSet<object>()
const isOutside = uncurried(outside.has)
const noteOutside = uncurried(outside.add)

/** A class or a constructor of the language, but not what makes functions of texts: that is asked of a function. */
const isPlain = (object: unknown): boolean => {
  let at = bare(object)
  for (; typeof at === "object" && at !== null; at = bare(getPrototypeOf(at)));
  return object !== null && object !== undefined && typeof at !== "function"
}

/** The name leads to what the view put there as data, or to nothing; never to a window or a document. */
const staysInPage = (object: unknown, name: string): boolean => {
  // The language throws.
  if (object === null || object === undefined) return true
  if (object === computedNames) return false
  if (name === "constructor" && isPlain(object)) return true
  const isAnywhere = name in ANYWHERE
  let at = bare(object)
  for (let isOwn = true; isObject(at); isOwn = false) {
    if (at === window || at === document) return false
    const found = getOwnPropertyDescriptor(at, name)
    // What the browser has there cannot be listed: see `hideNames`, and windows of others.
    const isListed = found?.enumerable === true
    if (found !== undefined) {
      if (!isAnywhere) return !isOwn || isListed
      return "value" in found && ((isOwn && isListed) || isOfPage(found.value))
    }
    at = bare(getPrototypeOf(at))
  }
  return isObject(object) || !(name in REFLECTING)
}

const checked = (object: unknown, key: unknown): PropertyKey => {
  if (typeof key === "number" || typeof key === "symbol") return key
  const name = typeof key === "string" ? key : `${key as string}`
  if ((!(name in ANYWHERE) && !(name in IN_WINDOWS)) || staysInPage(object, name)) return name
  throw outOfReach(name)
}

const outOfReach = (what: string): TypeError => new TypeError(`"${what}" is out of reach of this page`)

let last: unknown
/** The name of a member that nothing has. */
const nothing = Symbol("nothing")

/** Milliseconds that the loops of a view may run without a pause: then one of them never ends. */
const LONGEST_TURN_MS = 2_000
/** The clock is read once in so many rounds. */
const ROUNDS = 64
let rounds = 0
let turnAt = 0

/**
 * What the linker puts around the names that the code of a view computes (`guardNames`): `of` and `base` remember the
 * object, whose expression may not run twice, and `name` answers with the name, or throws if it would lead out of the page.
 * Where the object is not known (`super`, most of what is taken apart), this stands for it. `own` throws for a value that
 * lies outside. `round` stands at the beginning of each round of a loop, and throws in one that does not end.
 */
const computedNames = Object.freeze({
  of: <T>(object: T): T => {
    last = object
    return object
  },
  // No getter: the engine inlines a function, and this is called in loops.
  base: (): unknown => last,
  name: checked,
  own: (value: unknown): symbol => {
    if (isObject(value) && (value === window.open || isOutside(outside, value))) throw outOfReach("a window")
    return nothing
  },
  round: (): void => {
    if (rounds++ === 0) {
      turnAt = now()
      setTimeout(() => (rounds = 0))
    } else if (rounds % ROUNDS === 0 && now() - turnAt > LONGEST_TURN_MS)
      throw new Error("A loop of this view does not end.")
  }
})

/** For all scripts, which can neither replace it nor declare another one. */
export const provideComputedNames = (): void => {
  defineProperty(window, "mcpGenUiNames", { value: computedNames })
}

/** What denied names lead to is in no copy (`{ ...window }`). */
const hideNames = (): void => {
  const { navigation, parent, top } = window as Partial<Window> & Window
  // A page without an origin may not even ask for it.
  const workers = attempt(() => navigator.serviceWorker)
  for (const one of [location, parent.location, top?.location, navigation, workers]) {
    if (isObject(one)) noteOutside(outside, one)
  }
  const interfaces = [Navigator, MessagePort, BroadcastChannel, Worker, Element, NamedNodeMap, DOMImplementation]
  for (const owner of [window, ...interfaces.map(({ prototype }) => prototype)]) {
    for (const name of [...OF_BROWSER, ...OF_WINDOWS]) {
      if (getOwnPropertyDescriptor(owner, name)?.configurable === true)
        defineProperty(owner, name, { enumerable: false })
    }
    for (const name of GUARDED) {
      const value: unknown = getOwnPropertyDescriptor(owner, name)?.value
      if (isObject(value)) noteOutside(outside, value)
    }
  }
}

/** `Object.assign` onto a window or a document writes under names that only running code knows. */
const guardAssign = (): void => {
  const { assign } = Object
  const guarded = (target: object, ...sources: ReadonlyArray<object>): object => {
    const at = bare(target)
    if (at !== window && at !== document) return assign(target, ...sources)
    const copy = assign({}, ...sources) as object
    const keys = ownKeys(copy)
    for (let index = 0; index < keys.length; index += 1) checked(target, keys[index])
    return assign(target, copy)
  }
  defineProperty(Object, "assign", { value: guarded })
}

/** Holds the other ways to a computed name to the same rule: those of `Reflect`, and proxies. */
export const guardReflection = (): void => {
  hideNames()
  guardAssign()
  // A view could delete it between check and write.
  defineProperty(Object.prototype, "__proto__", { set: () => undefined })
  const guarded = {
    get: (object: object, key: PropertyKey, ...receiver: [unknown?]): unknown =>
      get(object, checked(object, key), ...receiver),
    set: (object: object, key: PropertyKey, ...given: [unknown, unknown?]): boolean =>
      set(object, checked(object, key), ...given),
    deleteProperty: (object: object, key: PropertyKey): boolean => deleteProperty(object, checked(object, key))
  }
  for (const [name, value] of Object.entries(guarded)) defineProperty(Reflect, name, { value })
  const Native = window.Proxy
  const Noted = function (target: object, handler: ProxyHandler<object>): object {
    const proxy = new Native(target, handler)
    noteTarget(targets, proxy, target)
    return proxy
  }
  defineProperty(window, "Proxy", { value: Noted })
}
