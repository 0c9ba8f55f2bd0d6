import { assert, describe, it } from "@effect/vitest"
import { launcherOf, wrappingOf } from "../../../src/domain/wrapping/WrapperWords.ts"

describe("wrappingOf", () => {
  it.each([
    ["npx -y mcp-gen-ui -- npx -y files /some/folder", "npx -y files /some/folder"],
    ["npx -y mcp-gen-ui@0.1.0 --llm none -- files -- x", "files -- x"],
    ["npx -- mcp-gen-ui -- files", "files"],
    ["mcp-gen-ui -- files", "files"],
    ["C:\\node\\mcp-gen-ui.cmd -- files", "files"],
    ["cmd /c npx -y mcp-gen-ui -- cmd /c npx files", "cmd /c npx files"],
    ["/usr/bin/node /clone/bin/mcp-gen-ui.mjs -- node server.js", "node server.js"],
    ["pnpm dlx mcp-gen-ui -- files", "files"],
    ["docker run -i --rm ghcr.io/us/mcp-gen-ui:0.1.0 -- files", "files"]
  ])("knows %s", (line, words) => {
    const wrapping = wrappingOf(line.split(" "))
    assert.deepStrictEqual(typeof wrapping === "object" ? wrapping.words.join(" ") : wrapping, words)
  })

  it.each(["npx -y mcp-gen-ui --config x.json", "mcp-gen-ui --upstream files", "mcp-gen-ui --"])(
    "leaves what was done by hand: %s",
    (line) => assert.strictEqual(wrappingOf(line.split(" ")), "byHand")
  )

  it.each([
    "npx -y files /work/mcp-gen-ui",
    "node /work/mcp-gen-ui/examples/weather-server.mjs",
    "docker run -v /work/mcp-gen-ui files",
    "npx mcp-gen-ui-server -- x",
    ""
  ])("does not take a server for us: %s", (line) => assert.isUndefined(wrappingOf(line.split(" "))))
})

describe("launcherOf", () => {
  it.each([
    ["/home/me/.npm/_npx/ab12/node_modules/mcp-gen-ui/bin/mcp-gen-ui.mjs", "npx -y mcp-gen-ui"],
    ["C:\\npm\\node_modules\\mcp-gen-ui\\bin\\mcp-gen-ui.mjs", "npx -y mcp-gen-ui"],
    ["/home/me/mcp-gen-ui/bin/mcp-gen-ui.mjs", "/node /home/me/mcp-gen-ui/bin/mcp-gen-ui.mjs"]
  ])("of %s", (binPath, words) => assert.strictEqual(launcherOf({ execPath: "/node", binPath }).join(" "), words))
})
