import type { ChosenTool } from "./chosenTools.ts"

const MOST_SHOWN = 9000

const shortened = (result: unknown): string => {
  const text = JSON.stringify(
    result,
    (_, value: unknown) =>
      typeof value === "string" && value.length > 6000 && !/[\s{]/.test(value.slice(0, 200))
        ? `${value.slice(0, 200)}… (${value.length} characters)`
        : value,
    1
  )
  const left = text.length - 8500
  return text.length <= MOST_SHOWN
    ? text
    : `${text.slice(0, 7000)}\n… (${left} characters left out here; the page gets all of it) …\n${text.slice(-1500)}`
}

/** Asks for the best page that a model can make of the same answer, without our parts and without a limit. */
export const rivalPrompt = ({
  call,
  server,
  tool
}: ChosenTool): string => `Write the user interface for the answers of one MCP tool: a complete HTML page, the best you can make. It is shown inside a chat or an editor,
in a sandboxed frame between 300 and 900 pixels wide, light or dark (prefers-color-scheme), as high as its content. There is no limit of length.
It must work for any answer of this tool, not only for the one shown here, and show its content correctly and completely.

Answer with one HTML file from <!doctype html> to </html>, everything in it (CSS, JavaScript, SVG inline; no network, no libraries, no external fonts).
When the scripts of the page run, these are there:
- window.toolInput: the arguments of the call
- window.toolResult: the result ({content: [...], structuredContent?, isError?})
- window.callTool(name, arguments): a promise of another result of the same server
- window.openLink(url), window.sendMessage(text)

Server: ${server}
Tool:
${JSON.stringify(tool.definition, null, 1)}

A call that was made:
arguments: ${JSON.stringify(call.arguments)}
result:
${shortened("result" in call.answer ? call.answer.result : {})}
`

const embedded = (value: unknown): string => JSON.stringify(value).replaceAll("<", "\\u003c")

/** The rival's page with what it was promised. */
export const rivalDocument = (page: string, { call }: ChosenTool): string => {
  const given = `<script>window.toolInput=${embedded(call.arguments)};window.toolResult=${embedded("result" in call.answer ? call.answer.result : {})};window.callTool=()=>new Promise(()=>{});window.openLink=window.sendMessage=()=>{}</script>`
  return page.includes("<head") ? page.replace(/<head[^>]*>/i, (head) => head + given) : given + page
}
