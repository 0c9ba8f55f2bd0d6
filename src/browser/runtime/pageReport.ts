import { resultContent } from "../../domain/results/ResultContent.ts"
import type { PageReport } from "../../domain/tools/PageReport.ts"

/** So much is told, in so many characters each; so many elements and values are looked at. */
const MAX_FAULTS = 8
const MAX_MEMBERS = 60
const MAX_CHARACTERS = 60
const MAX_LOOKED = 2_000

/** What a script writes by mistake. */
const NOTHING = /^(undefined|null|NaN|\[object \w+\]|Invalid Date)$/
/** Elements that are there to hold something. */
const HOLDERS = "h1,h2,h3,h4,p,ul,ol,dl,table,tbody,section,article,figure,svg"
const DRAWN = "img,svg *,canvas,video,input,button"

/** A smaller element (CSS pixels) shows nothing. */
const MIN_SIZE = 4

/** A line has fewer characters than this where words are broken, or stand one below the other. */
const SHORT_LINE = 8

/** A shorter value may stand there by chance. */
const MIN_VALUE = 3

/** The names of members whose values can be read on the page. */
const membersShown = (data: unknown): ReadonlyArray<string> => {
  const page = document.body.innerText
  const names = new Set<string>()
  let looked = 0
  JSON.stringify(data, (name, value: unknown) => {
    if (looked++ > MAX_LOOKED) return undefined
    const text = typeof value === "object" ? "" : String(value)
    if (text.length >= MIN_VALUE && name.length <= MAX_CHARACTERS && page.includes(text)) names.add(name)
    return value
  })
  return [...names].slice(0, MAX_MEMBERS)
}

/**
 * Looks at what a view has drawn of a result for what a person would call badly made. It only measures. `undefined` where the frame
 * is not on screen.
 */
export const pageReport = (result: unknown): PageReport | undefined => {
  const { clientWidth: width, scrollWidth } = document.documentElement
  if (width === 0) return undefined
  const faults: Array<PageReport["faults"][number]> = []
  for (const element of [...document.querySelectorAll<HTMLElement>("body *")].slice(0, MAX_LOOKED)) {
    const { firstChild } = element
    const own = firstChild instanceof Text ? firstChild.data.trim() : ""
    const text = (element.textContent ?? "").trim()
    const box = element.getBoundingClientRect()
    const fault = (): PageReport["faults"][number]["fault"] | undefined => {
      // What is for screen readers only is a pixel wide.
      if (box.width < MIN_SIZE || box.height < MIN_SIZE) return undefined
      const isEmpty = text === "" && element.matches(HOLDERS) && element.querySelector(DRAWN) === null
      if (isEmpty || NOTHING.test(own)) return "empty"
      if (own === "") return undefined
      if (scrollWidth > width && box.right > width + 1) return "wide"
      if (element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflowX !== "visible")
        return "cut"
      const range = document.createRange()
      range.selectNodeContents(firstChild as Text)
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
      return lines > 1 && own.length / lines < SHORT_LINE ? "wrapped" : undefined
    }
    const found = fault()
    if (found !== undefined)
      faults.push({
        fault: found,
        element: [element.localName, ...element.classList].join(".").slice(0, MAX_CHARACTERS),
        text: text.slice(0, MAX_CHARACTERS)
      })
  }
  return { width, faults: faults.slice(0, MAX_FAULTS), members: membersShown(resultContent(result).data) }
}
