import { build } from "esbuild"
import { createServer, type Server } from "node:http"
import { evaluation } from "./paths.ts"

/** A script of `evaluation` for a page, with all that it imports. */
export const bundled = async (entry: string): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [`${evaluation}${entry}`],
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    platform: "browser",
    write: false
  })
  const [file] = outputFiles
  if (file === undefined) throw new Error(`nothing was built from ${entry}`)
  return file.text
}

/** Documents by their paths. */
export type Pages = Map<string, { readonly html: string; readonly headers: Record<string, string> }>

export const served = async (pages: Pages): Promise<{ readonly origin: string; readonly server: Server }> => {
  const server = createServer((request, response) => {
    const page = pages.get(request.url ?? "")
    response.writeHead(page === undefined ? 404 : 200, {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      ...page?.headers
    })
    response.end(page?.html ?? "")
  })
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve)
  })
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("the server has no port")
  return { origin: `http://127.0.0.1:${address.port}`, server }
}

export const hostHtml = (script: string, style: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Host</title><link rel="icon" href="data:,"><style>${style}</style></head><body><script>${script.replaceAll("</script", "<\\/script")}</script></body></html>`
