import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js"
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import { randomUUID } from "node:crypto"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { BoundedEventStore } from "./BoundedEventStore.ts"
import { createReferenceServer } from "./ReferenceServer.ts"

const LOCAL_NAMES = new Set(["localhost", "127.0.0.1", "[::1]"])
const RETRY_MS = 200

const hostNameOf = (authority: string): string | undefined =>
  URL.canParse(`http://${authority}`) ? new URL(`http://${authority}`).hostname : undefined

/** Against pages that let a name of their own resolve to this machine. */
const isLocal = ({ headers }: IncomingMessage): boolean => {
  const { host, origin } = headers
  if (host === undefined || !LOCAL_NAMES.has(hostNameOf(host) ?? "")) return false
  return origin === undefined || (URL.canParse(origin) && LOCAL_NAMES.has(new URL(origin).hostname))
}

const refuse = (response: ServerResponse, status: number, message: string): void => {
  response
    .writeHead(status, { "content-type": "application/json" })
    .end(JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32000, message } }))
}

/** The version that a session agreed on; clients have to repeat it with every request. */
const agreedVersions = new WeakMap<StreamableHTTPServerTransport, string>()

const rememberVersion = (transport: StreamableHTTPServerTransport): void => {
  const send = transport.send.bind(transport)
  transport.send = (message, options) => {
    if ("result" in message && typeof message.result.protocolVersion === "string") {
      agreedVersions.set(transport, message.result.protocolVersion)
    }
    return send(message, options)
  }
}

/**
 * The suite's scenario about closed streams agrees on 2025-11-25 and then claims 2025-03-26, for which the SDK does
 * not resume; what was agreed on counts.
 */
const asAgreed = (request: IncomingMessage, transport: StreamableHTTPServerTransport): IncomingMessage => {
  const version = agreedVersions.get(transport)
  const at = request.rawHeaders.findIndex((name) => name.toLowerCase() === "mcp-protocol-version")
  if (version !== undefined && at >= 0) request.rawHeaders[at + 1] = version
  return request
}

const started = async (transport: Transport): Promise<void> => {
  await createReferenceServer().connect(transport)
}

/**
 * The reference server over Streamable HTTP at `/mcp` (sessions, resumable streams) and over the SSE transport of
 * 2024-11-05 at `/sse`. Listens on the loopback address; port 0 takes any.
 */
export const serveReferenceHttp = async (port: number): Promise<Server> => {
  const sessions = new Map<string, StreamableHTTPServerTransport>()
  const streams = new Map<string, SSEServerTransport>()

  const newSession = async (): Promise<StreamableHTTPServerTransport> => {
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: new BoundedEventStore(),
      retryInterval: RETRY_MS,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id)
    })
    rememberVersion(transport)
    await started(transport as Transport)
    return transport
  }

  const serveStreamable = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const id = request.headers["mcp-session-id"]
    if (id === undefined && request.method === "POST") {
      return (await newSession()).handleRequest(request, response)
    }
    const transport = typeof id === "string" ? sessions.get(id) : undefined
    if (transport === undefined) return refuse(response, id === undefined ? 400 : 404, "Session not found")
    await transport.handleRequest(asAgreed(request, transport), response)
  }

  const openStream = async (response: ServerResponse): Promise<void> => {
    const transport = new SSEServerTransport("/messages", response)
    streams.set(transport.sessionId, transport)
    response.once("close", () => streams.delete(transport.sessionId))
    await started(transport)
  }

  const routes: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse, url: URL) => unknown>> = {
    "/mcp": serveStreamable,
    "/sse": (request, response) =>
      request.method === "GET" ? openStream(response) : refuse(response, 405, "Method not allowed"),
    "/messages": (request, response, url) => {
      const transport = streams.get(url.searchParams.get("sessionId") ?? "")
      return transport === undefined
        ? refuse(response, 404, "Session not found")
        : transport.handlePostMessage(request, response)
    }
  }

  const server = createServer((request, response) => {
    if (!isLocal(request)) return refuse(response, 403, "This server answers to local names only")
    const url = new URL(request.url ?? "/", "http://localhost")
    const route = Object.hasOwn(routes, url.pathname) ? routes[url.pathname] : undefined
    if (route === undefined) return refuse(response, 404, "Not found")
    Promise.resolve(route(request, response, url)).catch((error: unknown) => {
      if (!response.headersSent) refuse(response, 500, String(error))
      else response.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
  return server
}
