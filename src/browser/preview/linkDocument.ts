import type { Tool } from "@modelcontextprotocol/client"
import type { ViewDocument } from "./ViewFrame.ts"

/** The document of a source, linked by the preview as the wrapper would; of `null` that of the built-in UI. */
export const linkDocument = async (
  tool: Tool,
  source: string | null,
  uiType: "rich" | "minimal" = "minimal"
): Promise<ViewDocument> => {
  const response = await fetch("document", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ tool, source, uiType })
  })
  if (!response.ok) throw new Error(await response.text())
  const { html }: { html: string } = await response.json()
  return { html }
}
