/** The domains a UI resource declares in `_meta.ui.csp` (MCP Apps, 2026-01-26). */
export interface DeclaredDomains {
  readonly connectDomains?: ReadonlyArray<string>
  readonly resourceDomains?: ReadonlyArray<string>
  readonly frameDomains?: ReadonlyArray<string>
  readonly baseUriDomains?: ReadonlyArray<string>
}

const schemeSource = /^(?:https|wss|data|blob|mediastream):$/
const hostSource =
  /^(?:(?:https?|wss?):\/\/)?(?:\*\.)?[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*(?::(?:\d+|\*))?(?:\/[^\s;,'"]*)?$/

const isSource = (value: unknown): value is string =>
  typeof value === "string" && value.length <= 500 && (schemeSource.test(value) || hostSource.test(value))

/**
 * Reads a declaration that nobody has checked. What is not a plain scheme or host source (keywords such as
 * `'unsafe-eval'`, a lone `*`, anything that could start another directive) is left out.
 */
export const declaredDomains = (value: unknown): DeclaredDomains => {
  if (typeof value !== "object" || value === null) return {}
  const entries = Object.entries(value).flatMap(([name, domains]) =>
    Array.isArray(domains) ? [[name, domains.filter((domain) => isSource(domain))] as const] : []
  )
  return Object.fromEntries(entries)
}

/**
 * The value of the `Content-Security-Policy` header for a view: the default of MCP Apps, widened by exactly the
 * domains the resource declares.
 */
export const viewPolicy = (declared: DeclaredDomains = {}): string => {
  const { connectDomains = [], resourceDomains = [], frameDomains = [], baseUriDomains = [] } = declared
  const orNone = (domains: ReadonlyArray<string>) => (domains.length > 0 ? domains : ["'none'"])
  const directives: ReadonlyArray<ReadonlyArray<string>> = [
    ["default-src", "'none'"],
    ["script-src", "'self'", "'unsafe-inline'", ...resourceDomains],
    ["style-src", "'self'", "'unsafe-inline'", ...resourceDomains],
    ["img-src", "'self'", "data:", ...resourceDomains],
    ["media-src", "'self'", "data:", ...resourceDomains],
    ["connect-src", ...orNone(connectDomains)],
    ["frame-src", ...orNone(frameDomains)],
    ["object-src", "'none'"],
    ["base-uri", ...(baseUriDomains.length > 0 ? baseUriDomains : ["'self'"])],
    ...(resourceDomains.length > 0 ? [["font-src", "'self'", ...resourceDomains]] : [])
  ]
  return directives.map((directive) => directive.join(" ")).join("; ")
}
