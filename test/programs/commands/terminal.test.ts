import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { onTestFinished } from "vitest"
import { bin, fixtureServer, noModel, root } from "../../fixtures/RawClient.ts"

const quoted = (words: ReadonlyArray<string>): string => words.map((word) => `'${word}'`).join(" ")

/** The bin as a person starts it: `script` gives it a terminal. Answers what stands there once `until` does. */
const onTerminal = async (words: ReadonlyArray<string>, until: RegExp): Promise<string> => {
  const line = [process.execPath, bin, ...words]
  const args = process.platform === "darwin" ? ["-q", "/dev/null", ...line] : ["-qec", quoted(line), "/dev/null"]
  const child = spawn("/usr/bin/script", args, {
    env: { ...process.env, ...noModel },
    stdio: ["pipe", "pipe", "inherit"],
    detached: true
  })
  onTestFinished(async () => {
    if (child.exitCode !== null || child.pid === undefined) return
    child.kill("SIGTERM")
    await once(child, "exit")
  })
  let shown = ""
  for await (const chunk of child.stdout.setEncoding("utf8")) {
    shown += String(chunk)
    if (until.test(shown)) break
  }
  return shown.replaceAll("\r\n", "\n")
}

describe("serving on a terminal", () => {
  const weather = join(root, "examples/weather-server.mjs")

  it("says that it waits for a host, and what to run to look", async () => {
    const shown = await onTerminal(
      ["--force-ui", "--", process.execPath, weather, "--api-key", "s3cret of 12345"],
      /Ctrl-C/
    )
    assert.match(
      shown,
      /mcp-gen-ui: "node weather-server.mjs" runs and waits for a host, which starts this line by itself/
    )
    assert.match(shown, /Look at its UIs +mcp-gen-ui preview --force-ui -- \S*node \S*weather-server\.mjs --api-key/)
    assert.match(shown, /See what is wrong +mcp-gen-ui doctor --force-ui -- /)
    assert.notInclude(shown, "s3cret of 12345")
  })

  it("says at once what the server said before it ended", async () => {
    const shown = await onTerminal(
      ["--", process.execPath, "-e", "throw new Error('no database')"],
      /standard error:\n/
    )
    assert.match(shown + "", /ended with exit code 1 and never answered\. The last that it wrote on standard error/)
  })

  it("says nothing of the sort to a host", async () => {
    const child = spawn(process.execPath, [bin, "--", process.execPath, fixtureServer("legacy-only.mjs")], {
      env: { ...process.env, ...noModel },
      stdio: ["pipe", "ignore", "pipe"]
    })
    let log = ""
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => (log += chunk))
    child.stdin.end()
    await once(child, "close")
    assert.notMatch(log, /waits for a host/)
  })
})
