import { assert, describe, it } from "@effect/vitest"
import { type HostServer, serversOf } from "../../../src/domain/wrapping/HostServer.ts"
import type { HostTree } from "../../../src/domain/wrapping/HostTree.ts"
import { formatOf, readHostText } from "../../../src/domain/wrapping/readHostText.ts"
import { isPlain, isWrapped, leadFor, unwrapped, wrapped } from "../../../src/domain/wrapping/wrapText.ts"
import { HOST_FILES } from "../../fixtures/hostFiles.ts"

const treeOf = (text: string, path: string): HostTree => {
  const tree = readHostText(text.replace("\uFEFF", ""), formatOf(path))
  assert.notProperty(tree, "detail")
  return tree as HostTree
}
const candidates = (tree: HostTree) => serversOf(tree).filter((server) => isPlain(server) && !server.isDisabled)
const wrap = (tree: HostTree, path: string, flags: ReadonlyArray<string> = []): HostTree =>
  treeOf(
    wrapped(tree, candidates(tree), (server) => leadFor(server, ["npx", "-y", "mcp-gen-ui"], flags)),
    path
  )
const targets = (servers: ReadonlyArray<HostServer>) => servers.map(({ name, target }) => ({ name, target }))
const find = (tree: HostTree, name: string) => serversOf(tree).find((server) => server.name === name)

describe.each(Object.entries(HOST_FILES))("the file of %s", (_, { path, servers, text }) => {
  const tree = treeOf(text, path)
  const after = wrap(tree, path)

  it("names its servers, those that are turned off, and those that are none", () => {
    assert.deepStrictEqual(
      candidates(tree).map(({ name }) => name),
      servers
    )
  })

  it("runs each server behind us, with the same words, and nothing else changes", () => {
    for (const [index, server] of serversOf(after).entries()) {
      const was = serversOf(tree)[index]
      if (!servers.includes(server.name)) {
        assert.deepStrictEqual(targets([server]), targets(was === undefined ? [] : [was]))
        continue
      }
      assert.isDefined(was)
      assert.strictEqual(was.name, server.name)
      assert.isObject(server.wrapping)
      if (typeof server.wrapping !== "object") continue
      assert.deepStrictEqual(server.wrapping.lead.slice(0, 3), ["npx", "-y", "mcp-gen-ui"])
      assert.deepStrictEqual(server.wrapping.words, was.target?.kind === "url" ? [was.target.url] : was.target?.words)
    }
  })

  it("wraps nothing twice", () => assert.deepStrictEqual(candidates(after), []))

  it("comes back to the byte", () => {
    assert.strictEqual(unwrapped(after, serversOf(after).filter(isWrapped), tree), tree.text)
  })

  it("comes back server by server, and each wrapped again is the same", () => {
    let one = after
    for (const { name } of candidates(tree)) {
      const server = find(one, name)
      assert.isDefined(server)
      one = treeOf(unwrapped(one, [server as HostServer], tree), path)
    }
    assert.strictEqual(one.text, tree.text)
    assert.strictEqual(wrap(one, path).text, after.text)
  })

  it("comes back in the sense of it without the file of before", () => {
    const back = treeOf(unwrapped(after, serversOf(after).filter(isWrapped), undefined), path)
    assert.deepStrictEqual(targets(serversOf(back)), targets(serversOf(tree)))
  })

  it("keeps what somebody adds to a wrapped server, and gives the others back to the byte", () => {
    const name = servers.at(-1) ?? ""
    const flagged = wrap(tree, path, ["--force-ui"])
    const hand = treeOf(flagged.text.replaceAll("--force-ui", "--embed-ui"), path)
    const { wrapping } = find(hand, name) ?? {}
    assert.include(typeof wrapping === "object" ? wrapping.lead : [], "--embed-ui")
    assert.strictEqual(unwrapped(hand, serversOf(hand).filter(isWrapped), tree), tree.text)
  })
})

