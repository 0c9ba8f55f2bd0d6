import { documentHtml } from "../../domain/documents/DocumentTemplate.ts"
import type { GalleryCase, GalleryTool } from "./GalleryCase.ts"

const sampleTool: GalleryTool = {
  name: "sample_tool",
  title: "Sample tool",
  inputSchema: { type: "object", properties: { query: { type: "string", title: "Query" } } }
}

export const toolOf = ({ tool = sampleTool }: GalleryCase): GalleryTool => tool

/** Both scripts are trusted. Still, their text must not end the script element. */
const inScript = (code: string): string => code.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--")

/**
 * The document of a case, laid out by the template of the product. The code of all cases (`frameScript`) goes where
 * generated code goes, and runs the one that the root element names.
 */
export const caseDocument = (given: GalleryCase, runtime: string, frameScript: string): string => {
  const { name, title, description, inputSchema, outputSchema, annotations } = toolOf(given)
  const isBuiltin = given.draw === undefined
  return documentHtml(
    {
      tool: { name, title, description, inputSchema, outputSchema, annotations },
      view: isBuiltin ? "builtin" : "generated",
      uiType: isBuiltin ? "minimal" : "rich",
      fallback: given.fallback ?? null,
      level: isBuiltin ? 2 : 0,
      version: given.id,
      theme: "system",
      byHand: true,
      limits: { maxOutputDisplayBytes: 102_400 }
    },
    inScript(runtime),
    {
      htmlAttributes: ` lang="en" data-gallery-case="${given.id}"`,
      bodyAttributes: "",
      head: "",
      body: `<script type="module">${inScript(frameScript)}</script>`,
      hasTitle: false,
      scripts: []
    },
    { nonce: "", hashes: null }
  )
}
