import type { McpUiDisplayMode } from "@modelcontextprotocol/ext-apps/app-bridge"

/**
 * How a host shows views, near enough to see what a view makes of it: how wide its column is, whether it sends its look, what
 * it lets a view ask for. Sizes are estimates: hosts change them, and people drag them.
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
  /** What a view may ask it for. */
  readonly offers: ReadonlyArray<"openLinks" | "downloadFile" | "message" | "updateModelContext">
  /** What is different there, in a sentence. */
  readonly about: string
}

const all = ["openLinks", "downloadFile", "message", "updateModelContext"] as const

export const hostProfiles: readonly [HostProfile, ...ReadonlyArray<HostProfile>] = [
  {
    id: "studio",
    name: "Studio",
    width: "full",
    modes: ["inline", "fullscreen"],
    sendsStyles: true,
    offers: all,
    about: "Everything that MCP Apps allow."
  },
  {
    id: "claude",
    name: "Claude",
    width: "720",
    modes: ["inline", "fullscreen"],
    sendsStyles: true,
    offers: ["openLinks", "message", "updateModelContext"],
    about: "A new frame for every call. A view that is higher than the page scrolls with it."
  },
  {
    id: "chatgpt",
    name: "ChatGPT",
    width: "640",
    modes: ["inline", "fullscreen"],
    sendsStyles: false,
    offers: ["openLinks", "message"],
    about: "It keeps tools and pages as they were when it connected."
  },
  {
    id: "vscode",
    name: "VS Code",
    width: "480",
    modes: ["inline"],
    sendsStyles: true,
    offers: ["openLinks", "message", "updateModelContext"],
    about: "Inline only, in a side bar; it reads the view each time it shows it."
  },
  {
    id: "goose",
    name: "Goose",
    width: "640",
    maxHeight: 600,
    modes: ["inline"],
    sendsStyles: false,
    offers: ["openLinks", "message"],
    about: "Inline only, with the policy of the specification."
  },
  {
    id: "inspector",
    name: "Inspector",
    width: "768",
    maxHeight: 640,
    modes: ["inline"],
    sendsStyles: false,
    offers: ["openLinks"],
    about: "The strictest: pictures only as inline SVG, and hardly anything that a view can ask for."
  }
]
