import { h } from "../parts/index.ts"

/** A paragraph of plain text. A button shows what is beyond `length` characters or the second line. */
export const clampedText = (text: string, length: number, className: string, id?: string): HTMLElement => {
  const whole = text.trim()
  const start = whole.split("\n").slice(0, 2).join("\n")
  const space = start.lastIndexOf(" ", length)
  const short =
    start.length > length ? start.slice(0, space > length / 2 ? space : length).replace(/[\uD800-\uDBFF]$/, "") : start
  const shown = document.createTextNode(whole)
  const paragraph = h("p", { class: className, id }, shown)
  if (short.length === whole.length) return paragraph
  const toggle = h("button", { type: "button", class: "mf-more" })
  const setOpen = (isOpen: boolean): void => {
    toggle.ariaExpanded = String(isOpen)
    toggle.textContent = isOpen ? "Show less" : "Show more"
    shown.data = isOpen ? `${whole} ` : `${short.replace(/(?<![\s.,;:…])[\s.,;:…]+$/, "")}… `
  }
  toggle.addEventListener("click", () => setOpen(toggle.ariaExpanded !== "true"))
  setOpen(false)
  paragraph.append(toggle)
  return paragraph
}
