import { assert, describe, it } from "@effect/vitest"
import { serverName } from "../../../src/domain/wire/serverName.ts"

describe("serverName", () => {
  for (const [words, name] of [
    [["node", "/srv/weather/server.mjs", "--api-key", "s3cret"], "node server.mjs"],
    [["/usr/bin/python3", "-u", "server.py"], "python3 server.py"],
    [["npx", "-y", "@scope/server@1.2.3", "/some/folder"], "npx @scope/server@1.2.3"],
    [["uvx", "mcp-server-git", "--token=x"], "uvx mcp-server-git"],
    [["C:\\tools\\server.exe", "s3cret"], "server.exe"],
    [["my-server", "postgres://bob:pass@db/prod"], "my-server"],
    [["npx", "https://bob:pass@example.com/x.tgz"], "npx"],
    [["my-server"], "my-server"]
  ] as const) {
    it(words.join(" "), () => assert.strictEqual(serverName(words[0], words.slice(1)), name))
  }
})
