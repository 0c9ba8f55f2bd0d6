import "../preview/zodWithoutEval.ts"
import "./gallery.css"
import { GalleryPage } from "./GalleryPage.ts"

const read = async (path: string): Promise<string> => {
  const response = await fetch(path)
  if (!response.ok) throw new Error(`The preview does not give ${path}: ${await response.text()}`)
  return response.text()
}

const start = async (): Promise<void> => {
  const [place = "", runtime = "", frameScript = ""] = await Promise.all(
    ["gallery.json", "page-runtime.js", "gallery.frame.js"].map(read)
  )
  const { sandboxOrigin }: { readonly sandboxOrigin: string } = JSON.parse(place)
  new GalleryPage({ sandboxOrigin, runtime, frameScript }).start()
}

void start()
