import { isObject } from "../../../domain/isObject.ts"
import { isUiResource, renderDataOf } from "../../../domain/results/UiResource.ts"
import { type Child, h, link } from "../../parts/dom.ts"
import { resourceViews } from "../../parts/resourceViews.ts"
import type { Bridge } from "../../runtime/Bridge.ts"
import type { RuntimeSession } from "../../runtime/createSession.ts"
import { addressSource, nestedFrames, pageSource } from "./nestedFrames.ts"

const decoded = (base64: string): string =>
  new TextDecoder().decode(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)))

/** The first address of a list of addresses (RFC 2483), as hosts of mcp-ui read it. */
const addressIn = (list: string): string | undefined =>
  list
    .split(/\r?\n/)
    .map((line) => line.trim())
    .find((line) => /^https?:\/\//i.test(line))

/** A document of ours stands in a result for other hosts. Here its data are drawn already. */
const isOurs = (html: string): boolean => html.includes('id="mcp-gen-ui-data"')

/** The address in the words of mcp-ui: its page waits for its data, if there are any. */
const withData = (address: string, renderData: unknown): string => {
  const url = new URL(address)
  if (renderData !== undefined) url.searchParams.set("waitForRenderData", "true")
  return url.href
}

/**
 * From now on, results show the views of mcp-ui that they carry: pages in frames, addresses as links, or in frames where
 * their origins are among `origins`.
 */
export const showUiResources = (session: RuntimeSession, bridge: Bridge, origins: ReadonlyArray<string> = []): void => {
  const frameOf = nestedFrames(session, bridge)
  resourceViews.draw = (block): Child => {
    const { resource } = block
    if (!isUiResource(block) || !isObject(resource)) return undefined
    const renderData = renderDataOf(block)
    const title = typeof resource.title === "string" ? resource.title : "View of the server"
    const text = typeof resource.text === "string" ? resource.text : decoded(String(resource.blob))
    if (String(resource.mimeType).startsWith("text/html"))
      return isOurs(text) ? null : frameOf(pageSource(text), title, resource._meta, renderData)
    const address = addressIn(text)
    if (address !== undefined && URL.canParse(address) && origins.includes(new URL(address).origin))
      return frameOf(addressSource(withData(address, renderData)), title, resource._meta, renderData)
    return address === undefined
      ? undefined
      : h("p", {}, link(address, title), " ", h("span", { class: "mg-muted" }, address))
  }
}
