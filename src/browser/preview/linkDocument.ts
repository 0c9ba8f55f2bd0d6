import type { Tool } from "@modelcontextprotocol/client"
import type { ViewDocument } from "./ViewFrame.ts"

/** Has the preview link a source, as the wrapper would. `null` gives the document of the built-in UI. */
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
