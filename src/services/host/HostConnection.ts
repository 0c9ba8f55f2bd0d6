import { Context } from "effect"
import type { FrameLink } from "./FrameLink.ts"

/** The conversation with the MCP host: over stdio, our standard input and output. */
export class HostConnection extends Context.Service<HostConnection, FrameLink>()(
  "mcp-gen-ui/services/HostConnection"
) {}
