import { assert, describe, it } from "@effect/vitest"
import { LastWords } from "../../../src/domain/observability/LastWords.ts"
import { makeRedactor } from "../../../src/domain/observability/Redaction.ts"

const SECRET = "hunter2-hunter2"
const { text: redact } = makeRedactor([SECRET])

const saidOf = (...chunks: ReadonlyArray<string>): string => {
  const words = new LastWords()
  for (const chunk of chunks) words.push(Buffer.from(chunk))
  return words.said(redact)
}

describe("the last words of a process", () => {
  it("are its last five lines, however they came", () => {
    assert.strictEqual(saidOf(), "")
    assert.strictEqual(saidOf("\n \r\n"), "")
    assert.strictEqual(saidOf("a\nb\r\nc\n", "d\n\ne\nf ", "and more"), "b\nc\nd\ne\nf and more")
    const bytes = Buffer.from("Größe: 1 €")
    const words = new LastWords()
    for (const byte of bytes) words.push(Uint8Array.of(byte))
    assert.strictEqual(words.said(redact), "Größe: 1 €")
  })

  it("say the reason, not where it was found", () => {
    const crash = `node:internal/modules/cjs/loader:1386
  throw err;
  ^

Error: Cannot find module '/srv/index.js'
    at Function._resolveFilename (node:internal/modules/cjs/loader:1383:15)
    at node:internal/main/run_main_module:36:49 {
  code: 'MODULE_NOT_FOUND',
  requireStack: []
}

Node.js v24.21.0
`
    assert.strictEqual(
      saidOf(crash),
      "node:internal/modules/cjs/loader:1386\nthrow err;\nError: Cannot find module '/srv/index.js'\n" +
        "code: 'MODULE_NOT_FOUND',\nrequireStack: []"
    )
  })

  it("begin with the reason where more follows it than is told", () => {
    const about = ["errno: -2", "code: 'ENOENT'", "syscall: 'spawn x'", "path: 'x'", "spawnargs: []", "}"]
    const lines = ["starting", "Error: spawn x ENOENT", ...about]
    assert.strictEqual(saidOf(lines.join("\n")), lines.slice(1, 6).join("\n"))
    const python = [
      "Traceback (most recent call last):",
      "a",
      "b",
      "c",
      "d",
      "ModuleNotFoundError: No module named 'x'"
    ]
    assert.strictEqual(saidOf(python.join("\n")), python.slice(1).join("\n"))
    const after = Array.from({ length: 30 }, (_, index) => `later ${index}`)
    assert.strictEqual(saidOf(["Error: passing", ...after].join("\n")), after.slice(-5).join("\n"))
  })

  it("have no secret, no colour and nothing that moves a cursor", () => {
    const said = saidOf(`\u001B[31mno key\u001B[0m \u001B[2J ${SECRET}\u0007 \u202Etxet sk-ant-0123456789abcdef0123\n`)
    assert.match(said, /^no key\s+\[redacted\]\s+txet \[redacted\]$/)
  })

  it("are bounded, and no half of a secret stands where they were cut", () => {
    const long = saidOf(...Array.from({ length: 2000 }, (_, index) => `${index} ${"x".repeat(500)}\n`))
    assert.isAtMost(long.length, 1000)
    assert.match(long, /^1997 x{295}…\n1998 x+…\n1999 x+…$/)
    for (let before = 8150; before < 8250; before += 1) {
      const said = saidOf(`${"y".repeat(100_000)}${SECRET}${"z".repeat(before)}`, "\nend")
      assert.strictEqual(said, "end")
    }
    assert.strictEqual(saidOf("w".repeat(1_000_000)), "")
  })
})
