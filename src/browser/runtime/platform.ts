/** The platform as it was before any code of a view ran. */
export const { setTimeout, clearTimeout, requestAnimationFrame, cancelAnimationFrame, structuredClone } = window
export const now = performance.now.bind(performance)
export const createScript = document.createElement.bind(document, "script")

/** A function of the platform that takes its `this` as the first argument. A view cannot replace it. */
export const uncurried = <T, A extends ReadonlyArray<unknown>, R>(
  method: (this: T, ...given: A) => R
): ((self: T, ...given: A) => R) => Function.prototype.call.bind(method) as (self: T, ...given: A) => R

/** The getter of an attribute of the platform. */
export const getterOf = (prototype: object, name: string): ((self: unknown) => unknown) =>
  uncurried(Object.getOwnPropertyDescriptor(prototype, name)?.get ?? (() => undefined))

/**
 * What the runtime and the parts stand on. Members that are symbols are not protected, which keeps loops fast. So code
 * that decides anything about a view does not loop over lists.
 */
const BUILTINS = [
  JSON,
  Reflect,
  Object,
  Array,
  Array.prototype,
  String.prototype,
  Number.prototype,
  Map.prototype,
  Set.prototype,
  Promise,
  Promise.prototype,
  Function.prototype
]
/** A script must not declare these names: it would hide them from the runtime. */
const GLOBALS = "JSON Reflect Object Array String Number Map Set Promise"
const INTERFACES = [EventTarget, Event, Node, Element, HTMLElement, Document, DocumentFragment, CharacterData, NodeList]

/** Members that a page might set on the document itself, to hide those of its prototype. */
const OF_DOCUMENT =
  "body head documentElement activeElement createElement createElementNS createTextNode createDocumentFragment getElementById querySelector querySelectorAll addEventListener open write writeln close visibilityState readyState title adoptedStyleSheets importNode"

/**
 * Keeps a member as it is. Strict code that assigns to a builtin of the language throws. An assignment to an interface
 * of the page is ignored, and an element may still have its own member of that name.
 */
const keep = (owner: object, name: string, { value, get, enumerable = true }: PropertyDescriptor): void => {
  const fixed = { enumerable, configurable: false }
  if (get !== undefined) Object.defineProperty(owner, name, fixed)
  else if (typeof value !== "function") return
  else if (BUILTINS.includes(owner as typeof JSON))
    Object.defineProperty(owner, name, { ...fixed, value, writable: false })
  else {
    Object.defineProperty(owner, name, {
      ...fixed,
      get: () => value as unknown,
      set(this: object, other: unknown) {
        if (this !== owner && !Object.hasOwn(this, name))
          Object.defineProperty(this, name, { value: other, writable: true, enumerable: true, configurable: true })
      }
    })
  }
}

/**
 * After a page is parsed, `document.open` takes all listeners away, and `document.write` begins with it. Here `open`
 * empties the body and `write` adds to it. Other documents are left alone.
 */
const keepDocumentOpen = (): void => {
  const { prototype } = Document
  const write =
    (end: string) =>
    (...texts: ReadonlyArray<string>): void =>
      document.body.insertAdjacentHTML("beforeend", texts.join("") + end)
  const later = {
    open: (...given: ReadonlyArray<string>) => {
      // With an address it does the same as `window.open`.
      if (given.length > 2) return window.open(given[0])
      document.body.replaceChildren()
      return document
    },
    write: write(""),
    writeln: write("\n"),
    close: () => undefined
  }
  for (const [name, instead] of Object.entries(later) as ReadonlyArray<[keyof typeof later, () => unknown]>) {
    const native = prototype[name]
    Object.assign(prototype, {
      [name](this: Document, ...given: []): unknown {
        return Reflect.apply(this === document && document.readyState !== "loading" ? instead : native, this, given)
      }
    })
  }
}

/**
 * Protects what the runtime stands on from the code of a view, which may replace `document.createElement`, `JSON.parse`
 * and the like: the box that says what went wrong, and the basic view, are made with them. A loop that never ends
 * cannot be kept off: it stops the whole page, and only the host can take that down.
 */
export const protectPlatform = (): void => {
  // A host may write a document into the window of an earlier one: there, everything is protected already.
  if (Object.getOwnPropertyDescriptor(JSON, "parse")?.configurable === false) return
  keepDocumentOpen()
  for (const owner of [...BUILTINS, ...INTERFACES.map(({ prototype }) => prototype)]) {
    for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(owner))) {
      const isKept = name !== "constructor" || owner === Promise.prototype
      if (isKept && descriptor.configurable === true) keep(owner, name, descriptor)
    }
  }
  for (const name of GLOBALS.split(" ")) Object.defineProperty(window, name, { writable: false, configurable: false })
  // Such a getter would see, and could change, whatever the runtime looks for such a member in.
  for (const owner of [Object.prototype, Array.prototype]) Object.preventExtensions(owner)
  for (const name of OF_DOCUMENT.split(" ")) {
    for (const { prototype } of [Document, Node, EventTarget]) {
      const descriptor = Object.getOwnPropertyDescriptor(prototype, name)
      if (descriptor !== undefined) Object.defineProperty(document, name, descriptor)
    }
  }
}
