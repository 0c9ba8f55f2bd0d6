import { Context } from "effect"
import type { HostListens } from "../../domain/wire/HostListens.ts"
import type { HostProfile } from "../../domain/session/HostProfile.ts"
import type { ServerProfile } from "../../domain/session/ServerProfile.ts"

/**
 * The two ends of a session, as far as their messages have shown them. The router keeps it up; whoever answers a host or
 * tells it something reads it.
 */
export class Peers extends Context.Service<
  Peers,
  {
    readonly host: HostProfile
    readonly server: ServerProfile
    /** What the host listens to, in the modern era. */
    readonly listens: HostListens
  }
>()("mcp-gen-ui/services/Peers") {}
