/**
 * Writes the UI of one tool to standard output, refined once, by promises: `node examples/promises/main.mjs`. Use it where you
 * show tools yourself: a host, a test, a page of documentation.
 */
import { createUiLibrary } from "mcp-gen-ui"

/** Stands for whatever you call. */
const model = async ({ prompt }) => `<!-- rich -->
<script type="module">
import { show, header, table } from "mcp-gen-ui/parts"
show((data) => [header("${prompt.includes("Call it Inventory") ? "Inventory" : "Stock"}"), table(data.items)])
</script>
`

const tool = {
  name: "list_stock",
  description: "Items in stock",
  inputSchema: { type: "object", properties: { warehouse: { type: "string" } } }
}

const uis = createUiLibrary({ model, theme: "dark" })
const first = await uis.read(tool)
await uis.refine(tool, "Call it Inventory")
const { entry, html } = await uis.read(tool)
console.error(`${first.html.length} characters, then level ${entry.level}, ${entry.uiType}`)
console.log(html)
await uis.close()
