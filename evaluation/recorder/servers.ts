import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { oddJsonServer, packageFile, referenceServer, weatherServer } from "../support/paths.ts"

/** A request of the script, or a call that is cancelled at its first sign of progress. */
export interface Step {
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
  readonly withProgress?: boolean
  readonly cancel?: boolean
}

/** A line that is sent as it stands; whatever comes in answer is recorded. */
export interface RawStep {
  readonly line: string
}

/** A server to record. Nothing in its script needs a network or a key, or leaves its folder. */
export interface RecordedServer {
  readonly name: string
  /** `folder` is empty and its own. */
  readonly command: (folder: string) => ReadonlyArray<string>
  readonly env?: (folder: string) => Readonly<Record<string, string>>
  readonly prepare?: (folder: string) => void
  readonly steps?: (folder: string) => ReadonlyArray<Step>
  /** Speaks 2026-07-28 too. */
  readonly isModern?: boolean
  /** What it sends by itself after the last request comes at most this long after the frame before, in ms. */
  readonly lastFramesMs?: number
}

const call = (name: string, args: Readonly<Record<string, unknown>> = {}): Step => ({
  method: "tools/call",
  params: { name, arguments: args }
})

const npm = (file: string, ...args: ReadonlyArray<string>): ReadonlyArray<string> => [
  process.execPath,
  packageFile(file),
  ...args
]

/** Empties a server's folder and puts into it what the server expects to find. */
export const prepareFolder = (server: RecordedServer, folder: string): void => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  server.prepare?.(folder)
}

