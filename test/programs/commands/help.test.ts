import { assert, describe, it } from "@effect/vitest"
import { runHere } from "../../fixtures/commandLine.ts"

describe("--help", () => {
  it.each([
    "MCP_GEN_UI_API_KEY",
    "ANTHROPIC_API_KEY",
    "OPENAI_API_KEY",
    "OLLAMA_API_KEY",
    "ANTHROPIC_BASE_URL",
    "OPENAI_BASE_URL",
    "OLLAMA_HOST",
    "MCP_GEN_UI_UPSTREAM_TOKEN",
    "MCP_GEN_UI_OAUTH_CLIENT_SECRET",
    "MCP_GEN_UI_TOKEN",
    "docs/configuration.md",
    "docs/troubleshooting.md"
  ])("names %s", async (name) => {
    const { stdout } = await runHere(["--help"])
    assert.include(stdout.slice(stdout.indexOf("\nVARIABLES\n")), name)
  })

  it("says how a variable repeats a flag, and stays short below a command", async () => {
    assert.match((await runHere(["--help"])).stdout, /--cache-dir is MCP_GEN_UI_CACHE_DIR/)
    assert.notInclude((await runHere(["cache", "ls", "--help"])).stdout, "VARIABLES")
  })
})
