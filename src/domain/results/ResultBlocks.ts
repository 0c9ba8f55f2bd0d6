import { isObject } from "../isObject.ts"
import { isEmpty, type JsonRecord } from "./ResultColumn.ts"

export interface ResultMedia {
  readonly kind: "image" | "audio" | "text" | "blob"
  readonly mimeType: string
  /** Base64 for image, audio and blob; the text itself for text. */
  readonly data: string
  readonly uri?: string
  readonly name?: string
  /** The block that it was read from, if it is a resource. */
  readonly block?: JsonRecord
}

export interface ResultLink {
  readonly uri: string
  readonly name: string
  readonly description?: string
  readonly mimeType?: string
  readonly size?: number
}

/** A piece of a result to show; pieces keep the server's order. */
export type ResultPart =
  | { readonly kind: "prose"; readonly text: string }
  | { readonly kind: "data"; readonly value: unknown }
  /** What a server tells the model about the data: not for people. */
  | { readonly kind: "notes"; readonly text: string }
  | { readonly kind: "media"; readonly media: ResultMedia }
  | { readonly kind: "link"; readonly link: ResultLink }
  /** A content block of a type that this version does not know. */
  | { readonly kind: "other"; readonly block: unknown }

export const textOr = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined

const readLink = (block: JsonRecord, uri: string): ResultLink => {
  const description = textOr(block.description)
  const mimeType = textOr(block.mimeType)
  return {
    uri,
    name: textOr(block.title) ?? textOr(block.name) ?? uri,
    ...(description === undefined ? {} : { description }),
    ...(mimeType === undefined ? {} : { mimeType }),
    ...(typeof block.size === "number" ? { size: block.size } : {})
  }
}

const readMedia = (block: JsonRecord): ResultMedia | undefined => {
  const type = textOr(block.type)
  // Some hosts hand on blocks in the words of another API: `{source: {type: "base64", media_type, data}}`.
  const source = isObject(block.source) ? block.source : {}
  const data = block.data ?? source.data
  if ((type === "image" || type === "audio") && typeof data === "string") {
    return {
      kind: type,
      mimeType: textOr(block.mimeType ?? source.media_type) ?? (type === "image" ? "image/png" : "audio/wav"),
      data
    }
  }
  const resource = type === "resource" ? block.resource : undefined
  if (!isObject(resource)) return undefined
  const uri = textOr(resource.uri)
  const name = textOr(resource.title) ?? textOr(resource.name)
  const about = { block, ...(uri === undefined ? {} : { uri }), ...(name === undefined ? {} : { name }) }
  if (typeof resource.text === "string") {
    return { kind: "text", mimeType: textOr(resource.mimeType) ?? "text/plain", data: resource.text, ...about }
  }
  if (typeof resource.blob !== "string") return undefined
  const mimeType = textOr(resource.mimeType) ?? "application/octet-stream"
  const kind = mimeType.startsWith("image/") ? "image" : mimeType.startsWith("audio/") ? "audio" : "blob"
  return { kind, mimeType, data: resource.blob, ...about }
}

/** A content block (MCP specification, "Tools", "Tool Result"): a text, a piece of another kind, or nothing. */
export const readBlock = (block: unknown): string | ResultPart | undefined => {
  if (!isObject(block)) return isEmpty(block) ? undefined : { kind: "other", block }
  if (block.type === "text" && typeof block.text === "string") return block.text
  const uri = block.type === "resource_link" ? textOr(block.uri) : undefined
  if (uri !== undefined) return { kind: "link", link: readLink(block, uri) }
  const media = readMedia(block)
  if (media !== undefined) return { kind: "media", media }
  return isEmpty(block) ? undefined : { kind: "other", block }
}
