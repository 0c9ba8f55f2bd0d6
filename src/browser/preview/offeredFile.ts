import type { EmbeddedResource, ResourceLink } from "@modelcontextprotocol/client"

/** A file that a view offers to a person. */
export interface OfferedFile {
  readonly name: string
  /** What it is and how much, in words. */
  readonly about: string
  readonly href: string
  /** Frees the bytes. */
  readonly release: () => void
}

const nameOf = (uri: string): string => {
  const last = uri.split(/[/\\]/).at(-1) ?? ""
  try {
    return decodeURIComponent(last) || "file"
  } catch {
    return last
  }
}

const bytesOf = (blob: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(blob), (character) => character.codePointAt(0) ?? 0)

const sizeOf = (bytes: number): string =>
  bytes < 1000 ? `${bytes} bytes` : `${(bytes / 1000).toLocaleString("en", { maximumFractionDigits: 1 })} kB`

/** `undefined` for a link that nobody should follow. Throws on bad base64. */
export const offeredFile = (content: EmbeddedResource | ResourceLink): OfferedFile | undefined => {
  if (content.type === "resource_link") {
    const url = URL.canParse(content.uri) ? new URL(content.uri) : undefined
    if (url === undefined || !["http:", "https:"].includes(url.protocol)) return undefined
    return { name: content.name, about: url.href, href: url.href, release: () => undefined }
  }
  const { resource } = content
  // Plain, whatever type the view names: opened in a tab, the file must not run as a page of this origin.
  const type = "application/octet-stream"
  const file = new Blob(["text" in resource ? resource.text : bytesOf(resource.blob)], { type })
  const href = URL.createObjectURL(file)
  const about = [resource.mimeType, sizeOf(file.size)].filter(Boolean).join(", ")
  return { name: nameOf(resource.uri), about, href, release: () => URL.revokeObjectURL(href) }
}
