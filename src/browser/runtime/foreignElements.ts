/**
 * Elements that reach beyond the page whatever its policy says: a frame has a window of its own, a link looks names up, a
 * `meta` leads away. No view needs to make one by script.
 */
const FOREIGN = new Set("script iframe frame frameset object embed link meta base portal fencedframe".split(" "))

/** What ends the name of a tag, or begins another one; also the end of the text. */
const ENDS = new Set<string | undefined>([" ", "\t", "\n", "\f", "\r", "/", ">", "<", undefined])

/** In XML a name may have a prefix. */
const isForeign = (name: string): boolean => FOREIGN.has(name.slice(name.lastIndexOf(":") + 1).toLowerCase())

/**
 * Markup without such elements: their tags become those of elements that mean nothing. Without regular expressions, whose
 * methods a view may replace.
 */
const harmless = (markup: unknown): string => {
  const text = String(markup)
  let made = ""
  let from = 0
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at + 1)) {
    const start = text[at + 1] === "/" ? at + 2 : at + 1
    let end = start
    while (!ENDS.has(text[end])) end += 1
    if (!isForeign(text.slice(start, end))) continue
    made += `${text.slice(from, start)}x-`
    from = start
  }
  return made + text.slice(from)
}

type Method = (this: unknown, ...given: Array<unknown>) => unknown

const apply = Reflect.apply

/**
 * Changes the arguments of a method of the platform, where there is one, in place: a view may have replaced the iteration
 * of lists.
 */
const changeArguments = (owner: object, name: string, change: (given: Array<unknown>) => void): void => {
  const native = Object.getOwnPropertyDescriptor(owner, name)?.value as Method | undefined
  if (native === undefined) return
  const changed: Method = function (...given) {
    change(given)
    return apply(native, this, given)
  }
  Object.defineProperty(owner, name, { value: changed, writable: true, configurable: true, enumerable: true })
}

const changeSetter = (owner: object, name: string): void => {
  const native = Object.getOwnPropertyDescriptor(owner, name)
  const set = native?.set as Method | undefined
  if (native === undefined || set === undefined) return
  Object.defineProperty(owner, name, {
    ...native,
    set(this: unknown, markup: unknown) {
      apply(set, this, [markup === null ? "" : harmless(markup)])
    }
  })
}

const markupAt =
  (index: number) =>
  (given: Array<unknown>): void => {
    if (given.length > index) given[index] = harmless(given[index])
  }

const nameAt =
  (index: number) =>
  (given: Array<unknown>): void => {
    const name = String(given[index])
    given[index] = isForeign(name) ? "x-foreign" : name
  }

/** An attribute that runs code, holds a document or leads away. */
const isForeignAttribute = (name: string): boolean => {
  const local = name.slice(name.lastIndexOf(":") + 1).toLowerCase()
  return local.slice(0, 2) === "on" || local === "srcdoc" || local === "http-equiv"
}

const attributeAt =
  (index: number) =>
  (given: Array<unknown>): void => {
    const name = String(given[index])
    given[index] = isForeignAttribute(name) ? "x-foreign" : name
  }

/** A parser puts a tag together of what is written in parts. Here each part stands by itself, at the end of the document. */
const keepFromWriting = (): void => {
  for (const name of ["write", "writeln"] as const) {
    Document.prototype[name] = function write(...texts) {
      const place = this.body ?? this.documentElement
      place.insertAdjacentHTML("beforeend", texts.join("") + (name === "write" ? "" : "\n"))
    }
  }
}

/** Keeps the code of views from making such elements, by name or from markup, and such attributes by name. */
export const keepForeignElementsOut = (): void => {
  changeArguments(Document.prototype, "createElement", nameAt(0))
  changeArguments(Document.prototype, "createElementNS", nameAt(1))
  changeArguments(DOMImplementation.prototype, "createDocument", nameAt(1))
  for (const name of ["setAttribute", "toggleAttribute"]) changeArguments(Element.prototype, name, attributeAt(0))
  changeArguments(Element.prototype, "setAttributeNS", attributeAt(1))
  changeArguments(Document.prototype, "createAttribute", attributeAt(0))
  changeArguments(Document.prototype, "createAttributeNS", attributeAt(1))
  changeArguments(CustomElementRegistry.prototype, "define", (given) => {
    const extended = (given[2] as { readonly extends?: unknown } | undefined)?.extends
    const name = String(extended)
    given[2] = extended === undefined ? {} : { extends: isForeign(name) ? "x-foreign" : name }
  })
  for (const { prototype } of [Element, ShadowRoot]) {
    changeSetter(prototype, "innerHTML")
    changeSetter(prototype, "outerHTML")
    changeArguments(prototype, "setHTMLUnsafe", markupAt(0))
    changeArguments(prototype, "setHTML", markupAt(0))
  }
  changeArguments(Element.prototype, "insertAdjacentHTML", markupAt(1))
  changeArguments(Range.prototype, "createContextualFragment", markupAt(0))
  changeArguments(Document, "parseHTMLUnsafe", markupAt(0))
  changeArguments(Document.prototype, "execCommand", markupAt(2))
  keepFromWriting()
  changeArguments(DOMParser.prototype, "parseFromString", (given) => {
    const text = harmless(given[0])
    given[0] = text
    // Entities of XML may hide tags: what declares any is read as HTML.
    if (text.includes("<!")) given[1] = "text/html"
  })
  // Ways from what a page holds to its window.
  for (const [owner, name] of [
    [UIEvent.prototype, "view"],
    [Document.prototype, "defaultView"]
  ] as const) {
    Object.defineProperty(owner, name, { get: () => null, configurable: false })
  }
  for (const name of ["XSLTProcessor", "RTCPeerConnection", "webkitRTCPeerConnection"]) {
    Reflect.deleteProperty(window, name)
  }
}
