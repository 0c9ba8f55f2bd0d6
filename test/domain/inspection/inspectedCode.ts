import { inspectAnswer } from "../../../src/domain/inspection/AnswerInspection.ts"
import { loadSourceParsers } from "../../../src/domain/inspection/SourceParsers.ts"

export const parsers = await loadSourceParsers()

export const PARTS = new Set(["show", "table", "text", "code", "header", "section", "chart", "button", "h"])

/** The rules of a page whose script has this code before its view: those that refuse it, and those that warn. */
export const inspected = (code: string, type = "module") => {
  const main = `<script type="module">import { show, h, text, code, section } from "mcp-gen-ui/parts"\n`
  const page = type === "module" ? `${main}${code}` : `<script>${code}</script>${main}`
  const inspection = inspectAnswer(parsers, `<!-- rich -->\n${page}\nshow((data, ctx) => view(data, ctx))</script>`, {
    toolNames: [],
    inputNames: [],
    maxHtmlBytes: 400_000,
    inputRequired: false,
    partNames: PARTS,
    appNames: new Set(["App", "PostMessageTransport"])
  })
  return inspection._tag === "Rejected"
    ? { refused: [...new Set(inspection.problems.map(({ rule }) => rule))], warned: [] }
    : { refused: [], warned: inspection.warnings.map((warning) => warning.slice(0, warning.indexOf(":"))) }
}
