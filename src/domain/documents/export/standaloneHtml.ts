import { escapeHtml, escapeJson } from "../../Escape.ts"
import { RECORDED_ELEMENT_ID, type RecordedPage } from "./RecordedPage.ts"

/**
 * What hosts allow a UI by default (MCP Apps 2026-01-26, "Content Security Policy"), for a file: its own scripts and
 * styles, images inside it, no network. The frame inherits it and has nowhere to navigate to.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  "img-src data: blob:",
  "media-src data: blob:",
  "form-action 'none'",
  "base-uri 'none'"
].join("; ")

const STYLE =
  "body{margin:0;background:light-dark(#fff,#1c1c1f);color:light-dark(#1c1c1f,#f1f1f3)}iframe{display:block;width:100%;max-width:960px;height:100vh;margin-inline:auto;border:0}" +
  "footer{box-sizing:border-box;max-width:960px;margin-inline:auto;padding:12px clamp(12px,3.8vw,16px);font:12px/1.4 system-ui,sans-serif;opacity:.75}"

/**
 * Makes a host's document into a page that opens by itself: a stand-in for the host, with the recorded calls, around a
 * frame with the document. The frame has the sandbox that a host would use. `host` is code that is safe inside a
 * script.
 */
export const standaloneHtml = (title: string, html: string, recorded: RecordedPage, host: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="generator" content="mcp-gen-ui">` +
  `<meta http-equiv="Content-Security-Policy" content="${POLICY}">` +
  `<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">` +
  `<title>${escapeHtml(title)}</title><style>${STYLE}</style>` +
  `<script type="application/json" id="${RECORDED_ELEMENT_ID}">${escapeJson(recorded)}</script>` +
  `<script>${host}</script></head><body><main><iframe title="${escapeHtml(title)}" sandbox="allow-scripts" allow="clipboard-write"` +
  ` srcdoc="${escapeHtml(html)}"></iframe></main></body></html>`

/** Whether a text is such a page or a linked document, and not the source of a UI. */
export const isLinkedDocument = (text: string): boolean =>
  /<script[^<>]*\bid="mcp-gen-ui-(?:data|recorded)"/iu.test(text)
