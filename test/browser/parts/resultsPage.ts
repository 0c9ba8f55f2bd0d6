import type { PartsPage } from "./partsPage.ts"

export const texts = (...blocks: ReadonlyArray<string>): Record<string, unknown> => ({
  content: blocks.map((text) => ({ type: "text", text }))
})

export const structured = (structuredContent: unknown, ...blocks: ReadonlyArray<string>): Record<string, unknown> => ({
  ...texts(...blocks),
  structuredContent
})

export const view = (result: unknown, options: Record<string, unknown> = {}): string =>
  `resultView(${JSON.stringify(result)}, ${JSON.stringify(options)})`

/** Everything that can be read in the view: also what stands in tabs and folds that were not opened yet. */
export const everything = (page: PartsPage): Promise<string> =>
  page.run(`(() => {
    for (let round = 0; round < 8; round++) {
      for (const tab of document.querySelectorAll("[role=tab]")) tab.click()
      for (const fold of document.querySelectorAll("details:not([open])")) { fold.open = true; fold.dispatchEvent(new Event("toggle")) }
    }
    return document.body.textContent
  })()`)

/** A session whose downloads, copies, choices and calls land in `globalThis.asked`. */
export const withSession = (page: PartsPage, members = ""): Promise<void> =>
  page.page.evaluate(`{
    const asked = globalThis.asked = { downloads: [], copies: [], selections: [], calls: [], reads: [] }
    const kept = new Map()
    openSession({
      refusal: () => undefined,
      tool: { name: "list_orders", inputSchema: { properties: { cursor: {}, offset: {}, page: {} } } },
      context: undefined,
      maxOutputDisplayBytes: 102400,
      memory: { get: (key) => kept.get(key), set: (key, value) => kept.set(key, value) },
      download: async (file) => void asked.downloads.push(file),
      copy: async (text) => void asked.copies.push(text),
      select: (selection) => asked.selections.push(selection),
      withoutSecrets: (args) => args,
      call: async (args) => void asked.calls.push(args),
      app: {
        getHostCapabilities: () => ({ serverResources: {} }),
        readServerResource: async (params) => { asked.reads.push(params); return { contents: [{ uri: params.uri, mimeType: "text/csv", text: "a,b\\n1,2\\n3,4" }] } }
      },
      ${members}
    })
  }`)
