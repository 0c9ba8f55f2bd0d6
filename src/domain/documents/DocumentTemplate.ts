import { escapeHtml, escapeJson } from "../Escape.ts"
import type { LinkedSource } from "../inspection/linking/LinkedPage.ts"
import type { PageTools } from "../tools/PageTools.ts"
import type { Tool } from "../tools/Tool.ts"
import type { UiDeclaration } from "../tools/UiDeclaration.ts"
import type { UiExtras } from "../tools/UiExtras.ts"
import type { FallbackReason, UiLevel, UiType } from "../tools/UiEntry.ts"

/** The element that holds {@link DocumentData}. */
const DATA_ELEMENT_ID = "mcp-gen-ui-data"

/** What the page runtime is told, as JSON in the document. */
export interface DocumentData {
  readonly tool: {
    readonly name: string
    readonly title?: string | undefined
    readonly description?: string | undefined
    readonly inputSchema?: unknown
    readonly outputSchema?: unknown
    readonly annotations?: unknown
    /** The same for all tools of a server. */
    readonly family?: string | undefined
  }
  readonly view: "builtin" | "generated"
  readonly uiType: UiType
  readonly fallback: FallbackReason | null
  readonly level: UiLevel
  /** Changes with the UI: a page that is open compares it. */
  readonly version: string
  readonly theme: "system" | "light" | "dark"
  readonly limits: { readonly maxOutputDisplayBytes: number }
  readonly byHand?: true
  /** Declared by the author of a UI made by hand. */
  readonly displayModes?: ReadonlyArray<string>
  /** Read-only tools that the source or the dashboard names. */
  readonly readOnlyTools?: ReadonlyArray<string>
  readonly wrapperTools?: PageTools
  /** A document that has any is linked with the wide runtime. */
  readonly extras?: UiExtras
}

/** Which scripts of a document run. */
export interface ScriptPolicy {
  /** Carried by the runtime; a view's own code never learns it. */
  readonly nonce: string
  /** Base64 SHA-256 of the source's own scripts; `null` if a person wrote the source: then all its scripts run. */
  readonly hashes: ReadonlyArray<string> | null
  /** Domains that the author of a UI made by hand declares. */
  readonly csp?: UiDeclaration["csp"]
}

/**
 * The policy of a document, whatever the host's: the default of MCP Apps (2026-01-26, "Content Security Policy"), and
 * only inspected scripts. Fonts and style sheets may come from anywhere; the host's own policy decides whether they
 * load.
 */
const policyOf = ({ csp = {}, hashes, nonce }: ScriptPolicy, extraFrames: ReadonlyArray<string> = []): string => {
  const { baseUriDomains = [], connectDomains = [], frameDomains = [], resourceDomains = [] } = csp
  const frames = [...extraFrames, ...frameDomains]
  const also = resourceDomains.map((domain) => ` ${domain}`).join("")
  return [
    "default-src 'none'",
    hashes === null
      ? `script-src 'unsafe-inline'${also}`
      : `script-src 'nonce-${nonce}'${hashes.map((hash) => ` 'sha256-${hash}'`).join("")}`,
    `style-src 'unsafe-inline' https:${also}`,
    `font-src data: https:${also}`,
    `img-src 'self' data: blob:${also}`,
    `media-src 'self' data: blob:${also}`,
    ...(connectDomains.length === 0 ? [] : [`connect-src ${connectDomains.join(" ")}`]),
    ...(frames.length === 0 ? [] : [`frame-src ${frames.join(" ")}`]),
    "form-action 'none'",
    `base-uri ${baseUriDomains.length === 0 ? "'none'" : baseUriDomains.join(" ")}`
  ].join(";")
}

/** A UI in the form that an open page takes over. */
export interface LinkedUi extends Pick<
  DocumentData,
  "view" | "uiType" | "level" | "fallback" | "version" | "byHand" | "readOnlyTools"
> {
  readonly htmlAttributes: string
  readonly bodyAttributes: string
  readonly head: string
  readonly body: string
}

/** The source of the built-in UI, which the runtime mounts by itself. */
export const BUILTIN: LinkedSource = {
  htmlAttributes: "",
  bodyAttributes: "",
  head: "",
  body: "",
  hasTitle: false,
  scripts: []
}

const hasAttribute = (attributes: string, name: string): boolean => attributes.toLowerCase().includes(` ${name}=`)

/** The look of the house in every document (configuration `theme`, `generation.baseTemplate`). */
export interface HouseLook {
  /** Style sheets, as safe inside `<style>`. */
  readonly css: string
  /** Markup around the view, as safe inside `<template>`, with a `<slot>` for the view; may be empty. */
  readonly frame: string
}

/**
 * The whole document of levels 0 to 2. `runtime` is code that is safe inside a script. `source` is `null` for the
 * built-in UI. The frame of the house is a shadow tree of the body: whatever a view does to the body, it stays.
 */
export const documentHtml = (
  data: DocumentData,
  runtime: string,
  source: LinkedSource | null,
  scripts: ScriptPolicy,
  house?: HouseLook
): string => {
  const { htmlAttributes, bodyAttributes, head, body, hasTitle } = source ?? BUILTIN
  const language = hasAttribute(htmlAttributes, "lang") ? "" : ' lang="en"'
  // Before the runtime, which keeps what it finds when views replace each other.
  const style = (house?.css ?? "") === "" ? "" : `<style data-mcp-gen-ui>${house?.css}</style>`
  const frame = (house?.frame ?? "") === "" ? "" : `<template shadowrootmode="open">${house?.frame}</template>`
  const title = hasTitle ? "" : `<title>${escapeHtml(data.tool.title ?? data.tool.name)}</title>`
  return (
    `<!doctype html><html${language}${htmlAttributes}><head><meta charset="utf-8">` +
    `<meta http-equiv="Content-Security-Policy" content="${policyOf(scripts, data.extras?.frames)}">` +
    `<meta http-equiv="x-dns-prefetch-control" content="off">` +
    `<meta name="viewport" content="width=device-width, initial-scale=1">${title}` +
    `<script type="application/json" id="${DATA_ELEMENT_ID}">${escapeJson(data)}</script>${style}` +
    `<script nonce="${scripts.nonce}">${runtime}</script>${head}</head><body${bodyAttributes}>${frame}${body}</body></html>`
  )
}

const plainJson = (value: unknown): string => {
  try {
    return JSON.stringify(value, null, 2) ?? "none"
  } catch {
    return "The schema cannot be shown."
  }
}

/** Level 3: a document without any script, for when linking failed. Holds only escaped text. Cannot throw. */
export const plainHtml = (tool: Tool, reason: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8">` +
  `<meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(tool.title ?? tool.name)}</title>` +
  `<style>body{margin:12px;font:14px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}h1{font-size:1.1em}` +
  `pre{white-space:pre-wrap;border:1px solid;padding:8px}</style></head><body><main>` +
  `<h1>${escapeHtml(tool.title ?? tool.name)}</h1>` +
  (tool.description === undefined ? "" : `<p>${escapeHtml(tool.description)}</p>`) +
  `<p role="alert">The interactive view cannot be shown: ${escapeHtml(reason)}</p>` +
  `<h2>Input schema</h2><pre>${escapeHtml(plainJson(tool.inputSchema))}</pre></main></body></html>`
