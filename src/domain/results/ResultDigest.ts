import { canonicalJson } from "../CanonicalJson.ts"
import { isObject } from "../isObject.ts"

/** By what a page says which result it got. Whether it may have another one is not decided by this. */
export interface ResultDigest {
  /** Of all that is drawn. */
  readonly whole: string
  /** Of texts and files, whatever shape their blocks have; empty without any. */
  readonly content: string
  /** Of the first characters of these, where there are more: a host may have cut the rest. */
  readonly start?: string
  /** Of the structured content. */
  readonly data?: string
}

const START = 200

/** FNV-1a, 32 bits, and the length. */
const hashOf = (text: string): string => {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return `${hash >>> 0}.${text.length}`
}

/** The text or base64 of a block, wherever a host has put it. */
const payloadOf = (block: unknown): string => {
  if (!isObject(block)) return ""
  const { blob, data, resource, source, text } = block
  const own = text ?? data ?? blob
  return typeof own === "string" ? own : payloadOf(resource ?? source)
}

export const resultDigest = (result: Readonly<Record<string, unknown>>): ResultDigest => {
  const { content, isError, structuredContent } = result
  const payload = Array.isArray(content) ? content.map(payloadOf).join("\n").trim() : ""
  return {
    whole: hashOf(canonicalJson([content, structuredContent, isError === true])),
    content: payload && hashOf(payload),
    ...(payload.length > START && { start: hashOf(payload.slice(0, START)) }),
    ...(structuredContent !== undefined && { data: hashOf(canonicalJson(structuredContent)) })
  }
}
