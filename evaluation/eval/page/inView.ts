/**
 * Runs inside the view beside its own code: what the evaluation looks at and presses there. It uses what a person has (roles,
 * names, texts), not the page's classes.
 */

import type { ResultState, ShownData } from "../Seen.ts"
import { elementAt, focusAt, isCheckedAt, placeAt, unfold } from "./places.ts"

const MOST_ROUNDS = 12
const NAME_SUBMIT_AGAIN = /^(?:Run again|Run)$/
const NAME_EDIT = /^Edit input$/
const NAME_CONFIRM = /^Run it$/
const NAME_MORE = /^Show (?:all|more|everything|the rest)/i
const NAME_RAW = /^(?:Raw )?JSON$/i

const violations: Array<string> = []
document.addEventListener("securitypolicyviolation", (event) => {
  violations.push(`${event.effectiveDirective} ${event.blockedURI}`)
})

const frames = (count = 2): Promise<void> =>
  new Promise((resolve) => {
    const step = (left: number): void => {
      if (left === 0) setTimeout(resolve, 0)
      else requestAnimationFrame(() => step(left - 1))
    }
    step(count)
  })

const isVisible = (element: Element): boolean => element.checkVisibility({ visibilityProperty: true })

const all = (selector: string, root: ParentNode = document): ReadonlyArray<HTMLElement> =>
  [...root.querySelectorAll(selector)].filter((element) => element instanceof HTMLElement)

const nameOf = (element: Element): string => (element.getAttribute("aria-label") ?? element.textContent).trim()

const pressable = (name: RegExp): HTMLElement | undefined =>
  all("button").find((element) => isVisible(element) && name.test(nameOf(element)))

const until = async (isSo: () => boolean, ms: number): Promise<boolean> => {
  const end = performance.now() + ms
  while (!isSo()) {
    if (performance.now() > end) return false
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return true
}

const submitButton = (): HTMLElement | undefined =>
  all("button[type=submit]").find((button) => isVisible(button) && button.getAttribute("aria-busy") !== "true")

const complaints = (): ReadonlyArray<string> => {
  const described = all("[aria-invalid=true]").map((control) => {
    const notes = (control.getAttribute("aria-describedby") ?? "").split(" ").map((id) => document.getElementById(id))
    const said = notes.filter((note) => note !== null && isVisible(note)).map((note) => note?.textContent ?? "")
    const place = control.closest("[data-path]")?.getAttribute("data-path")
    return `${place ?? control.getAttribute("aria-label") ?? control.id}: ${said.join(" ")}`
  })
  const said = all("form [role=alert], form [role=status]").map(({ textContent }) => textContent)
  return [...described, ...said].map((text) => text.trim()).filter((text) => text !== "" && !text.endsWith(": "))
}

/** Opens the form if it is folded. */
const openForm = async (): Promise<void> => {
  await until(
    () =>
      submitButton() !== undefined || pressable(NAME_EDIT) !== undefined || pressable(NAME_SUBMIT_AGAIN) !== undefined,
    2000
  )
  if (submitButton() === undefined) pressable(NAME_EDIT)?.click()
}

/** False: there is no such button, or it cannot have the focus. */
const hasFocused = (button: HTMLElement | undefined): boolean => {
  button?.focus()
  return button !== undefined && document.activeElement === button
}

/** The button that sends the form, or the input of a call again. */
const focusSendButton = (): boolean => hasFocused(submitButton() ?? pressable(NAME_SUBMIT_AGAIN))

/** The button that says yes where the page asks whether the call is meant. */
const focusConfirmButton = (): boolean => hasFocused(pressable(NAME_CONFIRM))

const ATTRIBUTES = ["alt", "src", "href", "title", "aria-label", "datetime"]

const textOf = (root: Element): string => {
  const attributes = all(ATTRIBUTES.map((name) => `[${name}]`).join(","), root).flatMap((element) =>
    ATTRIBUTES.map((name) => element.getAttribute(name) ?? "")
  )
  const typed = all("input, textarea", root).map((element) =>
    element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement ? element.value : ""
  )
  return [root.textContent, ...attributes, ...typed].filter((text) => text !== "").join("\n")
}

const resultRegion = (): Element => document.querySelector('section[aria-label="Result"]') ?? document.body

const isRaw = (details: Element): boolean => {
  const summary = details.querySelector("summary")
  return summary !== null && NAME_RAW.test(nameOf(summary))
}

/** Opens all but the raw JSON, which is no part of what a view shows. */
const openFolds = async (root: Element): Promise<void> => {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const folded = all("details:not([open])", root).filter((details) => !isRaw(details))
    const more = all("button", root).filter((element) => isVisible(element) && NAME_MORE.test(nameOf(element)))
    if (folded.length === 0 && more.length === 0) return
    for (const details of folded) if (details instanceof HTMLDetailsElement) details.open = true
    for (const button of more) button.click()
    await frames(1)
  }
}

/** Opens all there is to open around the result, and reads it. */
const readEverything = async (): Promise<ShownData> => {
  const root = resultRegion()
  const texts = new Set<string>()
  const raws: Array<string> = []
  const pressed = new Set<Element>()
  const names: Array<string> = []
  await openFolds(root)
  texts.add(textOf(root))
  for (let round = 0; round < 60; round += 1) {
    const tab = all("[role=tab]", root).find((element) => !pressed.has(element) && isVisible(element))
    if (tab === undefined) break
    pressed.add(tab)
    names.push(nameOf(tab))
    tab.click()
    await frames(1)
    const panel = document.getElementById(tab.getAttribute("aria-controls") ?? "") ?? root
    await openFolds(panel)
    if (NAME_RAW.test(nameOf(tab))) raws.push(panel.textContent)
    else texts.add(textOf(panel))
  }
  for (const details of all("details", root).filter(isRaw)) {
    if (details instanceof HTMLDetailsElement) details.open = true
    await frames(1)
    await openFolds(details)
    raws.push(details.textContent.slice(details.querySelector("summary")?.textContent.length ?? 0))
  }
  return { text: [...texts].join("\n"), raw: raws.join("\n"), tabs: names }
}

const resultState = (): ResultState => {
  const root = resultRegion()
  const drawn = all("img, svg, audio, video, canvas, input", root).some(isVisible)
  return {
    hasContent: (root instanceof HTMLElement ? root.innerText.trim() !== "" : false) || drawn,
    alerts: all("[role=alert]")
      .filter((element) => isVisible(element) && element.closest("form") === null)
      .map(({ textContent }) => textContent),
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth
  }
}

/** False: nothing outside the form raised an alert in that time. */
const alerted = (ms: number): Promise<boolean> => until(() => resultState().alerts.length > 0, ms)

/** Waits until the page has drawn what it got, and is not busy with it. */
const settled = async (ms: number): Promise<boolean> => {
  const isCalm = await until(() => document.querySelector("[aria-busy=true]") === null, ms)
  await frames()
  return isCalm
}

if (window !== window.top)
  Object.assign(globalThis, {
    evalView: {
      violations,
      placeAt,
      elementAt,
      focusAt,
      isCheckedAt,
      unfold,
      openForm,
      focusSendButton,
      focusConfirmButton,
      complaints,
      readEverything,
      resultState,
      alerted,
      settled,
      frames
    }
  })
