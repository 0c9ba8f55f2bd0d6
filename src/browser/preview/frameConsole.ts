/** One line that a view's frame has to say to a person. */
export interface FrameLine {
  readonly level: "log" | "info" | "warn" | "error" | "debug" | "policy"
  readonly text: string
}

const mark = "mcp-gen-ui-console"
const longest = 4_000

/** Runs in the frame before anything else there. It only tells: what a view writes to its console is written there, too. */
const told = `(() => {
  const tell = (level, parts) => {
    const text = parts.map((part) => {
      if (typeof part === "string") return part
      if (part instanceof Error) return part.stack || String(part)
      try { return JSON.stringify(part) ?? String(part) } catch { return String(part) }
    }).join(" ").slice(0, ${longest})
    parent.postMessage({ "${mark}": level, text }, "*")
  }
  for (const level of ["log", "info", "warn", "error", "debug"]) {
    const own = console[level].bind(console)
    console[level] = (...parts) => { tell(level, parts); own(...parts) }
  }
  addEventListener("error", (event) => tell("error", [event.error ?? event.message]))
  addEventListener("unhandledrejection", (event) => tell("error", ["Unhandled rejection:", event.reason]))
  document.addEventListener("securitypolicyviolation", (event) => tell("policy", [
    event.effectiveDirective + " refuses " + (event.blockedURI || "inline") + (event.lineNumber ? ", line " + event.lineNumber : "")
  ]))
})()`

/** A document that tells its host what is said on its console, which errors nobody caught, and what its policy refused. */
export const withConsole = (html: string): string => {
  const head = html.search(/<head[\s>]/i)
  const at = head === -1 ? html.indexOf(">", html.search(/<!doctype/i)) : html.indexOf(">", head)
  return `${html.slice(0, at + 1)}<script>${told}</script>${html.slice(at + 1)}`
}

/** What a message of a frame says, if it is such a line. */
export const frameLine = (data: unknown): FrameLine | undefined => {
  const level: unknown = Reflect.get(Object(data), mark)
  const text: unknown = Reflect.get(Object(data), "text")
  if (typeof level !== "string" || typeof text !== "string") return undefined
  const known = (["log", "info", "warn", "error", "debug", "policy"] as const).find((one) => one === level)
  return known && { level: known, text: text.slice(0, longest) }
}
