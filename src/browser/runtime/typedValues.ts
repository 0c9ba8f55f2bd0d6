import { attempt } from "../parts/values.ts"
import { setTimeout } from "./platform.ts"

export type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** Milliseconds in which a new view may still draw the fields that a person typed into. */
const PATIENCE_MS = 2_000

const isField = (target: unknown): target is Field =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement

const isTicked = (field: Field): field is HTMLInputElement => /^(checkbox|radio)$/.test(field.type)

/**
 * What may name a field in another version of the page too, the safest first. Ids that the parts number are left out.
 */
const namesOf = (field: Field): ReadonlyArray<string> => {
  const label = field.labels?.[0]?.textContent ?? field.getAttribute("aria-label")
  const names = [field.name, /^mg-\d/.test(field.id) ? "" : field.id, label?.trim() ?? ""]
  return names.map((name) => (name === "" ? "" : `${isTicked(field) ? `${field.type} ${field.value} ` : ""}${name}`))
}

const fieldLike = (names: ReadonlyArray<string>): Field | undefined =>
  [...document.querySelectorAll("input, textarea, select")]
    .filter(isField)
    .find((field) => namesOf(field).some((name, at) => name !== "" && name === names[at]))

const touched = new Set<Field>()

/** From now on, notes what a person types, ticks and picks. */
export const watchTyping = (): void => {
  for (const type of ["input", "change"]) {
    window.addEventListener(
      type,
      ({ isTrusted, target }) => {
        if (isTrusted && isField(target) && !/^(password|file)$/.test(target.type)) touched.add(target)
      },
      true
    )
  }
}

export const put = (field: Field, value: string | boolean): void => {
  const name = typeof value === "boolean" ? "checked" : "value"
  if (Reflect.get(field, name) === value) return
  Reflect.set(field, name, value)
  for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }))
}

/**
 * Remembers what a person has typed, the focus and the scroll position. The answer puts them back into another view:
 * into the fields with the same name, id or label, as they appear.
 */
export const keepTyped = (): (() => void) => {
  const { scrollX, scrollY } = window
  const { activeElement } = document
  const focus = isField(activeElement) ? namesOf(activeElement) : undefined
  const caret = isField(activeElement) && "selectionStart" in activeElement ? activeElement.selectionStart : null
  const kept = [...touched]
    .filter((field) => field.isConnected)
    .map((field) => ({ names: namesOf(field), value: isTicked(field) ? field.checked : field.value }))
  touched.clear()

  return () => {
    const waiting = new Set(kept)
    let isFocused = focus === undefined
    let isPlaced = scrollY === 0
    let reached = Infinity
    const restore = (): void => {
      for (const one of waiting) {
        const field = fieldLike(one.names)
        if (field === undefined) continue
        waiting.delete(one)
        touched.add(field)
        attempt(() => put(field, one.value))
      }
      const field = isFocused ? undefined : fieldLike(focus ?? [])
      if (field !== undefined && field.checkVisibility()) {
        isFocused = true
        field.focus({ preventScroll: true })
        attempt(() => "setSelectionRange" in field && field.setSelectionRange(caret, caret))
      }
      const { clientHeight, scrollHeight } = document.documentElement
      // Leave it alone once the person has scrolled.
      isPlaced ||= reached <= scrollHeight - clientHeight && reached !== window.scrollY
      if (!isPlaced) {
        window.scrollTo(scrollX, scrollY)
        reached = window.scrollY
        isPlaced = reached > scrollY - 1
      }
      if (isPlaced && isFocused && waiting.size === 0) observer.disconnect()
    }
    const observer = new MutationObserver(restore)
    observer.observe(document.documentElement, { childList: true, subtree: true })
    restore()
    setTimeout(() => observer.disconnect(), PATIENCE_MS)
  }
}
