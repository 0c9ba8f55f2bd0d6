/** The old command needs no permission, only a press just before. */
const copyBySelection = (text: string): boolean => {
  const focused = document.activeElement
  const area = document.createElement("textarea")
  area.value = text
  area.readOnly = true
  area.style.cssText = "position:fixed;opacity:0"
  document.body.append(area)
  area.select()
  try {
    return document.execCommand("copy")
  } catch {
    return false
  } finally {
    area.remove()
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  }
}

/** Puts text on the clipboard; rejects with a sentence for the person where the browser does not let a frame do it. */
export const copyText = async (text: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    if (!copyBySelection(text)) throw new Error("This host does not let a view copy. Select the text and copy it.")
  }
}