/** An entry of each kind, and what becomes of it. */
const CASES: ReadonlyArray<readonly [what: string, path: string, before: string, after: string]> = [
  [
    "headers of a URL become a variable, so that no other user reads them",
    "a.json",
    `{"mcpServers": {"a": {"type": "http", "url": "https://a.example/mcp", "headers": {"A": "1", "Accept": "x", "B": "2"}}}}`,
    `{"mcpServers": {"a": {"type": "stdio", "command": "npx", "args": ["-y", "mcp-gen-ui", "--", "https://a.example/mcp"], "env": { "MCP_GEN_UI_HEADERS": "A: 1\\nB: 2" }}}}`
  ],
  [
    "an old SSE server stays one",
    "a.json",
    `{"servers": {"a": {"type": "sse", "url": "https://a.example/sse"}}}`,
    `{"servers": {"a": {"type": "stdio", "command": "npx", "args": ["-y", "mcp-gen-ui", "--transport", "sse", "--", "https://a.example/sse"]}}}`
  ],
  [
    "mcp-remote keeps its login",
    "a.json",
    `{"mcpServers": {"a": {"command": "npx", "args": ["mcp-remote", "https://a.example/mcp"]}}}`,
    `{"mcpServers": {"a": {"command": "npx", "args": ["-y", "mcp-gen-ui", "--", "npx", "mcp-remote", "https://a.example/mcp"]}}}`
  ],
  [
    "where Windows needs a shell to find npx, so do we",
    "a.json",
    `{"mcpServers": {"a": {"command": "cmd", "args": ["/c", "npx", "a"]}}}`,
    `{"mcpServers": {"a": {"command": "cmd", "args": ["/c", "npx", "-y", "mcp-gen-ui", "--", "cmd", "/c", "npx", "a"]}}}`
  ],
  [
    "comments stand where they stood",
    "a.json",
    `{\r\n\t"servers": {\r\n\t\t"a": {\r\n\t\t\t"command": "a", // one\r\n\t\t\t/* two */ "args": [ // three\r\n\t\t\t\t"b", // four\r\n\t\t\t],\r\n\t\t},\r\n\t},\r\n}`,
    `{\r\n\t"servers": {\r\n\t\t"a": {\r\n\t\t\t"command": "npx", // one\r\n\t\t\t/* two */ "args": [ // three\r\n\t\t\t\t"-y",\r\n\t\t\t\t"mcp-gen-ui",\r\n\t\t\t\t"--",\r\n\t\t\t\t"a",\r\n\t\t\t\t"b", // four\r\n\t\t\t],\r\n\t\t},\r\n\t},\r\n}`
  ],
  [
    "YAML keeps its dashes",
    "a.yaml",
    `extensions:\n  a:\n    cmd: a # one\n    args:\n    - b\n    - c\n    type: stdio\n`,
    `extensions:\n  a:\n    cmd: npx # one\n    args:\n    - "-y"\n    - mcp-gen-ui\n    - "--"\n    - a\n    - b\n    - c\n    type: stdio\n`
  ],
  [
    "Codex passes variables on that it names",
    "a.toml",
    `[mcp_servers.a]\nurl = "https://a.example/mcp"\nbearer_token_env_var = "KEY"\n\n[mcp_servers.a.env_http_headers]\nX-A = "A_KEY"\n`,
    `[mcp_servers.a]\ncommand = "npx"\nargs = ["-y", "mcp-gen-ui", "--", "https://a.example/mcp"]\nenv_vars = ["KEY", "A_KEY"]\n\n[mcp_servers.a.env]\nMCP_GEN_UI_HEADERS = "Authorization: Bearer \${KEY}\\nX-A: \${A_KEY}"\n`
  ]
]

describe("wrapped", () => {
  it.each(CASES)("%s", (_, path, before, after) => {
    const tree = treeOf(before, path)
    const changed = wrap(tree, path)
    assert.strictEqual(changed.text, after)
    assert.strictEqual(unwrapped(changed, serversOf(changed), tree), before)
    const back = treeOf(unwrapped(changed, serversOf(changed), undefined), path)
    assert.deepStrictEqual(targets(serversOf(back)), targets(serversOf(tree)))
  })

  it.each([
    [
      "a list with other things",
      `{"mcpServers": {"a": {"command": "a", "args": [{}]}}}`,
      /args: found a list with other/
    ],
    [
      "a text for arguments",
      `{"mcpServers": {"a": {"command": "a", "args": "b"}}}`,
      /args: found a text; allowed: a list/
    ],
    ["a text for a server", `{"mcpServers": {"a": "b"}}`, /found a text; allowed: an object/],
    ["nothing to start", `{"mcpServers": {"a": {}}}`, /neither a command nor a URL/]
  ])("leaves %s alone, and says why", (_, text, reason) => {
    const [server] = serversOf(treeOf(text, "a.json"))
    assert.isFalse(server !== undefined && isPlain(server))
    assert.match(server?.refusal ?? "", reason)
  })

  it.each([
    ["a.json", `{\n  "mcpServers": {\n`, 3],
    ["a.json", `{ "mcpServers": { 'a': 1 } }`, 1],
    ["a.json", `[]`, 1],
    ["a.yaml", `extensions:\n  a: [\n`, 3],
    ["a.toml", `a = 1\nb = = 1\n`, 2]
  ])("says where a text of %s is broken", (path, text, line) => {
    const read = readHostText(text, formatOf(path))
    assert.strictEqual("detail" in read ? read.line : undefined, line)
  })

  it.each(["", "# nothing\n"])("finds no servers in an empty file", (text) => {
    assert.deepStrictEqual(serversOf(treeOf(text, "a.yaml")), [])
    assert.deepStrictEqual(serversOf(treeOf(text, "a.toml")), [])
    assert.deepStrictEqual(serversOf(treeOf(text.replace("#", "//"), "a.json")), [])
  })
})
