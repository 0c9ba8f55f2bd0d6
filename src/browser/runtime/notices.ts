import { h } from "../parts/index.ts"
import { installStyles, partsCss } from "../parts/styles.ts"
import { repairDocument } from "./generatedPage.ts"

/** How often the place returns after the page's code removes it. */
const RETURNS = 20

const CSS = `aside{display:grid;gap:8px;padding:12px 16px 0;color:var(--mg-text);font:var(--mg-md)/var(--mg-lh) var(--mg-font);overflow-wrap:anywhere}@media(max-width:420px){aside{padding-inline:12px}}aside:not(:has(>:not(.mg-hidden))){padding:0}.mg-error{background-color:var(--mg-bg);background-image:linear-gradient(var(--mg-danger-bg) 0 0)}`

interface Place {
  readonly host: HTMLElement
  readonly list: HTMLElement
  readonly said: HTMLElement
}

let place: Place | undefined
let returns = RETURNS

const makePlace = (): Place => {
  const said = h("p", { class: "mg-hidden", role: "status" })
  const list = h("aside", { "aria-label": "About this view" }, said)
  const host = h("div", { "data-mcp-gen-ui": true })
  host.style.cssText =
    "all:initial!important;display:block!important;position:relative!important;z-index:2147483647!important"
  host.attachShadow({ mode: "open" }).append(h("style", {}, partsCss() + CSS), list)
  return { host, list, said }
}

/** Before the body and in a shadow tree, where neither a view's styles nor its changes of the body reach it. */
const noticePlace = (): Place => {
  place ??= makePlace()
  const { host } = place
  repairDocument()
  installStyles()
  if (!host.isConnected) {
    document.documentElement.insertBefore(host, document.body)
    const watcher = new MutationObserver(() => {
      if (host.isConnected) return
      watcher.disconnect()
      if (returns-- > 0) noticePlace()
    })
    watcher.observe(document, { childList: true })
    watcher.observe(document.documentElement, { childList: true })
  }
  return place
}

/** Shows something of the runtime's own above a view, until it is removed. */
export const showNotice = (notice: HTMLElement): void => {
  const { list } = noticePlace()
  if (notice.parentNode !== list) list.append(notice)
}

/** Removes notes about a view that is gone. */
export const clearNotes = (): void => {
  for (const note of place?.list.querySelectorAll("[role=note]") ?? []) note.remove()
}

/** Tells it to screen readers when they have nothing else to say. */
export const announce = (text: string): void => {
  noticePlace().said.replaceChildren(text)
}
