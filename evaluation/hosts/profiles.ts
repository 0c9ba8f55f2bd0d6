import { DEFAULT_CSP } from "../../test/browser/harness/defaultCsp.ts"
import { isRecord, type JsonRecord } from "../eval/json.ts"

/** A host as it is emulated. What no row of the table names is as in the first row. */
export interface Profile {
  readonly name: string
  /** `clientInfo.name` of its client. */
  readonly client: string
  readonly announces: boolean
  readonly era: "legacy" | "modern"
  /** Reads all UIs right after it has connected, and never again. */
  readonly prefetches: boolean
  /** What the view is told that the host can do. */
  readonly capabilities: JsonRecord
  readonly displayModes: ReadonlyArray<string>
  readonly sandbox: string
  readonly policy: string
  /** The first part of the name of the machine that a frame is served from, by the number of the frame. */
  readonly originOf: (frame: number) => string
  readonly bringsInput: boolean
  /** What becomes of a result on its way into the view. Calls of the view itself are answered in full. */
  readonly bent: (result: JsonRecord) => JsonRecord
  /** The same for a view that is opened again, where that differs. */
  readonly bentAgain: ((result: JsonRecord) => JsonRecord) | undefined
  /** Milliseconds that every message takes. */
  readonly delayMs: number
  /** Listeners for messages are wrapped, and have to be functions. */
  readonly wrapsListeners: boolean
}

const blocksOf = (result: JsonRecord): ReadonlyArray<unknown> => (Array.isArray(result.content) ? result.content : [])

const eachBlock =
  (change: (block: JsonRecord) => JsonRecord) =>
  (result: JsonRecord): JsonRecord => ({
    ...result,
    content: blocksOf(result).map((block) => (isRecord(block) ? change(block) : block))
  })

const LONG_TEXT = 1000

/** An opaque origin: storage throws. */
const OPAQUE = "allow-scripts"

const ALL_CAPABILITIES = {
  serverTools: {},
  serverResources: {},
  openLinks: {},
  logging: {},
  downloadFile: {},
  message: { text: {} },
  updateModelContext: { text: {}, structuredContent: {} }
}

const { serverTools: _serverTools, ...NO_SERVER_TOOLS } = ALL_CAPABILITIES

const PLAIN: Profile = {
  name: "plain",
  client: "emulated-host",
  announces: true,
  era: "legacy",
  prefetches: false,
  capabilities: ALL_CAPABILITIES,
  displayModes: ["inline", "fullscreen"],
  sandbox: "allow-scripts allow-same-origin",
  policy: DEFAULT_CSP,
  originOf: () => "views",
  bringsInput: true,
  bent: (result) => result,
  bentAgain: undefined,
  delayMs: 0,
  wrapsListeners: false
}

const changes: Readonly<Record<string, Partial<Profile>>> = {
  plain: {},
  // ext-apps #696: Claude Desktop brings `content` and `isError` only; what a view calls itself comes whole.
  "strips structuredContent": { bent: ({ content, isError = false }) => ({ content, isError }) },
  // claude-code #78387.
  "reshapes images": {
    bent: eachBlock((block) =>
      block.type === "image"
        ? { type: "image", source: { type: "base64", media_type: block.mimeType, data: block.data } }
        : block
    )
  },
  "cuts long texts": {
    bent: eachBlock((block) =>
      typeof block.text === "string" && block.text.length > LONG_TEXT
        ? { ...block, text: `${block.text.slice(0, LONG_TEXT)}…` }
        : block
    )
  },
  // claude-ai-mcp #61, #153: no announcement, yet UIs are rendered.
  "announces nothing": { client: "claude-ai", announces: false },
  // openai-apps-sdk-examples #195, ext-apps #522.
  "empties results on reopen": { bentAgain: () => ({ content: [] }) },
  // ext-apps #62, #213, claude-ai-mcp #105.
  "new origin for every frame": { originOf: (frame) => `frame-${frame}` },
  // Goose 1.38.
  "no server tools": { capabilities: NO_SERVER_TOOLS },
  "shows and no more": { capabilities: {}, displayModes: ["inline"] },
  "no storage": { sandbox: OPAQUE },
  // MCP Inspector.
  "strictest policy": {
    sandbox: OPAQUE,
    policy: DEFAULT_CSP.replace("img-src 'self' data:", "img-src 'none'").replace(
      "media-src 'self' data:",
      "media-src 'none'"
    )
  },
  "prefetches all UIs": { prefetches: true },
  // VS Code.
  "wraps listeners": { client: "Visual Studio Code", wrapsListeners: true },
  slow: { delayMs: 300 },
  "modern era only": { era: "modern" },
  // The deep link of MCP Inspector.
  "no tool input": { bringsInput: false }
}

export const PROFILES: ReadonlyArray<Profile> = Object.entries(changes).map(([name, change]) =>
  Object.assign({}, PLAIN, { name }, change)
)
