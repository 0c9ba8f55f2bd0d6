import { Effect, Option } from "effect"
import { randomBytes, timingSafeEqual } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { readBody, type RequestHandler, respondText } from "./httpServer.ts"
import { type ServerProcess, startServerProcess } from "./ServerProcess.ts"
import type { WatchedFolder } from "./watchFolder.ts"

/** The files of the pages, by their path below the token; the preview itself has the empty path. */
export const previewFiles = {
  "": { path: "dist/preview/host.html", type: "text/html" },
  "host.js": { path: "dist/preview/host.js", type: "text/javascript" },
  "host.css": { path: "dist/preview/host.css", type: "text/css" },
  gallery: { path: "dist/preview/gallery.html", type: "text/html" },
  "gallery.js": { path: "dist/preview/gallery.js", type: "text/javascript" },
  "gallery.css": { path: "dist/preview/gallery.css", type: "text/css" },
  "gallery.frame.js": { path: "dist/preview/gallery.frame.js", type: "text/javascript" },
  "page-runtime.js": { path: "dist/runtime.packed.js", type: "text/javascript" }
} as const

export type PreviewFile = keyof typeof previewFiles

const isPreviewFile = (path: string): path is PreviewFile => Object.hasOwn(previewFiles, path)

/** Who writes views, and how many milliseconds a reader waits for one at most; shown on the page. */
export interface ViewWriter {
  readonly provider: string
  readonly model: string
  readonly patienceMs: number
}

export interface HostOriginOptions {
  /** The secret first segment of every path: without it nothing is answered. */
  readonly token: string
  readonly files: Readonly<Record<PreviewFile, string>>
  readonly sandboxOrigin: string
  readonly command: string
  readonly args: ReadonlyArray<string>
  /** The upstream as a person reads it, shown on the page. */
  readonly title: string
  readonly writer: ViewWriter | undefined
  /** What a host's configuration file says to serve the same. */
  readonly hostConfig: string
  /** Where UIs made by hand are. */
  readonly uiFolder: WatchedFolder
  /** The folders of the files that the server's command line names. */
  readonly serverFolders: ReadonlyArray<WatchedFolder>
  /** The document of a version of a UI; `none` if the text does not say one. */
  readonly versionDocument: (body: string) => Effect.Effect<Option.Option<string>>
}

/** Not data, which a server may write beside its code. */
const CODE = /\.(?:[cm]?[jt]sx?|py|rb|php|go|rs|jar|dll|exe|wasm)$/i

const longestFrame = 64 * 1024 * 1024
const mostSessions = 8

const matches = (given: string, expected: string): boolean => {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)]
  return left.length === right.length && timingSafeEqual(left, right)
}

