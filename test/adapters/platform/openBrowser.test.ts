import { assert, describe } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, watch, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { openBrowser } from "../../../src/adapters/platform/openBrowser.ts"
import { itLive } from "../../fixtures/itEffect.ts"

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
  itLive("gives what the desktop has a page that leads there, and neither the address nor our keys", function* () {
    const directory = yield* folder
    const opener = join(directory, process.platform === "darwin" ? "open" : "xdg-open")
    const script =
      'printf "%s\\n" "$#" "$1" "${TEST_API_KEY-none}" "$XAUTHORITY" > "$OUT.part" && mv "$OUT.part" "$OUT"'
    writeFileSync(opener, `#!/bin/sh\n${script}\n`)
    chmodSync(opener, 0o755)
    yield* withEnvironment({
      PATH: `${directory}:${process.env["PATH"] ?? ""}`,
      TMPDIR: join(directory, "tmp"),
      OUT: join(directory, "out"),
      TEST_API_KEY: "sk-secret-1234",
      XAUTHORITY: "/x"
    })
    assert.isFalse(yield* openBrowser(new URL("file:///etc/passwd")))
    assert.isFalse(yield* openBrowser(new URL("javascript:alert(1)")))
    const page = yield* Effect.scoped(
      Effect.gen(function* () {
        const seen = yield* Effect.forkChild(appeared(directory, "out"), { startImmediately: true })
        assert.isTrue(yield* openBrowser(new URL(`https://as.example.com/a?state=token&b=$(touch x)&c='d'"><script>`)))
        const [count, address = "", key, display] = (yield* Fiber.join(seen)).split("\n")
        assert.deepStrictEqual([count, key, display], ["1", "none", "/x"])
        assert.notInclude(address, "token")
        const path = fileURLToPath(address)
        const text = readFileSync(path, "utf8")
        assert.include(
          text,
          'content="0; url=https://as.example.com/a?state=token&amp;b=$(touch%20x)&amp;c=%27d%27%22%3E%3Cscript%3E"'
        )
        assert.strictEqual(statSync(path).mode & 0o777, 0o600)
        assert.strictEqual(statSync(join(path, "..")).mode & 0o777, 0o700)
        return path
      })
    )
    assert.isFalse(existsSync(join(page, "..")))
  })

  itLive("says that it could not where there is nothing to ask", function* () {
    const directory = yield* folder
    yield* withEnvironment({ PATH: directory })
    assert.isFalse(yield* openBrowser(new URL("https://as.example.com/")))
  })
})
