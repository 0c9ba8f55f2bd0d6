import { Context } from "effect"
import type { FrameLink } from "./FrameLink.ts"

/**
 * The conversation with the MCP host: over stdio, our standard input and output.
 *
 * @example
 * import { Layer } from "effect"
 * import { type FrameLink, HostConnection } from "mcp-gen-ui"
 *
 * const layerOurHost = (link: FrameLink) => Layer.succeed(HostConnection, link)
 */
export class HostConnection extends Context.Service<HostConnection, FrameLink>()(
  "mcp-gen-ui/services/HostConnection"
) {}
