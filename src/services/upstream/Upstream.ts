import { Context, Schema } from "effect"
import type { Effect } from "effect"
import type { FrameLink } from "../host/FrameLink.ts"

/**
 * The server could not be started.
 *
 * @example
 * import { Console, Effect, Layer } from "effect"
 * import { layerUpstreamStdio, type StdioUpstream } from "mcp-gen-ui"
 *
 * const start = (server: StdioUpstream) =>
 *   Layer.build(layerUpstreamStdio(server, { maxMessageBytes: 50_000_000 })).pipe(
 *     Effect.catchTag("UpstreamUnavailable", ({ detail }) => Console.error(detail))
 *   )
 */
export class UpstreamUnavailable extends Schema.TaggedError<UpstreamUnavailable>()("UpstreamUnavailable", {
  command: Schema.String,
  reason: Schema.Literals(["NotFound", "NotExecutable", "DirectoryMissing", "Failed"]),
  detail: Schema.String
}) {
  override get message(): string {
    return this.detail
  }
}

/**
 * The server ended, or closed its input or output (no exit code and no signal), while the host was still connected.
 *
 * @example
 * import { Console, Effect } from "effect"
 * import { Session } from "mcp-gen-ui"
 *
 * const run = Effect.flatMap(Session, (session) => session.run).pipe(
 *   Effect.catchTag("UpstreamExited", ({ message }) => Console.error(message))
 * )
 */
export class UpstreamExited extends Schema.TaggedError<UpstreamExited>()("UpstreamExited", {
  command: Schema.String,
  exitCode: Schema.NullOr(Schema.Finite),
  signal: Schema.NullOr(Schema.String),
  /** It never sent a message. */
  silent: Schema.Boolean,
  /** The last lines that it wrote on standard error, without secrets; empty if there are none. */
  said: Schema.String
}) {
  override get message(): string {
    const ended = this.signal === null ? `ended with exit code ${this.exitCode}` : `was ended by ${this.signal}`
    const how = this.exitCode === null && this.signal === null ? "closed its standard input or output" : ended
    const name = `the MCP server "${this.command}" ${how}`
    if (this.said !== "") {
      const lines = this.said.replaceAll(/^/gm, "  ")
      return `${name}${this.silent ? " and never answered" : ""}. The last that it wrote on standard error:\n${lines}`
    }
    return this.silent
      ? `${name}. It never answered: run the command by itself in a terminal to see why, and check that it speaks MCP over stdio.`
      : `${name}.`
  }
}

/**
 * The session with a server over HTTP is over: the server ended it, forgot it, or cannot be reached any more.
 *
 * @example
 * import { Console, Effect } from "effect"
 * import { Session } from "mcp-gen-ui"
 *
 * const run = Effect.flatMap(Session, (session) => session.run).pipe(
 *   Effect.catchTag("UpstreamLost", ({ message }) => Console.error(message))
 * )
 */
export class UpstreamLost extends Schema.TaggedError<UpstreamLost>()("UpstreamLost", {
  url: Schema.String,
  reason: Schema.Literals(["SessionExpired", "Unreachable", "Unauthorized"]),
  detail: Schema.String
}) {
  override get message(): string {
    return this.detail
  }
}

/**
 * What happens to a server while the host stays.
 *
 * @example
 * import type { UpstreamListener } from "mcp-gen-ui"
 *
 * const listener: UpstreamListener = {
 *   lost: (error, retryInMs) => console.error(`${error.message} Again in ${retryInMs} ms.`),
 *   restored: () => console.error("back")
 * }
 */
export interface UpstreamListener {
  /**
   * The server is gone, with its session: requests under way will not be answered. It is tried again in `retryInMs`.
   * `unsent` are frames that it certainly has not acted on; they are to be sent again.
   */
  readonly lost: (error: UpstreamExited | UpstreamLost, retryInMs: number, unsent: ReadonlyArray<Uint8Array>) => void
  /** A server takes frames again. It knows nothing yet: in the legacy era it has to be initialized anew. */
  readonly restored: () => void
}

/**
 * The MCP server that is wrapped. It is started, or connected to, with the layer's scope and ended with it. It reads no
 * more of a frame than its transport needs.
 *
 * @example
 * import { Effect } from "effect"
 * import { type FrameListener, Upstream } from "mcp-gen-ui"
 *
 * const listen = (listener: FrameListener) => Effect.map(Upstream, ({ link }) => link.listen(listener))
 */
export class Upstream extends Context.Service<
  Upstream,
  {
    /** The same link for the whole life of the layer, across restarts. Frames sent while it is lost are dropped. */
    readonly link: FrameLink
    /** How people know it: the command as it was given, or the URL. */
    readonly name: string
    /** Called once, before `link.listen`. */
    readonly watch: (listener: UpstreamListener) => void
    /** The restored server is of no use: lets it go and tries again, after a longer delay each time. */
    readonly reject: () => void
    /** Fails when the server is gone and will not come back; never succeeds. */
    readonly exited: Effect.Effect<never, UpstreamExited | UpstreamLost>
  }
>()("mcp-gen-ui/services/Upstream") {}
