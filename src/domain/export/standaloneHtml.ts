import { escapeJson } from "../documents/Escape.ts"
import { RECORDED_ELEMENT_ID, type RecordedPage } from "./RecordedPage.ts"

/**
 * What hosts allow a UI by default (MCP Apps 2026-01-26, "Content Security Policy"), for a file: scripts and styles
 * of its own, images inside of it, no network.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  "img-src data:",
  "media-src data:",
  "form-action 'none'",
  "base-uri 'none'"
].join("; ")

/** How the documents of the linker begin their head. */
const HEAD = '<meta charset="utf-8">'

/**
 * Makes a document that a host would show into a page that opens by itself: with the calls that it may show, and with a
 * stand-in for the host before its runtime. `host` is code that is safe inside a script.
 */
export const standaloneHtml = (html: string, recorded: RecordedPage, host: string): string => {
  const at = html.indexOf(HEAD)
  if (at === -1) return html
  const start = html.slice(0, at + HEAD.length)
  return (
    `${start}<meta name="generator" content="mcp-gen-ui"><meta name="color-scheme" content="light dark">` +
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">` +
    `<script type="application/json" id="${RECORDED_ELEMENT_ID}">${escapeJson(recorded)}</script>` +
    `<script>${host}</script>${html.slice(at + HEAD.length)}`
  )
}

/** Whether a text is such a page, or any document of the linker, and not the source of a UI. */
export const isLinkedDocument = (text: string): boolean =>
  /<script[^>]*\bid="mcp-gen-ui-(?:data|recorded)"/iu.test(text)
