import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { chmodSync, mkdtempSync, readFileSync, rmSync, watch, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openBrowser } from "../../src/adapters/openBrowser.ts"

const withEnvironment = (changes: Readonly<Record<string, string>>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const before = { ...process.env }
      Object.assign(process.env, changes)
      return before
    }),
    (before) =>
      Effect.sync(() => {
        for (const name of Object.keys(changes)) {
          if (before[name] === undefined) delete process.env[name]
          else process.env[name] = before[name]
        }
      })
  )

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "mcp-gen-ui-browser-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

/** The content of a file once somebody has put it in place. */
const appeared = (directory: string, name: string) =>
  Effect.callback<string>((resume) => {
    const watcher = watch(directory, (_event, changed) => {
      if (changed !== name) return
      watcher.close()
      resume(Effect.sync(() => readFileSync(join(directory, name), "utf8")))
    })
  })

describe.skipIf(process.platform === "win32")("openBrowser", () => {
  it.live("gives an address of the web as one word to what the desktop has, and keeps our keys", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const opener = join(directory, process.platform === "darwin" ? "open" : "xdg-open")
      writeFileSync(
        opener,
        '#!/bin/sh\nprintf "%s\\n" "$#" "$1" "${TEST_API_KEY-none}" "$XAUTHORITY" > "$OUT.part" && mv "$OUT.part" "$OUT"\n'
      )
      chmodSync(opener, 0o755)
      yield* withEnvironment({
        PATH: `${directory}:${process.env["PATH"] ?? ""}`,
        OUT: join(directory, "out"),
        TEST_API_KEY: "sk-secret-1234",
        XAUTHORITY: "/x"
      })
      assert.isFalse(yield* openBrowser(new URL("file:///etc/passwd")))
      assert.isFalse(yield* openBrowser(new URL("javascript:alert(1)")))
      const seen = yield* Effect.forkChild(appeared(directory, "out"), { startImmediately: true })
      assert.isTrue(yield* openBrowser(new URL("https://as.example.com/a?b=$(touch x)&c='d'")))
      const [count, address, key, display] = (yield* Fiber.join(seen)).split("\n")
      assert.strictEqual(count, "1")
      assert.strictEqual(address, "https://as.example.com/a?b=$(touch%20x)&c=%27d%27")
      assert.strictEqual(key, "none")
      assert.strictEqual(display, "/x")
    })
  )

  it.live("says that it could not where there is nothing to ask", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      yield* withEnvironment({ PATH: directory })
      assert.isFalse(yield* openBrowser(new URL("https://as.example.com/")))
    })
  )
})
