/**
 * Makes `mcp-gen-ui-VERSION.mcpb`, which Claude Desktop installs by a double click: `npm run mcpb`. It has the files that npm
 * would publish, and a manifest (https://github.com/modelcontextprotocol/mcpb).
 */
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { zip } from "./zip.ts"

const { description, engines, homepage, license, name, repository, version } = JSON.parse(
  readFileSync("package.json", "utf8")
)

const manifest = {
  manifest_version: "0.3",
  name,
  version,
  description,
  author: { name: "the mcp-gen-ui authors" },
  license,
  homepage,
  repository,
  server: {
    type: "node",
    entry_point: "bin/mcp-gen-ui.mjs",
    mcp_config: {
      command: "node",
      args: ["${__dirname}/bin/mcp-gen-ui.mjs"],
      env: {
        MCP_GEN_UI_UPSTREAM: "${user_config.server}",
        MCP_GEN_UI_LLM: "${user_config.provider}",
        MCP_GEN_UI_API_KEY: "${user_config.key}"
      }
    }
  },
  tools_generated: true,
  user_config: {
    server: {
      type: "string",
      title: "Server",
      description: "The MCP server that gets UIs: a command, or a URL",
      required: true
    },
    provider: {
      type: "string",
      title: "Who writes the UIs",
      description: "anthropic, openai, ollama, or none for the built-in UI",
      default: "none"
    },
    key: { type: "string", title: "API key", description: "The key of that provider", sensitive: true, default: "" }
  },
  compatibility: { runtimes: { node: engines.node } }
}

const [packed] = JSON.parse(
  execFileSync("npm", ["pack", "--json", "--dry-run", "--ignore-scripts"], { encoding: "utf8" })
)
const files = new Map([["manifest.json", Buffer.from(JSON.stringify(manifest, null, 2))]])
for (const { path } of packed.files) files.set(path, readFileSync(path))
writeFileSync(`${name}-${version}.mcpb`, zip(files))
