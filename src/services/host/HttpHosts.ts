import { Context, Runtime, Schema } from "effect"

/**
 * Another program listens where hosts were to be served; exit code 2.
 *
 * @example
 * import { Console, Effect, Layer } from "effect"
 * import { type HttpServing, layerHttpHosts, layerSessions } from "mcp-gen-ui"
 *
 * const serve = (serving: HttpServing) =>
 *   Layer.launch(Layer.provide(layerHttpHosts(serving), layerSessions)).pipe(
 *     Effect.catchTag("HttpPortInUse", ({ message }) => Console.error(message))
 *   )
 */
export class HttpPortInUse extends Schema.TaggedError<HttpPortInUse>()("HttpPortInUse", {
  host: Schema.String,
  port: Schema.Finite
}) {
  override readonly [Runtime.errorExitCode] = 2

  override get message(): string {
    return `port ${this.port} on ${this.host} is in use; choose another one with --http, where port 0 takes a free one`
  }
}

/**
 * Hosts cannot be served for another reason: no such address on this machine, no permission for the port; exit code 2.
 *
 * @example
 * import { Console, Effect, Layer } from "effect"
 * import { type HttpServing, layerHttpHosts, layerSessions } from "mcp-gen-ui"
 *
 * const serve = (serving: HttpServing) =>
 *   Layer.launch(Layer.provide(layerHttpHosts(serving), layerSessions)).pipe(
 *     Effect.catchTag("HttpListenFailed", ({ message }) => Console.error(message))
 *   )
 */
export class HttpListenFailed extends Schema.TaggedError<HttpListenFailed>()("HttpListenFailed", {
  host: Schema.String,
  port: Schema.Finite,
  detail: Schema.String
}) {
  override readonly [Runtime.errorExitCode] = 2

  override get message(): string {
    return `cannot serve hosts at ${this.host}, port ${this.port}: ${this.detail}`
  }
}

/**
 * The HTTP server that hosts connect to, for the life of the layer. It owns how sessions begin and end, and on which
 * response a message goes. It does not own what a session does with messages (`Sessions`).
 *
 * @example
 * import { Console, Effect } from "effect"
 * import { HttpHosts } from "mcp-gen-ui"
 *
 * const announced = Effect.flatMap(HttpHosts, ({ url }) => Console.error(`serving ${url}`))
 */
export class HttpHosts extends Context.Service<
  HttpHosts,
  {
    /** The MCP endpoint, with the port that was taken: `http://127.0.0.1:8080/mcp`. */
    readonly url: string
  }
>()("mcp-gen-ui/services/HttpHosts") {}
