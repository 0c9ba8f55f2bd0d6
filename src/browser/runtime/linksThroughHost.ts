const OPENS = /^(https?|mailto):/i

const hrefOf = (link: Element): string | null =>
  link.getAttribute("href") ?? link.getAttributeNS("http://www.w3.org/1999/xlink", "href")

const isLink = (node: EventTarget): node is Element => node instanceof Element && /^(a|area)$/i.test(node.localName)

/** The link that a press on a node would follow, wherever the node is: also in a shadow tree, or in no document. */
export const linkAround = (node: Node | null): Element | undefined => {
  if (node === null || isLink(node)) return node ?? undefined
  const slot = node instanceof Element || node instanceof Text ? node.assignedSlot : null
  return linkAround(slot ?? (node instanceof ShadowRoot ? node.host : node.parentNode))
}

const { click } = HTMLElement.prototype

const save = (href: string, name: string): void => {
  const link = document.createElement("a")
  link.href = href
  link.download = name
  click.call(link)
}

/**
 * Scrolls to the target of a fragment. In a document without its own address (`srcdoc`), the browser would leave the
 * page.
 */
const goToFragment = (href: string): void => {
  if (document.URL.split("#")[0] === document.baseURI.split("#")[0]) window.location.href = href
  else document.getElementById(decodeURIComponent(href.slice(1)))?.scrollIntoView()
}

/** Runs `follow` unless the page's own code prevents it, however that code handles the event. */
const unlessPrevented = (event: Event, link: Element, follow: (link: Element) => void): void => {
  const prevent = event.preventDefault.bind(event)
  let isPrevented = false
  event.preventDefault = () => {
    isPrevented = true
    prevent()
  }
  let isSettled = false
  const settle = (): void => {
    if (isSettled || isPrevented || hrefOf(link) === null) return
    isSettled = true
    prevent()
    setTimeout(() => {
      if (!isPrevented) follow(link)
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
 * mail go to the host (`ui/open-link`), with whatever button or key they were pressed. Fragments stay in the page, data
 * are saved; anything else goes nowhere. The browser itself follows none: a handler of the page may change the
 * address until the end. Returns what follows a link that no event of the window can reach.
 */
export const openLinksThroughHost = (
  open: (url: string) => void,
  maySave: () => boolean,
  refusal: () => string | undefined
): ((link: Element) => void) => {
  const follow = (link: Element): void => {
    const href = hrefOf(link)?.trim() ?? ""
    if (href.startsWith("#")) goToFragment(href)
    else if (/^(data|blob):/i.test(href)) {
      if (maySave()) save(href, link.getAttribute("download") ?? "")
    } else if (OPENS.test(href)) open(href)
  }
  const pressed = (event: Event): void => {
    if (event instanceof MouseEvent && event.button === 2) return
    const link = event.composedPath().find(isLink)
    if (link !== undefined) unlessPrevented(event, link, follow)
  }
  /** In a host that opens no links, they say so, and where they lead. */
  const explain = (): void => {
    const why = refusal()
    if (why === undefined) return
    for (const link of document.querySelectorAll("a[href]:not([aria-disabled])")) {
      const href = hrefOf(link) ?? ""
      if (!OPENS.test(href)) continue
      link.setAttribute("aria-disabled", "true")
      link.setAttribute("title", `${why} ${href}`)
    }
  }
  new MutationObserver(explain).observe(document, { childList: true, subtree: true })
  for (const kind of ["click", "auxclick"]) window.addEventListener(kind, pressed, { capture: true })
  return follow
}
