/**
 * What a person sees at one place of a form, told by roles and names. A place is an element with `data-path`, the JSON pointer of
 * the value that it stands for. Several nested elements may stand for the same value, such as a union and its variant.
 */
import type { SeenOption, SeenPlace } from "../Seen.ts"

let elements: Array<Element> = []

export const elementAt = (index: number): Element | undefined => elements[index]

const keep = (element: Element): number => elements.push(element) - 1

const isVisible = (element: Element): boolean => element.checkVisibility({ visibilityProperty: true })

const nameOf = (element: Element): string => {
  const labelled = element.getAttribute("aria-label")
  if (labelled !== null) return labelled
  if (element instanceof HTMLInputElement && element.labels !== null && element.labels.length > 0)
    return [...element.labels]
      .map(({ textContent }) => textContent)
      .join(" ")
      .trim()
  return element.textContent.trim()
}

const placesOf = (pointer: string): ReadonlyArray<HTMLElement> =>
  [...document.querySelectorAll<HTMLElement>("[data-path]")].filter(({ dataset }) => dataset.path === pointer)

/** Elements of a place that do not belong to a place inside it. */
const own = (place: HTMLElement, selector: string): ReadonlyArray<HTMLElement> =>
  [...place.querySelectorAll<HTMLElement>(selector)].filter((element) => element.closest("[data-path]") === place)

const isMonospace = (element: Element): boolean => /mono|courier|consol/i.test(getComputedStyle(element).fontFamily)

const inputKind = (input: Element): SeenPlace["kind"] => {
  if (input instanceof HTMLInputElement) {
    if (input.type === "datetime-local") return "date-time"
    if (input.type === "date" || input.type === "time") return input.type
    if (input.type === "number" || /^(?:numeric|decimal)$/.test(input.inputMode)) return "number"
  }
  return isMonospace(input) ? "json" : "text"
}

const ADD = /^Add\b/
const VALUE = /^Enter a value/

/** Presses "Show more (100)" until all choices and fields of a place are drawn. */
const drawAll = (place: HTMLElement): void => {
  for (;;) {
    const more = own(place, "button").find(({ textContent }) => textContent.startsWith("Show more ("))
    if (more === undefined) return
    more.click()
  }
}

/** Looks at a place; `level` counts the elements that stand for the same value, from the outside. */
export const placeAt = (pointer: string, level: number): SeenPlace | null => {
  const places = placesOf(pointer)
  const place = places[level]
  if (place === undefined) return null
  drawAll(place)
  elements = []
  const toOption = (element: HTMLElement): SeenOption => ({ label: nameOf(element), element: keep(element) })
  const buttons = own(place, "button").filter(isVisible)
  const inputs = own(place, "input:not([type=range]), textarea").filter(isVisible)
  const entryNames = inputs.filter((input) => /^(?:Name of|New name)/.test(input.getAttribute("aria-label") ?? ""))
  const radios = own(place, "input[type=radio]")
  const boxes = own(place, "input[type=checkbox]")
  const select = own(place, "select").find(isVisible)
  const below = [...place.querySelectorAll<HTMLElement>("[data-path]")].filter(
    ({ dataset }) => dataset.path !== pointer
  )
  const rest = {
    text: own(place, "span, code, p, div")
      .map(({ textContent }) => textContent)
      .join(" "),
    buttons: buttons.map(toOption),
    below: below.flatMap(({ dataset }) => (dataset.path === undefined ? [] : [dataset.path])),
    hasInner: places.length > level + 1
  }
  const seen = (kind: SeenPlace["kind"], element?: Element, options: ReadonlyArray<SeenOption> = []): SeenPlace => ({
    ...rest,
    kind,
    element: element === undefined ? -1 : keep(element),
    options
  })
  const labelsOf = buttons.map(nameOf)
  if (
    entryNames.length > 0 ||
    own(place, "input").some((input) => input.getAttribute("aria-label")?.startsWith("New name") === true)
  )
    return seen(
      "map",
      entryNames.find((input) => input.getAttribute("aria-label")?.startsWith("New name"))
    )
  if (radios.length > 0) return seen("radios", undefined, radios.map(toOption))
  if (select instanceof HTMLSelectElement) {
    const options = [...select.options].map((option, index) => ({ label: option.label, element: index }))
    return seen("select", select, options)
  }
  const combobox = inputs.find((input) => input.getAttribute("role") === "combobox")
  if (combobox !== undefined) return seen("combobox", combobox)
  if (boxes.length > 0) {
    const isOne = boxes.length === 1 && place.getAttribute("role") === null
    return isOne ? seen("checkbox", boxes[0]) : seen("checkboxes", undefined, boxes.map(toOption))
  }
  const [input] = inputs
  if (input !== undefined)
    return own(place, "[role=list]").length > 0 ? seen("tags", input) : seen(inputKind(input), input)
  if (labelsOf.some((label) => VALUE.test(label))) return seen("null")
  const add = buttons.findLast((button) => ADD.test(nameOf(button)))
  // A list says in the name of its button what is added to what; a group that is not there is added itself.
  if (add !== undefined) return seen(nameOf(add) === add.textContent.trim() ? "closed" : "list", add)
  return seen(rest.below.length > 0 || rest.hasInner ? "group" : "constant")
}

/** Puts the focus on an element seen last; of a text, all of it is selected, so that what is typed replaces it. */
export const focusAt = (index: number): void => {
  const element = elements[index]
  if (!(element instanceof HTMLElement)) throw new Error("the control is gone")
  element.focus()
  if (document.activeElement !== element) throw new Error("the control cannot have the focus")
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) element.select()
}

export const isCheckedAt = (index: number): boolean => {
  const element = elements[index]
  return element instanceof HTMLInputElement && element.checked
}

/** Opens what is folded around and below a place, so that what stands there is drawn. */
export const unfold = (pointer: string): boolean => {
  const places = pointer === "" ? [...document.querySelectorAll<HTMLElement>("form")] : placesOf(pointer)
  const folded = places.flatMap((place) =>
    Array.from(place.querySelectorAll<HTMLElement>("details:not([open]) > summary, button[aria-expanded=false]"))
  )
  // A long description is not in the way of anything.
  const openers = [...new Set(folded)].filter((opener) => !nameOf(opener).startsWith("Show more"))
  for (const opener of openers) opener.click()
  return openers.length > 0
}
