let replaced = false

/** True once the built-in view has taken the page over: what the generated code still does is of no interest. */
export const isGeneratedPageGone = (): boolean => replaced

/** Elements of the runtime's own that outlive a change of views. */
const OWN_STYLES = "style[data-mcp-gen-ui], #__mcp-host-fonts"

/** Takes the generated markup and styles away. Its scripts can not be stopped; their errors are ignored from here on. */
export const clearGeneratedPage = (): void => {
  replaced = true
  for (const element of document.querySelectorAll("style, link")) {
    if (!element.matches(OWN_STYLES)) element.remove()
  }
  const { body } = document
  for (const name of body.getAttributeNames()) body.removeAttribute(name)
  body.replaceChildren()
}
