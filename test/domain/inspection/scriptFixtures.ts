import { readdirSync, readFileSync } from "node:fs"
import { inspectAnswer } from "../../../src/domain/inspection/AnswerInspection.ts"
import type { Inspection } from "../../../src/domain/inspection/Inspection.ts"
import { parsers } from "./inspectedCode.ts"

const fixtures = new URL("../../fixtures/", import.meta.url)

/** Every part that the type declarations name. */
const PARTS = [
  ...readFileSync(new URL("../../../types/parts.d.ts", import.meta.url), "utf8").matchAll(
    /^export declare const (\w+)/gmu
  )
].map(([, name = ""]) => name)

const context = {
  toolNames: [],
  maxHtmlBytes: 100_000,
  partNames: new Set(PARTS),
  appNames: new Set(["App", "PostMessageTransport"])
}

export const inspect = (answer: string): Inspection => inspectAnswer(parsers, answer, context)

/** The pieces of a file, by their headings (`=== a heading`). */
export const pieces = (file: string): ReadonlyArray<readonly [heading: string, code: string]> =>
  readFileSync(new URL(`scripts/${file}`, fixtures), "utf8")
    .split(/^=== /mu)
    .slice(1)
    .map((piece) => [piece.slice(0, piece.indexOf("\n")), piece.slice(piece.indexOf("\n") + 1)])

/** Whole answers, by their file names. */
export const pages = readdirSync(new URL("pages/", fixtures)).map(
  (file) => [file, readFileSync(new URL(`pages/${file}`, fixtures), "utf8")] as const
)

/** A page of its own making, whose code draws what a tool answered with. */
export const inApp = (code: string): string => `<!-- rich -->
<main><h1>Page</h1></main>
<script type="module">
import { App } from "@modelcontextprotocol/ext-apps"
const app = new App({ name: "page", version: "1.0.0" })
app.ontoolresult = (result) => draw(result.structuredContent ?? {})
async function draw(data) {
${code}
}
await app.connect()
</script>`

/** A page of the parts; the code is that of its view. */
export const inShow = (code: string): string => `<!-- rich -->
<script type="module">
import { ${PARTS.join(", ")} } from "mcp-gen-ui/parts"
show((data, ctx) => {
${code}
})
</script>`

/** A page with a classic script. */
export const inClassic = (code: string): string =>
  `<!-- rich -->\n<script>\n${code}\n</script><script type="module">import { show } from "mcp-gen-ui/parts"; show((data) => data)</script>`
