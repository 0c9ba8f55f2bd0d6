import type { PageReport } from "../../domain/tools/PageReport.ts"

/** So many faults are told, with so many characters of each text; so many elements are looked at. */
const MAX_FAULTS = 8
const MAX_CHARACTERS = 60
const MAX_ELEMENTS = 2_000

/** What a script writes by mistake. */
const NOTHING = /^(undefined|null|NaN|\[object \w+\]|Invalid Date)$/
/** Elements that are there to hold something. */
const HOLDERS = "h1,h2,h3,h4,p,ul,ol,dl,table,tbody,section,article,figure,svg"
const DRAWN = "img,svg *,canvas,video,input,button"

/** A line has fewer characters than this where words are broken, or stand one below the other. */
const SHORT_LINE = 8

/**
 * Looks at what a view has drawn for what a person would call badly made. It only measures. `undefined` where the frame
 * is not on screen.
 */
export const pageReport = (): PageReport | undefined => {
  const { clientWidth: width, scrollWidth } = document.documentElement
  if (width === 0) return undefined
  const faults: Array<PageReport["faults"][number]> = []
  const elements = document.body.querySelectorAll("*")
  for (let at = 0; at < Math.min(elements.length, MAX_ELEMENTS) && faults.length < MAX_FAULTS; at++) {
    const element = elements[at] as HTMLElement
    const { firstChild } = element
    const own = firstChild instanceof Text ? firstChild.data.trim() : ""
    const text = (element.textContent ?? "").trim()
    const tell = (fault: PageReport["faults"][number]["fault"]): unknown =>
      faults.push({
        fault,
        element: [element.localName, ...element.classList].join(".").slice(0, MAX_CHARACTERS),
        text: text.slice(0, MAX_CHARACTERS)
      })
    const box = element.getBoundingClientRect()
    const isEmpty = text === "" && element.matches(HOLDERS) && element.querySelector(DRAWN) === null
    if (isEmpty || NOTHING.test(own)) tell("empty")
    else if (scrollWidth > width && box.right > width + 1 && own !== "") tell("wide")
    else if (own !== "" && box.width > 0) {
      const isClipped = getComputedStyle(element).overflowX !== "visible"
      if (isClipped && element.scrollWidth > element.clientWidth + 1) tell("cut")
      else {
        const range = document.createRange()
        range.selectNodeContents(firstChild as Text)
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
        if (lines > 1 && own.length / lines < SHORT_LINE) tell("wrapped")
      }
    }
  }
  return { width, faults }
}
