import type { SdkTransport } from "../../adapters/session/sdkTransport.ts"
import { isObject } from "../../domain/isObject.ts"
import type { SdkServer } from "../wrapSdkServer.ts"

type Json = Readonly<Record<string, unknown>>

/**
 * A host that shows MCP Apps, in the same process as the server.
 *
 * @example
 * import type { TestHost } from "mcp-gen-ui/testing"
 *
 * const documentOf = ({ request }: TestHost, tool: string) => request("resources/read", { uri: `ui://${tool}` })
 */
export interface TestHost {
  /** Answers with the result. Throws an `Error` with the message of the server if it refuses. */
  readonly request: (method: string, params?: Json) => Promise<Json>
  readonly close: () => Promise<void>
}

const GREETING = {
  protocolVersion: "2025-11-25",
  capabilities: { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } } },
  clientInfo: { name: "test-host", version: "1.0.0" }
}

/**
 * Connects a server of the MCP SDK to such a host.
 *
 * @example
 * import { type SdkServer, wrapServer } from "mcp-gen-ui"
 * import { connectHost } from "mcp-gen-ui/testing"
 *
 * const toolsOf = async (server: SdkServer) => {
 *   const host = await connectHost(wrapServer(server))
 *   return host.request("tools/list")
 * }
 */
export const connectHost = async (server: SdkServer): Promise<TestHost> => {
  const waiting = new Map<unknown, PromiseWithResolvers<Json>>()
  const transport: SdkTransport = {
    start: () => Promise.resolve(),
    close: () => {
      transport.onclose?.()
      return Promise.resolve()
    },
    send: (message) => {
      const { error, id, result } = { error: undefined, id: undefined, result: undefined, ...Object(message) }
      const { reject, resolve } = waiting.get(id) ?? {}
      if (isObject(error)) reject?.(new Error(String(error.message)))
      else if (isObject(result)) resolve?.(result)
      return Promise.resolve()
    }
  }
  const tell = (message: Json) => transport.onmessage?.({ jsonrpc: "2.0", ...message })
  const request: TestHost["request"] = (method, params = {}) => {
    const id = waiting.size + 1
    const answer = Promise.withResolvers<Json>()
    waiting.set(id, answer)
    tell({ id, method, params })
    return answer.promise
  }
  await server.connect(transport as never)
  await request("initialize", GREETING)
  tell({ method: "notifications/initialized" })
  return { request, close: transport.close }
}
