import { linkAround } from "./linksThroughHost.ts"
import { getterOf, uncurried } from "./platform.ts"

const isInPage = (node: Node): boolean => node.getRootNode({ composed: true }) === document

const linkPressedBy = ({ type }: Event, target: unknown): Element | undefined =>
  target instanceof Node && /^(aux)?click$/.test(type) ? linkAround(target) : undefined

/** Scripts may press links that are in no document: the window hears nothing of those. */
const stopPresses = (follow: (link: Element) => void): void => {
  const { click } = HTMLElement.prototype
  HTMLElement.prototype.click = function press() {
    const link = linkAround(this)
    if (link === undefined || isInPage(this)) click.call(this)
    else follow(link)
  }
  const { dispatchEvent } = EventTarget.prototype
  EventTarget.prototype.dispatchEvent = function dispatch(event) {
    const link = linkPressedBy(event, this)
    if (link === undefined) return dispatchEvent.call(this ?? window, event)
    if (!isInPage(link)) {
      follow(link)
      return true
    }
    // An event that can be prevented and reaches the window, whatever the script asked for.
    const press = new MouseEvent(event.type, { bubbles: true, cancelable: true, composed: true })
    const isAccepted = dispatchEvent.call(this, press)
    if (!isAccepted) event.preventDefault()
    return isAccepted
  }
}

/** A closed tree would hide its links from the window, and `submit` does not leave any tree. */
const openShadowTrees = (): void => {
  const { attachShadow } = Element.prototype
  Element.prototype.attachShadow = function attach(init) {
    const root = attachShadow.call(this, { ...init, mode: "open" })
    root.addEventListener("submit", (event) => event.preventDefault(), true)
    return root
  }
}

/**
 * Where a page has an origin, the browser asks before the page is left, in whatever way. A frame with `allow-scripts`
 * alone has none, so the browser does not ask.
 */
const stopLeaving = (): void => {
  if (window.navigation === undefined) return
  const destinationOf = getterOf(NavigateEvent.prototype, "destination")
  const addressOf = getterOf(NavigationDestination.prototype, "url")
  const prevent = uncurried(Event.prototype.preventDefault)
  const { origin } = window
  const isElsewhere = (address: string): boolean => {
    const isWeb = address.slice(0, 4) === "http"
    return isWeb && address !== origin && address.slice(0, origin.length + 1) !== `${origin}/`
  }
  window.navigation.addEventListener("navigate", (event) => {
    if (isElsewhere(String(addressOf(destinationOf(event))))) prevent(event)
  })
}

/**
 * Closes the ways out of a page that no content security policy covers, before its code runs: presses of links that are
 * in no document, `window.open` (`document.open` with three arguments is another name of it) and peer connections.
 * Links and windows go through the host, and the rest does nothing. Forms are never sent, see `sandboxedForms.ts`.
 * `location` cannot be closed from inside, as no page can change it: where the `navigate` event does not tell of it,
 * only the inspection of the code helps, and a page that gets past it can take its data away with the frame. The same
 * holds for a `<meta>` that refreshes, made by script.
 */
export const stopScriptedNavigation = (follow: (link: Element) => void): void => {
  stopPresses(follow)
  openShadowTrees()
  stopLeaving()
  window.open = (url = "") => {
    const link = document.createElement("a")
    link.setAttribute("href", String(url))
    follow(link)
    return null
  }
  const { prototype } = Document
  const { open } = prototype
  Object.assign(prototype, {
    open(this: Document, ...given: ReadonlyArray<string>): unknown {
      return given.length > 2 ? window.open(given[0]) : Reflect.apply(open, this, [])
    }
  })
}
