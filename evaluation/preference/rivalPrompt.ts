import type { ChosenTool } from "./chosenTools.ts"

const MOST_SHOWN = 9000

/** Pictures and other long texts without a blank are named by their length, and the middle of what is still too long is left out. */
const shortened = (result: unknown): string => {
  const isData = (value: string): boolean => value.length > 6000 && !/[\s{]/.test(value.slice(0, 200))
  const text = JSON.stringify(
    result,
    (_, value: unknown) =>
      typeof value === "string" && isData(value) ? `${value.slice(0, 200)}… (${value.length} characters)` : value,
    1
  )
  const left = text.length - 8500
  return text.length <= MOST_SHOWN
    ? text
    : `${text.slice(0, 7000)}\n… (${left} characters left out here; the page gets all of it) …\n${text.slice(-1500)}`
}

/** Asks for the best page that a model can make of the same answer, without our parts and without a limit. */
export const rivalPrompt = (
  chosen: ChosenTool
): string => `Write the user interface for the answers of one MCP tool: a complete HTML page, the best you can make. It is shown inside a chat or an editor,
in a sandboxed frame between 300 and 900 pixels wide, light or dark (prefers-color-scheme), as high as its content. There is no limit of length.
It must work for any answer of this tool, not only for the one shown here, and show its content correctly and completely.

Answer with one HTML file from <!doctype html> to </html>, everything in it (CSS, JavaScript, SVG inline; no network, no libraries, no external fonts).
When the scripts of the page run, these are there:
- window.toolInput: the arguments of the call
- window.toolResult: the result ({content: [...], structuredContent?, isError?})
- window.callTool(name, arguments): a promise of another result of the same server
- window.openLink(url), window.sendMessage(text)

Server: ${chosen.server}
Tool:
${JSON.stringify(chosen.tool.definition, null, 1)}

A call that was made:
arguments: ${JSON.stringify(chosen.arguments)}
result:
${shortened(chosen.result)}
`
