import { attempt } from "../parts/values.ts"
import { isObject } from "../../domain/isObject.ts"
import { getterOf, structuredClone } from "./platform.ts"

/** What a page may say to its host past the bridge: how large it is. */
const PASSES = "ui/notifications/size-changed"

/** Messages of mcp-ui that make its hosts act at once. */
const ACTIONS: ReadonlySet<unknown> = new Set(["tool", "prompt", "intent", "link", "notify"])

const acts = (message: unknown): boolean => {
  if (Array.isArray(message)) return message.some(acts)
  if (typeof message === "string")
    return message.includes("jsonrpc") || acts(attempt(() => JSON.parse(message) as unknown))
  if (!isObject(message)) return false
  return "jsonrpc" in message ? message.method !== PASSES : ACTIONS.has(message.type)
}

/**
 * Gives the code of a view another `parent` than the host's window. This one takes no messages of the protocol, which
 * would pass by the gate, and leads to no other window. Scripts that a host has put into the page still talk to it in
 * their own words. No page can take `top` away, and it leads to every window: there only the inspection of the code
 * helps, and no answer comes back (`Bridge`).
 */
export const guardParent = (): void => {
  const { parent } = window
  if (parent === window) return
  const postMessage = (message: unknown, to?: unknown): void => {
    // Copy it: the object may answer differently the second time.
    const copy = structuredClone(message)
    if (!acts(copy)) parent.postMessage(copy, typeof to === "string" ? to : "*")
  }
  const shown = Object.freeze({ postMessage })
  Object.defineProperty(window, "parent", { get: () => shown, configurable: false })
  const sourceOf = getterOf(MessageEvent.prototype, "source")
  Object.defineProperty(MessageEvent.prototype, "source", {
    get(this: unknown) {
      const source = sourceOf(this)
      return source === parent ? shown : source
    },
    configurable: false
  })
}
