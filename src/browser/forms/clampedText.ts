import { h } from "../parts/index.ts"

const cut = (text: string, length: number): string => {
  const end = text.lastIndexOf(" ", length)
  return text.slice(0, end > length / 2 ? end : length).replace(/[\uD800-\uDBFF]$/, "")
}

/** A paragraph of plain text; what is over `length` characters, or after the second line, waits behind a button. */
export const clampedText = (text: string, length: number, className: string, id?: string): HTMLElement => {
  const whole = text.trim()
  const firstLines = whole.split("\n").slice(0, 2).join("\n")
  const short = firstLines.length > length ? cut(firstLines, length) : firstLines
  const shown = document.createTextNode(short)
  const paragraph = h("p", { class: className, id }, shown)
  if (short.length === whole.length) return paragraph
  const clamped = `${short.replace(/[\s.,;:…]+$/, "")}… `
  shown.data = clamped
  const toggle = h("button", { type: "button", class: "mf-more", "aria-expanded": "false" }, "Show more")
  toggle.addEventListener("click", () => {
    const open = toggle.getAttribute("aria-expanded") !== "true"
    toggle.setAttribute("aria-expanded", String(open))
    toggle.textContent = open ? "Show less" : "Show more"
    shown.data = open ? `${whole} ` : clamped
  })
  paragraph.append(toggle)
  return paragraph
}