const ONE_PAGE_PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]>>endobj
trailer<</Root 1 0 R>>
`

const entity = { name: "wrapper", entityType: "program", observations: ["forwards bytes", "1e400 stays 1e400"] }

export const recordedServers: ReadonlyArray<RecordedServer> = [
  {
    name: "everything",
    command: () => npm("@modelcontextprotocol/server-everything/dist/index.js"),
    // It goes on with what was cancelled, and with its task.
    lastFramesMs: 1500,
    steps: () => [
      call("echo", { message: "héllo \u{1F327} \u2028" }),
      call("get-annotated-message", { messageType: "error", includeImage: true }),
      call("get-resource-links", { count: 3 }),
      call("get-resource-reference", { resourceType: "Text", resourceId: 1 }),
      call("get-structured-content", { location: "Chicago" }),
      call("get-sum", { a: 1, b: "two" }),
      call("get-tiny-image"),
      call("get-roots-list"),
      call("trigger-elicitation-request"),
      call("trigger-sampling-request", { prompt: "Hello", maxTokens: 10 }),
      { ...call("trigger-long-running-operation", { duration: 1, steps: 4 }), withProgress: true },
      { ...call("trigger-long-running-operation", { duration: 1, steps: 4 }), withProgress: true, cancel: true },
      {
        method: "tools/call",
        params: { name: "simulate-research-query", arguments: { topic: "proxies" }, task: { ttl: 60_000 } }
      }
    ]
  },
  {
    name: "filesystem",
    command: (folder) => npm("@modelcontextprotocol/server-filesystem/dist/index.js", folder),
    prepare: (folder) => {
      mkdirSync(`${folder}/inner`)
      writeFileSync(`${folder}/a.txt`, "first line\nsecond line\n")
      writeFileSync(`${folder}/inner/b.json`, '{"n":12345678901234567890,"z":-0}')
    },
    steps: (folder) => [
      call("list_allowed_directories"),
      call("list_directory", { path: folder }),
      call("directory_tree", { path: folder }),
      call("read_text_file", { path: `${folder}/a.txt`, head: 1 }),
      call("read_multiple_files", { paths: [`${folder}/a.txt`, `${folder}/inner/b.json`] }),
      call("search_files", { path: folder, pattern: "**/*.json" }),
      call("read_text_file", { path: "/etc/hostname" }),
      call("write_file", { path: `${folder}/new.txt`, content: "x".repeat(200_000) }),
      call("read_text_file", { path: `${folder}/new.txt` })
    ]
  },
  {
    name: "memory",
    command: () => npm("@modelcontextprotocol/server-memory/dist/index.js"),
    env: (folder) => ({ MEMORY_FILE_PATH: `${folder}/memory.jsonl` }),
    steps: () => [
      call("create_entities", { entities: [entity] }),
      call("search_nodes", { query: "wrapper" }),
      call("open_nodes", { names: ["nobody"] }),
      call("read_graph")
    ]
  },
  {
    name: "sequential-thinking",
    command: () => npm("@modelcontextprotocol/server-sequential-thinking/dist/index.js"),
    steps: () => [
      call("sequentialthinking", { thought: "one", nextThoughtNeeded: true, thoughtNumber: 1, totalThoughts: 2 }),
      call("sequentialthinking", { thought: 2 })
    ]
  },
  {
    name: "budget-allocator",
    command: () => npm("@modelcontextprotocol/server-budget-allocator/dist/index.js", "--stdio"),
    steps: () => [call("get-budget-data")]
  },
  {
    name: "map",
    command: () => npm("@modelcontextprotocol/server-map/dist/index.js", "--stdio"),
    steps: () => [call("show-map", { west: 13, south: 52, east: 14, north: 53, label: "Berlin" })]
  },
  {
    name: "pdf",
    command: (folder) => npm("@modelcontextprotocol/server-pdf/dist/index.js", "--stdio", `${folder}/page.pdf`),
    prepare: (folder) => writeFileSync(`${folder}/page.pdf`, ONE_PAGE_PDF),
    steps: (folder) => [
      call("list_pdfs"),
      call("read_pdf_bytes", { url: `${folder}/page.pdf`, offset: 0, byteCount: 100 })
    ]
  },
  { name: "playwright", command: () => npm("@playwright/mcp/cli.js") },
  {
    name: "antv-chart",
    command: () => npm("@antv/mcp-server-chart/build/index.js"),
    steps: () => [call("generate_pie_chart", { data: "none" })]
  },
  {
    name: "drawio",
    command: () => npm("@drawio/mcp/src/index.js"),
    steps: () => [
      call("search_shapes", { query: "database", limit: 3 }),
      call("list_pages", { path: "missing.drawio" })
    ]
  },
  { name: "notion", command: () => npm("@notionhq/notion-mcp-server/bin/cli.mjs") },
  {
    name: "hello-world",
    command: () => npm("mcp-hello-world/build/stdio.js"),
    steps: () => [call("echo", { message: "hello" }), call("add", { a: 1, b: 2 }), call("debug")]
  },
  {
    name: "reference",
    command: () => [process.execPath, referenceServer, "--stdio"],
    steps: () => [
      call("test_multiple_content_types"),
      call("test_audio_content"),
      call("test_tool_with_logging"),
      call("test_error_handling"),
      call("test_sampling", { prompt: "Hello" }),
      call("test_elicitation", { message: "Who are you?" }),
      { ...call("test_tool_with_progress"), withProgress: true },
      { ...call("test_echo", { nonce: "late", delayMs: 60_000 }), cancel: true },
      { method: "resources/subscribe", params: { uri: "test://watched-resource" } },
      call("test_touch_resource", { uri: "test://watched-resource" }),
      { method: "resources/unsubscribe", params: { uri: "test://watched-resource" } }
    ]
  },
  {
    name: "odd-json",
    command: () => [process.execPath, oddJsonServer],
    steps: () => [call("plain", { a: 1 })]
  },
  {
    name: "weather",
    command: () => [process.execPath, weatherServer],
    isModern: true,
    steps: () => [call("get_forecast", { city: "Berlin", days: 3 }), call("get_forecast", { city: "Nowhere" })]
  }
]
