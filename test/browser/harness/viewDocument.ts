import { readFile } from "node:fs/promises"
import { inject } from "vitest"

const built = (name: string): Promise<string> => readFile(new URL(`../../../dist/${name}`, import.meta.url), "utf8")

let packed: Promise<string> | undefined

/** The page runtime as it ships: `npm run build` makes it. */
export const runtimeScript = (): Promise<string> => (packed ??= built("runtime.packed.js"))

/** The same runtime, unpacked. */
export const readableRuntimeScript = (): Promise<string> => built("runtime.js")

export interface ViewDocumentOptions {
  readonly tool?: Readonly<Record<string, unknown>>
  /** More members of the page's data. */
  readonly data?: Readonly<Record<string, unknown>>
  readonly style?: string
  readonly markup?: string
  /** Linked code of a generated page; with it the view is `generated`. */
  readonly module?: string
  /** Whether `globalThis.session` is the session of the page; then the runtime is built from the sources. */
  readonly hasSession?: boolean
}

const inScript = (text: string): string => text.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--")

/** A document laid out as the product's linker lays it out: data, runtime, style, markup, module. */
export const viewDocument = async (options: ViewDocumentOptions): Promise<string> => {
  const data = {
    tool: { name: "get_weather", inputSchema: { type: "object", properties: {} }, ...options.tool },
    view: options.module === undefined ? "builtin" : "generated",
    uiType: options.module === undefined ? "minimal" : "rich",
    fallback: null,
    level: options.module === undefined ? 2 : 0,
    version: "1",
    theme: "system",
    limits: { maxOutputDisplayBytes: 102_400 },
    ...options.data
  }
  const json = JSON.stringify(data).replaceAll("<", "\\u003c")
  const script = inScript(await (options.hasSession === true ? inject("scripts").session : runtimeScript()))
  const module = options.module === undefined ? "" : `<script type="module">${inScript(options.module)}</script>`
  const style = options.style === undefined ? "" : `<style>${options.style}</style>`
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">`,
    `<title>View</title><script type="application/json" id="mcp-gen-ui-data">${json}</script><script>${script}</script>${style}</head>`,
    `<body>${options.markup ?? ""}${module}</body></html>`
  ].join("\n")
}
