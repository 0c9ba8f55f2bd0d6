import { isObject } from "../isObject.ts"

/** The data that a view of mcp-ui is drawn from, in the `_meta` of its resource. */
const RENDER_DATA = "mcpui.dev/ui-initial-render-data"

/** The render data of a content block. */
export const renderDataOf = (block: unknown): unknown => {
  const resource = isObject(block) ? block.resource : undefined
  return isObject(resource) && isObject(resource._meta) ? resource._meta[RENDER_DATA] : undefined
}

/** Whether a content block is a view of mcp-ui: a `ui://` resource with a page or the address of one. */
export const isUiResource = (block: unknown): boolean => {
  const { mimeType, uri } = isObject(block) && isObject(block.resource) ? block.resource : {}
  return typeof uri === "string" && uri.startsWith("ui://") && /^text\/(html|uri-list)(?![\w-])/.test(String(mimeType))
}

/** A view of mcp-ui as a content block. It is for the person: hosts keep it from the model. */
export const uiResource = (
  uri: string,
  mimeType: "text/html" | "text/uri-list",
  text: string,
  renderData: unknown
) => ({
  type: "resource",
  resource: { uri, mimeType, text, _meta: { [RENDER_DATA]: renderData } },
  annotations: { audience: ["user"] }
})
