import type { McpUiDisplayMode } from "@modelcontextprotocol/ext-apps/app-bridge"
import { KNOWN_HOSTS } from "../../domain/wire/KnownHosts.ts"
import type { ViewOffer } from "../../domain/wire/hosts/HostFacts.ts"

/**
 * How a host shows views, near enough to see what a view makes of it: how wide its column is, whether it sends its look, what
 * it lets a view ask for. Its facts stand in `domain/wire/hosts`, each with its source.
 */
export interface HostProfile {
  readonly id: string
  readonly name: string
  /** CSS pixels, or `full`. */
  readonly width: string
  /** The most that a view gets in its column; beyond that it scrolls. */
  readonly maxHeight?: number
  readonly modes: ReadonlyArray<McpUiDisplayMode>
  /** Whether it sends style variables; without them a view has its own look. */
  readonly sendsStyles: boolean
  /** What it says that a view may ask it for; `undefined`: everything. */
  readonly offers?: ReadonlyArray<ViewOffer>
  /** What is different there, in a sentence. */
  readonly about: string
}

const studio: HostProfile = {
  id: "studio",
  name: "Studio",
  width: "full",
  modes: ["inline", "fullscreen"],
  sendsStyles: true,
  about: "Everything that MCP Apps allow."
}

/** Hosts whose column we know well enough to show it. */
const known = KNOWN_HOSTS.flatMap(
  ({ about, column, id, modes, offers, sendsStyles, title }): ReadonlyArray<HostProfile> => {
    if (column === undefined) return []
    const { maxHeight, width } = column.is
    return [
      {
        id,
        name: title,
        width: String(width),
        ...(maxHeight === undefined ? {} : { maxHeight }),
        modes: modes?.is ?? ["inline"],
        sendsStyles: sendsStyles?.is ?? false,
        ...(offers === undefined ? {} : { offers: offers.is }),
        about
      }
    ]
  }
)

export const hostProfiles: readonly [HostProfile, ...ReadonlyArray<HostProfile>] = [studio, ...known]
