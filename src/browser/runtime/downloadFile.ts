import type { App } from "./App.ts"
import { METHOD_NOT_FOUND, RpcError } from "./Bridge.ts"
import type { DownloadFile } from "./session.ts"

const REFUSED = "This host does not let a view save files. Copy it instead."

const saveByLink = ({ name, mimeType, text, blob }: DownloadFile): void => {
  const part = blob === undefined ? (text ?? "") : Uint8Array.from(atob(blob), (char) => char.charCodeAt(0))
  const link = document.createElement("a")
  link.href = URL.createObjectURL(new Blob([part], { type: mimeType }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** Saves a file through the host (`ui/download-file`), else by a link. Rejects with a sentence for the person. */
export const downloadFile = async (app: App, file: DownloadFile): Promise<void> => {
  const { name, mimeType, text, blob } = file
  const resource = {
    uri: `file:///${encodeURIComponent(name)}`,
    mimeType,
    ...(blob === undefined ? { text: text ?? "" } : { blob })
  }
  try {
    const { isError } = await app.downloadFile({ contents: [{ type: "resource", resource }] })
    if (isError === true) throw new Error("The file was not saved.")
  } catch (error) {
    // Frames of hosts are sandboxed, mostly without downloads, and a link is refused silently.
    if (window.top === window) return saveByLink(file)
    throw error instanceof RpcError && error.code === METHOD_NOT_FOUND ? new Error(REFUSED) : error
  }
}
