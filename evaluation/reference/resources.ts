import type { ReadResourceResult, Resource, ResourceTemplate } from "@modelcontextprotocol/sdk/types.js"
import { RED_PIXEL } from "./media.ts"

const fixed: Readonly<Record<string, { readonly definition: Omit<Resource, "uri">; readonly body: object }>> = {
  "test://static-text": {
    definition: { name: "Static text", description: "A text that never changes", mimeType: "text/plain" },
    body: { text: "This is the content of the static text resource." }
  },
  "test://static-binary": {
    definition: { name: "Static binary", description: "An image that never changes", mimeType: "image/png" },
    body: { blob: RED_PIXEL }
  },
  "test://watched-resource": {
    definition: { name: "Watched", description: "A resource to subscribe to", mimeType: "text/plain" },
    body: { text: "Watched resource content" }
  }
}

export const resourceDefinitions: ReadonlyArray<Resource> = Object.entries(fixed).map(([uri, { definition }]) =>
  Object.assign({ uri }, definition)
)

export const templateDefinitions: ReadonlyArray<ResourceTemplate> = [
  {
    uriTemplate: "test://template/{id}/data",
    name: "Template",
    description: "Data by its id",
    mimeType: "application/json"
  }
]

const TEMPLATE = /^test:\/\/template\/([^/]+)\/data$/

/** `undefined` for a resource that is not there. */
export const readResource = (uri: string): ReadResourceResult["contents"] | undefined => {
  const found = Object.hasOwn(fixed, uri) ? fixed[uri] : undefined
  if (found !== undefined) {
    return [{ uri, mimeType: found.definition.mimeType, ...found.body }] as ReadResourceResult["contents"]
  }
  const id = TEMPLATE.exec(uri)?.[1]
  if (id === undefined) return undefined
  const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })
  return [{ uri, mimeType: "application/json", text }]
}
