let replaced = false

/** True once the built-in view has taken over: ignore what the generated code still does. */
export const isGeneratedPageGone = (): boolean => replaced

/** A generated view takes the page again. */
export const setGeneratedPage = (): void => {
  replaced = false
}

/** Elements of the runtime's own that outlive a change of views. */
const OWN = "[data-mcp-gen-ui], #__mcp-host-fonts"

const { title } = document

let repaired = (): void => undefined

/** The listener sets up again what a new root element lacks. */
export const onDocumentRepaired = (listener: () => void): void => {
  repaired = listener
}

/** Restores the elements that every document has, because a view may have removed them. */
export const repairDocument = (): void => {
  const isWhole = document.documentElement !== null && document.head !== null
  if (document.documentElement === null) document.append(document.createElement("html"))
  const root = document.documentElement
  root.lang ||= "en"
  if (document.head === null) root.prepend(document.createElement("head"))
  if (document.body === null && document.readyState !== "loading") root.append(document.createElement("body"))
  document.title ||= title
  if (!isWhole) repaired()
}

/** Takes the generated markup and styles away. */
export const clearGeneratedPage = (): void => {
  replaced = true
  repairDocument()
  document.querySelectorAll("style, link").forEach((element) => {
    if (!element.matches(OWN)) element.remove()
  })
  document.adoptedStyleSheets = []
  const { body } = document
  body.getAttributeNames().forEach((name) => body.removeAttribute(name))
  body.replaceChildren()
}
