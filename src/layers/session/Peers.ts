import type { HostProfile } from "../../domain/session/HostProfile.ts"
import type { ServerProfile } from "../../domain/session/ServerProfile.ts"
import type { HostListens } from "../../domain/wire/HostListens.ts"

/** The two ends of a session, as their messages have shown them. `hostFrames` and `serverFrames` keep it up. */
export interface Peers {
  readonly host: HostProfile
  readonly server: ServerProfile
  /** What the host listens to, in the modern era. */
  readonly listens: HostListens
}
