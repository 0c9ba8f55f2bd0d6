/** Runs inside the view beside its own code: finds what a person can press there, and sees what a press has done. */

import type { SeenControl, SeenEffect } from "../SeenControl.ts"

const CONTROLS = "a[href], button, summary, [role=button], [role=tab], input, select, textarea"
const FILTERS = "input[type=search], input[type=text]"
/** What their keys do depends on the browser; the evaluation of forms fills them in. */
const NATIVE = /^(?:date|time|datetime-local|month|week|color|range|file|hidden)$/

const tried = new Set<string>()
let isChanged = false
let before = new Set<string>()
let control: HTMLElement | undefined

const isVisible = (element: Element): boolean =>
  element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
  element.getBoundingClientRect().width > 1

const nameOf = (element: Element): string =>
  (element.getAttribute("aria-label") ?? element.textContent).trim().replaceAll(/\s+/g, " ").slice(0, 60)

/** One of a kind is enough: the buttons of all rows, the links of all cells. */
const kindOf = (element: HTMLElement): string => {
  const named = /\bmg-button\b/.test(element.className) ? nameOf(element).replaceAll(/\d+/g, "#") : ""
  return [element.localName, element.getAttribute("type"), element.role, element.className, named].join("|")
}

const alerts = (): ReadonlyArray<string> =>
  [...document.querySelectorAll("[role=alert]")]
    .filter((element) => isVisible(element) && element.closest("form") === null)
    // What unfolds in one makes it no other one.
    .map((element) => element.textContent.trim().slice(0, 80))
    .filter((text) => text !== "")

const isOffered = (element: HTMLElement): boolean => {
  if (!isVisible(element) || element.matches(":disabled, [aria-disabled=true], [readonly], [aria-selected=true]"))
    return false
  // One of several that is chosen: pressed again, it stays so.
  if (element.matches("[role=group] > [aria-pressed=true]")) return false
  if (element instanceof HTMLInputElement)
    return !NATIVE.test(element.type) && !(element.type === "radio" && element.checked)
  if (element instanceof HTMLSelectElement) return element.selectedIndex < element.options.length - 1
  return !element.getAttribute("href")?.startsWith("#")
}

const keyOf = (element: HTMLElement): SeenControl["key"] => {
  if (element instanceof HTMLSelectElement) return "ArrowDown"
  if (element instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(element.type)) return "Space"
  return /^(?:input|textarea)$/.test(element.localName) ? "1" : "Enter"
}

const changed = (): void => {
  isChanged = true
}
/** That a button is busy is no effect yet. */
const observer = new MutationObserver((records) => {
  if (records.some(({ attributeName }) => !/^aria-(?:busy|disabled)$/.test(attributeName ?? ""))) changed()
})
for (const type of ["input", "change", "toggle", "copy"]) document.addEventListener(type, changed, { capture: true })

const evalControls = {
  /** The next control that is offered and was not tried yet has the focus. */
  next(): SeenControl | null {
    const offered = [...document.querySelectorAll<HTMLElement>(CONTROLS)].filter(isOffered)
    control = offered.find((element) => !tried.has(kindOf(element)))
    if (control === undefined) return null
    tried.add(kindOf(control))
    before = new Set(alerts())
    observer.observe(document, { childList: true, characterData: true, attributes: true, subtree: true })
    control.focus()
    isChanged = control.role === "tab" && control.ariaSelected === "true"
    return {
      name: nameOf(control),
      key: keyOf(control),
      href: control.getAttribute("href") ?? "",
      submits: control.getAttribute("type") === "submit"
    }
  },
  effect: (): SeenEffect => ({
    // That the focus goes elsewhere is seen, too.
    hasChanged: isChanged || document.activeElement !== control,
    alerts: alerts().filter((text) => !before.has(text)),
    formAsks:
      document.querySelector("form :is([role=alert], [role=status]):not(:empty), [aria-invalid=true]") !== null ||
      [...document.querySelectorAll("button")].some((button) => isVisible(button) && nameOf(button) === "Run it")
  }),
  /** Where a person leaves a mark that should stay: in a filter, or at another tab. */
  focusMark(kind: "filter" | "tab"): boolean {
    const selector = kind === "tab" ? "[role=tab]" : FILTERS
    const place = [...document.querySelectorAll<HTMLElement>(selector)].find(isOffered)
    place?.focus()
    return place !== undefined
  },
  /** What can be seen of such marks. */
  marks: (): string =>
    JSON.stringify({
      tabs: [...document.querySelectorAll("[role=tab][aria-selected=true]")].filter(isVisible).map(nameOf),
      typed: [...document.querySelectorAll<HTMLInputElement>(FILTERS)].filter(isVisible).map(({ value }) => value)
    }),
  /** Pictures that are drawn, not only named. */
  pictures: (): number =>
    [...document.images].filter((image) => image.naturalWidth > 0).length + document.querySelectorAll("canvas").length
}

if (window !== window.top) Object.assign(globalThis, { evalControls })
