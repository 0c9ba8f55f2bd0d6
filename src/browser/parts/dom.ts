import { isPlain, listOf, messageOf, nameIn, textOf } from "./values.ts"

/**
 * Anything between tags. Nodes stay, strings and numbers become text, lists are flattened, plain objects show their
 * name or title, promises are replaced by what they bring. `null`, `undefined`, booleans and functions vanish.
 */
export type Child = unknown

const svgNamespace = "http://www.w3.org/2000/svg"
const svgTags = new Set(
  "svg g path rect circle ellipse line polyline polygon text tspan title desc defs linearGradient stop clipPath".split(
    " "
  )
)
const refusedTags = /^(script|i?frame|frameset|object|embed|base|meta|link)$/i

/** Adds children to a node, as `h` does. */
export const append = <E extends Node>(node: E, ...children: ReadonlyArray<Child>): E => {
  for (const child of children) {
    if (child instanceof Node) {
      if (child instanceof DocumentFragment) markLong(node, child.textContent)
      node.appendChild(child)
    } else if (typeof child === "object" && child !== null && Symbol.iterator in child)
      for (const each of listOf(child)) append(node, each)
    else if (isPromise(child)) node.appendChild(later(child))
    else if (child !== null && child !== undefined && typeof child !== "boolean" && typeof child !== "function") {
      appendText(node, textOf(child))
    }
  }
  return node
}

/** Where a long name may go on in the next line: after `_`, `/`, `.`, `-` and between words of its own. */
const joints = /(?<=[a-z][_/.:-])(?=\w)|(?<=[a-z])(?=[A-Z])/

/** Only a long word may break anywhere: where each may, short ones do so too, in rows that are narrow. */
const markLong = (node: Node, text: string | null): boolean => {
  const isLong = /\S{16}/.test(text ?? "")
  if (isLong && node instanceof Element) node.classList.add("mg-long")
  return isLong
}

const appendText = (node: Node, text: string): void => {
  if (text === "") return
  const long = markLong(node, text) ? /\S{16,}/g : /^\S{12,}$/
  const marked = text.length < 200 ? text.replace(long, (word) => word.split(joints).join("\0")) : text
  marked.split("\0").forEach((piece, at) => {
    if (at > 0) node.appendChild(document.createElement("wbr"))
    node.appendChild(document.createTextNode(piece))
  })
}

export const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === "object" && value !== null && "then" in value && typeof value.then === "function"

/** A placeholder for what a promise brings, or for the reason why it failed. */
const later = (promise: PromiseLike<unknown>): HTMLElement => {
  const place = h("div", { class: "mg-skeleton", "aria-busy": true })
  void Promise.resolve(promise).then(
    (child) => place.replaceWith(fragment(child)),
    (error: unknown) =>
      place.replaceWith(
        h("p", { class: "mg-tone-danger", role: "alert" }, messageOf(error, "This could not be loaded."))
      )
  )
  return place
}

/** A fragment of the children: what a part's `render` or `show` returned, as one node. */
export const fragment = (...children: ReadonlyArray<Child>): DocumentFragment =>
  append(document.createDocumentFragment(), ...children)

/** The address, if `ctx.open` may open it (`http:`, `https:`, `mailto:`); else `undefined`. */
export const safeUrl = (value: unknown): string | undefined => {
  const text = typeof value === "string" ? value.trim() : ""
  return /^(https?:\/\/[^\s]|mailto:)/i.test(text) ? text : undefined
}

const setUrl = (element: Element, name: string, value: string): void => {
  const isOwn = name === "src" ? /^data:(image|audio|video)\//i.test(value) : value.startsWith("#")
  const url = isOwn ? value : name === "src" ? undefined : safeUrl(value)
  if (url !== undefined) element.setAttribute(name, url)
}

const setStyle = (element: Element, value: unknown): void => {
  if (!(element instanceof HTMLElement || element instanceof SVGElement)) return
  if (typeof value === "string") element.style.cssText = value
  else if (isPlain(value)) {
    for (const [name, part] of Object.entries(value)) {
      if (name.startsWith("--")) element.style.setProperty(name, textOf(part))
      else Reflect.set(element.style, name, textOf(part))
    }
  }
}

