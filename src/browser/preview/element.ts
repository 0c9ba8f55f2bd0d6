type Child = Node | string | null | undefined

type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>

/**
 * Makes an element with attributes and children. `true` sets an empty attribute; false, null and undefined set none.
 */
export const element = <K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: ReadonlyArray<Child>
): HTMLElementTagNameMap[K] => {
  const node = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) node.setAttribute(name, "")
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, String(value))
  }
  node.append(...children.filter((child) => child !== null && child !== undefined))
  return node
}

/** The element of the page with this id; the page is broken without it. */
export const byId = <T extends HTMLElement>(id: string, type: abstract new () => T): T => {
  const found = document.querySelector(`#${id}`)
  if (found instanceof type) return found
  throw new Error(`the page has no ${type.name} with the id ${id}`)
}

/** The value of the radio button that is checked. */
export const chosenIn = (fieldset: HTMLFieldSetElement): string =>
  fieldset.querySelector<HTMLInputElement>("input:checked")?.value ?? ""

/** Calls back when the button with this id is pressed. */
export const press = (id: string, onPress: () => void): HTMLButtonElement => {
  const found = byId(id, HTMLButtonElement)
  found.addEventListener("click", onPress)
  return found
}