const pagePolicy = (sandboxOrigin: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    `frame-src ${sandboxOrigin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; ")

const respondFile = (
  response: ServerResponse,
  type: string,
  text: string,
  headers: Record<string, string> = {}
): void => {
  response.writeHead(200, { "content-type": `${type}; charset=utf-8`, "cache-control": "no-store", ...headers })
  response.end(text)
}

const gone = (response: ServerResponse): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    response.once("close", () => resume(Effect.void))
  })

/**
 * The origin of the host page: the page itself, and the two ends of its link to the MCP server.
 *
 * `GET events` starts one server process and streams what it says (events `link`, `frame`, `log`, `exit`), and the names
 * of changed files: UIs made by hand (`ui-file`), the server's own code (`server-file`), for as long as the page listens;
 * the process ends with the stream.
 * `POST rpc?session=…` writes one JSON-RPC message to it. `POST document` links a version of a UI.
 */
export const hostOrigin = (options: HostOriginOptions): RequestHandler => {
  const sessions = new Map<string, ServerProcess>()

  const openSession = Effect.fn("preview.openSession")(function* (response: ServerResponse) {
    const id = randomBytes(16).toString("base64url")
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" })
    // JSON may hold a bare carriage return between two tokens; it would end the line of the event.
    const write = (event: string, data: string) =>
      response.write(`event: ${event}\ndata: ${data.replaceAll("\r", " ")}\n\n`)

    const server = yield* startServerProcess({
      command: options.command,
      args: options.args,
      onFrame: (line, resume) => {
        if (line.trim() === "" || write("frame", line)) return true
        response.once("drain", resume)
        return false
      },
      onLog: (line) => void write("log", JSON.stringify(line))
    })
    sessions.set(id, server)
    yield* Effect.addFinalizer(() => Effect.sync(() => sessions.delete(id)))
    const ignore = options.uiFolder.onChange((file) => void write("ui-file", JSON.stringify(file)))
    yield* Effect.addFinalizer(() => Effect.sync(ignore))
    for (const folder of options.serverFolders) {
      const ignoreCode = folder.onChange((file) => {
        if (CODE.test(file)) write("server-file", JSON.stringify(file))
      })
      yield* Effect.addFinalizer(() => Effect.sync(ignoreCode))
    }
    const { hostConfig, sandboxOrigin, title, writer } = options
    write("link", JSON.stringify({ session: id, sandboxOrigin, title, writer, hostConfig }))
    if (options.uiFolder.problem !== null) write("log", JSON.stringify(options.uiFolder.problem))
    write("exit", JSON.stringify(yield* server.exit))
    response.end()
  }, Effect.scoped)

  const takeFrame = Effect.fn("preview.takeFrame")(function* (
    request: IncomingMessage,
    response: ServerResponse,
    id: string
  ) {
    const server = sessions.get(id)
    if (server === undefined) return respondText(response, 404, "There is no such session; reload the page.")
    const frame = yield* readBody(request, longestFrame)
    yield* server.send(frame.replaceAll(/[\r\n]/g, " "))
    response.writeHead(204).end()
  })

  const linkDocument = Effect.fn("preview.linkDocument")(function* (
    request: IncomingMessage,
    response: ServerResponse
  ) {
    const html = yield* options.versionDocument(yield* readBody(request, longestFrame))
    if (Option.isNone(html)) return respondText(response, 400, "The body must be JSON with tool, source and uiType.")
    respondFile(response, "application/json", JSON.stringify({ html: html.value }))
  })

  return (request, response, origin) => {
    const url = new URL(request.url ?? "/", origin)
    const [, token = "", ...rest] = url.pathname.split("/")
    const refuse = (status: number, text: string) => Effect.sync(() => respondText(response, status, text))

    if (!matches(token, options.token)) {
      return refuse(404, "Open the whole address that the preview printed: it carries a token.")
    }
    const from = request.headers.origin
    const isPost = request.method === "POST"
    if (isPost ? from !== origin : from !== undefined && from !== origin) {
      return refuse(403, "This request comes from another origin.")
    }
    const path = rest.join("/")
    if (request.method === "GET" && isPreviewFile(path)) {
      const { type } = previewFiles[path]
      const policy = type === "text/html" ? { "content-security-policy": pagePolicy(options.sandboxOrigin) } : {}
      return Effect.sync(() => respondFile(response, type, options.files[path], policy))
    }
    switch (`${request.method ?? ""} ${path}`) {
      case "GET gallery.json":
        return Effect.sync(() =>
          respondFile(response, "application/json", JSON.stringify({ sandboxOrigin: options.sandboxOrigin }))
        )
      case "GET events":
        return sessions.size < mostSessions
          ? Effect.raceFirst(openSession(response), gone(response))
          : refuse(503, `The preview is open in ${mostSessions} pages; close one of them.`)
      case "POST rpc":
        return takeFrame(request, response, url.searchParams.get("session") ?? "")
      case "POST document":
        return linkDocument(request, response)
      default:
        return refuse(404, "There is nothing here.")
    }
  }
}
