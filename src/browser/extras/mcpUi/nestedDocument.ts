import { nonce } from "../../runtime/ownScripts.ts"
import { uncurried } from "../../runtime/platform.ts"

/** As it was before the walls around views, which would take the scripts out. */
const parse = uncurried(DOMParser.prototype.parseFromString)
const parser = new DOMParser()
const create = uncurried(Document.prototype.createElement)

/**
 * Runs first in a nested document: its height becomes that of its frame, and its links ask the host. Its frame has no
 * way to open a window.
 */
const PRELUDE = `{
const say = (type, payload) => parent.postMessage({ type, payload }, "*")
const tell = () => say("ui-size-change", { height: document.documentElement.offsetHeight, own: true })
addEventListener("load", () => (new ResizeObserver(tell).observe(document.documentElement), tell()))
addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href^=http]")
  if (!link || event.defaultPrevented) return
  event.preventDefault()
  say("link", { url: link.href })
})
}`

const scriptIn = (page: Document, text: string): HTMLScriptElement => {
  const made = create(page, "script") as HTMLScriptElement
  made.setAttribute("nonce", nonce)
  // As a browser reads it back from markup.
  made.text = text.replaceAll(/<\/(?=script)/gi, "<\\/")
  return made
}

/** What `onclick="…"` and its like say, as scripts: the policy runs no code that stands in an attribute. */
const runHandlers = (page: Document): void =>
  page.querySelectorAll("*").forEach((element, index) => {
    element.getAttributeNames().forEach((name) => {
      if (!/^on[a-z]+$/.test(name)) return
      const code = element.getAttribute(name) ?? ""
      element.setAttribute("data-mg-on", String(index))
      page.body.append(
        scriptIn(page, `document.querySelector('[data-mg-on="${index}"]').${name}=function(event){${code}\n}`)
      )
    })
  })

/**
 * A page of a server, for a frame without authority. Its policy is the one of our document, which it inherits: so its
 * own scripts get the nonce, and those from elsewhere are left out. No loop over a list: a view may have replaced what
 * that calls, and would see the nonce.
 */
export const nestedDocument = (html: string): string => {
  const page = parse(parser, html, "text/html")
  page.querySelectorAll("script").forEach((script) => {
    if (script.hasAttribute("src")) script.remove()
    else script.setAttribute("nonce", nonce)
  })
  runHandlers(page)
  page.head.prepend(scriptIn(page, PRELUDE))
  return `<!doctype html>${page.documentElement.outerHTML}`
}
