import { assert, describe, it } from "@effect/vitest"
import { HOST_IDS, hostPlaces } from "../../../src/domain/wrapping/HostPlaces.ts"
import { replaceHostVariables } from "../../../src/domain/wrapping/hostVariables.ts"
import { HOST_FILES } from "../../fixtures/hostFiles.ts"

const on = (platform: NodeJS.Platform, home: string, environment: Readonly<Record<string, string>> = {}) =>
  hostPlaces({ platform, home, folder: platform === "win32" ? "C:\\work" : "/work", environment })
const paths = (...given: Parameters<typeof on>) => on(...given).map(({ path }) => path)

describe("hostPlaces", () => {
  it("has a file of every host on every system, and the one of each fixture", () => {
    for (const platform of ["darwin", "win32", "linux"] as const) {
      assert.deepStrictEqual([...new Set(on(platform, "/home/me").map(({ host }) => host))], [...HOST_IDS])
    }
    for (const { path } of Object.values(HOST_FILES)) assert.include(paths("linux", "/home/me"), `/home/me/${path}`)
  })

  it.each([
    ["darwin", "/Users/me/Library/Application Support/Claude/claude_desktop_config.json"],
    ["darwin", "/Users/me/Library/Application Support/Code/User/mcp.json"],
    ["darwin", "/Users/me/.config/goose/config.yaml"],
    ["darwin", "/work/.vscode/mcp.json"],
    ["linux", "/Users/me/.config/zed/settings.json"],
    ["linux", "/work/.mcp.json"]
  ] as const)("on %s there is %s", (platform, path) => assert.include(paths(platform, "/Users/me"), path))

  it.each([
    "C:\\Users\\me\\AppData\\Roaming\\Claude\\claude_desktop_config.json",
    "C:\\Users\\me\\AppData\\Roaming\\Block\\goose\\config\\config.yaml",
    "C:\\Users\\me\\.codeium\\windsurf\\mcp_config.json",
    "C:\\work\\.cursor\\mcp.json"
  ])("on Windows there is %s", (path) => assert.include(paths("win32", "C:\\Users\\me"), path))

  it("follows the variables that move folders", () => {
    assert.include(paths("linux", "/me", { XDG_CONFIG_HOME: "/c" }), "/c/Claude/claude_desktop_config.json")
    assert.include(paths("linux", "/me", { CODEX_HOME: "/x" }), "/x/config.toml")
    assert.include(paths("win32", "C:\\me", { APPDATA: "D:\\a" }), "D:\\a\\Code\\User\\mcp.json")
  })
})

describe("replaceHostVariables", () => {
  const known = { environment: { A: "1" }, folder: "/work", home: "/me", hasBareNames: false }

  it.each([
    ["${env:A}-${env:B}", "1-", []],
    ["${A} ${B} ${B:-two}", "1 ${B} two", []],
    ["${userHome}/${workspaceFolder}", "/me//work", []],
    ["$A", "$A", []],
    ["x ${input:key}", "x ${input:key}", ["${input:key}"]]
  ])("%s", (written, text, needs) => assert.deepStrictEqual(replaceHostVariables(written, known), { text, needs }))

  it("reads bare names where the host does", () =>
    assert.strictEqual(replaceHostVariables("$A/$B", { ...known, hasBareNames: true }).text, "1/$B"))
})
