import { isObject } from "../isObject.ts"
import { ENVELOPE_VERSION } from "./AppsExtension.ts"
import { encodeHeaderValue, type ParamHeader, paramHeadersOf, paramHeaderValues } from "./ParamHeaders.ts"
import { decodedAt, stringAt } from "./Rewrites.ts"

/** The member of `params` that a request is about, by method. */
const NAMED_BY: ReadonlyMap<string, string> = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
  ["tasks/get", "taskId"],
  ["tasks/update", "taskId"],
  ["tasks/cancel", "taskId"]
])

/** The protocol version that a message of the modern era carries in its envelope; `undefined` in the legacy one. */
export const envelopeVersionOf = (frame: Uint8Array): string | undefined =>
  stringAt(frame, ["params", "_meta", ENVELOPE_VERSION])

/**
 * Repeats parts of a modern request (2026-07-28) in HTTP headers, so that proxies can route without reading bodies. It
 * learns which tools want more headers from the tool lists that pass.
 */
export class EnvelopeHeaders {
  readonly #byTool = new Map<string, ReadonlyArray<ParamHeader>>()

  onToolList(result: unknown): void {
    if (!isObject(result) || !Array.isArray(result.tools)) return
    for (const tool of result.tools) {
      if (!isObject(tool) || typeof tool.name !== "string") continue
      const headers = paramHeadersOf(tool.inputSchema)
      if (headers.length > 0) this.#byTool.set(tool.name, headers)
      else this.#byTool.delete(tool.name)
    }
  }

  of(frame: Uint8Array, method: string, version: string): Readonly<Record<string, string>> {
    const key = NAMED_BY.get(method)
    const name = key === undefined ? undefined : stringAt(frame, ["params", key])
    const params = method === "tools/call" && name !== undefined ? this.#byTool.get(name) : undefined
    return {
      "MCP-Protocol-Version": encodeHeaderValue(version),
      "Mcp-Method": encodeHeaderValue(method),
      ...(name === undefined ? {} : { "Mcp-Name": encodeHeaderValue(name) }),
      ...(params === undefined ? {} : paramHeaderValues(params, decodedAt(frame, ["params", "arguments"])))
    }
  }
}