const setAttribute = (element: Element, name: string, value: unknown): void => {
  if (value === null || value === undefined || value === false) return
  if (/^on/i.test(name)) {
    if (typeof value === "function") element.addEventListener(name.slice(2).toLowerCase(), value as EventListener)
  } else if (name === "class") {
    const names = [element.getAttribute("class"), ...(Array.isArray(value) ? value : [textOf(value)])]
    element.setAttribute("class", names.filter(Boolean).join(" "))
  } else if (name === "style") setStyle(element, value)
  else if (name === "data" && typeof value === "object") {
    for (const [key, part] of Object.entries(value)) setAttribute(element, `data-${key}`, part)
  } else if (/^(href|xlink:href|src)$/i.test(name)) setUrl(element, name.toLowerCase(), textOf(value))
  else if (!/^(srcdoc|(form)?action|ping|target)$/i.test(name)) {
    if (/^[^\s"'<>/=\0]+$/.test(name)) element.setAttribute(name, value === true ? "" : textOf(value))
  }
}

/**
 * Makes an element; classes may stand behind its name: `h("ul flex gap-2", …)`. `attributes` may be left out. A name that cannot be a tag becomes `div`, and elements that load or
 * run something (`script`, `iframe`, …) are never made.
 * These attributes have a meaning of their own: `class`, `style` (text or object), `on…` functions, `data` (an object
 * of `data-…`) and booleans. `null`, `undefined` and `false` leave the attribute out.
 */
export const h: {
  <K extends keyof HTMLElementTagNameMap>(
    tag: K,
    attributes?: Child,
    ...children: ReadonlyArray<Child>
  ): HTMLElementTagNameMap[K]
  (tag: string, attributes?: Child, ...children: ReadonlyArray<Child>): HTMLElement
} = (tag: string, attributes?: Child, ...children: ReadonlyArray<Child>): HTMLElement => {
  const [first = "", ...classes] = textOf(tag).split(" ")
  const name = /^[a-z][a-z0-9-]*$/i.test(first) && !refusedTags.test(first) ? first : "div"
  const element = document.createElementNS(svgTags.has(name) ? svgNamespace : "http://www.w3.org/1999/xhtml", name)
  if (classes.length > 0) setAttribute(element, "class", classes)
  if (isPlain(attributes)) {
    for (const [key, value] of Object.entries(attributes)) setAttribute(element, key, value)
    append(element, ...children)
  } else append(element, attributes, ...children)
  // In a page's own markup a few letters alone are not broken in a narrow cell, and a drawing alone has no line around it.
  if (classes.length > 0 && element.childNodes.length === 1 && element.textContent.length < 6)
    element.classList.add("mg-short")
  return element as HTMLElement
}

let ids = 0

/** An id that no other element of the page has. */
export const uniqueId = (): string => `mg-${++ids}`

/** A link that the host opens; plain text when the address is not one that may be opened. */
export const link = (url: unknown, label?: Child): HTMLElement => {
  const href = safeUrl(url)
  const shown =
    label ??
    textOf(url)
      .replace(/^https?:\/\/(www\.)?/i, "")
      .replace(/\/$/, "")
  return href === undefined ? h("span", {}, shown) : h("a", { class: "mg-link", href }, shown)
}

/**
 * Reads the children of a container part: nodes one by one or as one list. The last child is taken for options if it is
 * a plain object with one of `names`, or with nothing that could be shown as its name.
 */
export const childrenAndOptions = <O extends object>(
  values: ReadonlyArray<Child>,
  names: ReadonlyArray<keyof O & string>
): { readonly children: ReadonlyArray<Child>; readonly options: Partial<O> } => {
  const last = values.at(-1)
  const isOptions =
    isPlain(last) && !isPromise(last) && (names.some((name) => Object.hasOwn(last, name)) || nameIn(last) === undefined)
  return isOptions ? { children: values.slice(0, -1), options: last as Partial<O> } : { children: values, options: {} }
}
