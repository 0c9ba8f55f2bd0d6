import type { PageData } from "../runtime/types.ts"

/** Why a linked document is a fallback, if it is one. It is no fault to have no model. */
export const fallbackIn = (html: string): string | undefined => {
  // Do not parse the document: its styles would break the policy of this page.
  const data = /<script type="application\/json" id="mcp-gen-ui-data">([^<]*)/.exec(html)?.[1]
  try {
    const { fallback }: Pick<PageData, "fallback"> = JSON.parse(data ?? "")
    return fallback?.code === "NO_MODEL" ? undefined : fallback?.message
  } catch {
    return undefined
  }
}
