import { Context, Schema } from "effect"
import type { Effect } from "effect"
import type { FrameLink } from "./FrameLink.ts"

/** The server could not be started. */
export class UpstreamUnavailable extends Schema.TaggedError<UpstreamUnavailable>()("UpstreamUnavailable", {
  command: Schema.String,
  reason: Schema.Literals(["NotFound", "NotExecutable", "DirectoryMissing", "Failed"]),
  detail: Schema.String
}) {
  override get message(): string {
    return this.detail
  }
}

/** The server ended, or closed its input or output (no exit code and no signal), while the host was still connected. */
export class UpstreamExited extends Schema.TaggedError<UpstreamExited>()("UpstreamExited", {
  command: Schema.String,
  exitCode: Schema.NullOr(Schema.Finite),
  signal: Schema.NullOr(Schema.String),
  /** It never sent a message. */
  silent: Schema.Boolean
}) {
  override get message(): string {
    const ended = this.signal === null ? `ended with exit code ${this.exitCode}` : `was ended by ${this.signal}`
    const how = this.exitCode === null && this.signal === null ? "closed its standard input or output" : ended
    const hint = this.silent
      ? "It never answered: run the command by itself in a terminal to see why, and check that it speaks MCP over stdio"
      : "Its own messages are above"
    return `the MCP server "${this.command}" ${how}. ${hint}.`
  }
}

/**
 * The MCP server that is wrapped, started and ended with the layer's scope. It does not know what the frames say.
 */
export class Upstream extends Context.Service<
  Upstream,
  {
    readonly link: FrameLink
    /** How people know it: the command as it was given. */
    readonly name: string
    /** Fails when the server ends; never succeeds. */
    readonly exited: Effect.Effect<never, UpstreamExited>
  }
>()("mcp-gen-ui/services/Upstream") {}
