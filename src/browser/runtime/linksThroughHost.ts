const OPENS = /^(https?|mailto):/i

const hrefOf = (link: Element): string | null =>
  link.getAttribute("href") ?? link.getAttributeNS("http://www.w3.org/1999/xlink", "href")

const linkOf = (event: Event): Element | undefined =>
  event.composedPath().find((node): node is Element => node instanceof Element && /^(a|area)$/i.test(node.localName))

/** Shows the target of a fragment. A document without an address of its own (`srcdoc`) would be left by the browser's way. */
const goToFragment = (event: Event, href: string): void => {
  if (document.URL.split("#")[0] === document.baseURI.split("#")[0]) return
  event.preventDefault()
  document.getElementById(decodeURIComponent(href.slice(1)))?.scrollIntoView()
}

/** Keeps what `follow` would do from happening when the page's own code prevents it, however it handles the event. */
const unlessPrevented = (event: Event, follow: () => void): void => {
  const prevent = event.preventDefault.bind(event)
  let isPrevented = false
  event.preventDefault = () => {
    isPrevented = true
    prevent()
  }
  let isSettled = false
  const settle = (): void => {
    if (isSettled || isPrevented) return
    isSettled = true
    prevent()
    setTimeout(() => {
      if (!isPrevented) follow()
    })
  }
  for (const member of ["stopPropagation", "stopImmediatePropagation"] as const) {
    const stop = event[member].bind(event)
    event[member] = () => {
      settle()
      stop()
    }
  }
  window.addEventListener(event.type, settle, { once: true })
}

/**
 * A link must not take the frame away from the view, and the sandbox lets no window open: addresses of the web and of
 * mail go to the host (`ui/open-link`), with whatever button or key they were pressed. Fragments and downloads stay
 * with the browser; anything else goes nowhere.
 */
export const openLinksThroughHost = (open: (url: string) => void): void => {
  const pressed = (event: Event): void => {
    if (event instanceof MouseEvent && event.type === "auxclick" && event.button !== 1) return
    const link = linkOf(event)
    const href = link === undefined ? null : hrefOf(link)?.trim()
    if (link === undefined || href === null || href === undefined) return
    if (href.startsWith("#")) {
      goToFragment(event, href)
    } else if (/^(data|blob):/i.test(href)) {
      if (!link.hasAttribute("download")) link.setAttribute("download", "")
    } else if (!link.hasAttribute("download") || OPENS.test(href)) {
      unlessPrevented(event, () => {
        if (OPENS.test(href)) open(href)
      })
    }
  }
  for (const kind of ["click", "auxclick"]) window.addEventListener(kind, pressed, { capture: true })
}
