import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { execFileSync } from "node:child_process"
import { splitCommandLine } from "../../../src/domain/settings/CommandLine.ts"

const words = (line: string) => Result.getOrThrow(splitCommandLine(line))
const reason = (line: string) =>
  Result.match(splitCommandLine(line), { onSuccess: () => "accepted", onFailure: ({ message }) => message })

const asShell = (line: string): ReadonlyArray<string> =>
  execFileSync("sh", ["-c", `for word in "$@"; do printf '%s\\0' "$word"; done`, "sh"], { encoding: "utf8" }) === ""
    ? execFileSync("sh", ["-c", `set -- ${line}; for word in "$@"; do printf '%s\\0' "$word"; done`], {
        encoding: "utf8"
      })
        .split("\0")
        .slice(0, -1)
    : []

describe("splitCommandLine", () => {
  const lines: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
    ["node server.js", ["node", "server.js"]],
    ["  node \t server.js\n", ["node", "server.js"]],
    [`node "my server.js" 'and more'`, ["node", "my server.js", "and more"]],
    [`a\\ b c\\"d`, ["a b", 'c"d']],
    [`"a\\"b" 'a\\b' "a\\b" "a\\\\b"`, ['a"b', "a\\b", "a\\b", "a\\b"]],
    [`pre"fix and"'post'`, ["prefix andpost"]],
    [`x "" ''`, ["x", "", ""]],
    ["x $HOME ~ * http://h/?a=1&b=2", ["x", "$HOME", "~", "*", "http://h/?a=1&b=2"]],
    ["a\\\nb c", ["ab", "c"]],
    [`sh -c 'a | b' "|"`, ["sh", "-c", "a | b", "|"]]
  ]
  for (const [line, expected] of lines) it(JSON.stringify(line), () => assert.deepStrictEqual(words(line), expected))

  it("says what is wrong and where", () => {
    assert.strictEqual(reason(`node 'a b`), "a single quote is not closed (character 6)")
    assert.strictEqual(reason(`node "a b`), "a double quote is not closed (character 6)")
    assert.strictEqual(reason("node a\\"), "a backslash at the end escapes nothing (character 7)")
    assert.strictEqual(reason("  "), "there is no command in it (character 1)")
    assert.match(reason("a | b"), /^"\|" needs a shell and none is used.*\(character 3\)$/)
    assert.match(reason("a && b"), /needs a shell/)
  })

  it("reads back any words that were quoted", () => {
    const word = fc.string({ unit: "binary" }).map((text) => text.replaceAll("\0", ""))
    const single = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
    const double = (text: string) => `"${text.replaceAll(/["\\$`]/g, "\\$&")}"`
    fc.assert(
      fc.property(fc.array(fc.tuple(word, fc.boolean()), { minLength: 1 }), (quoted) => {
        const line = quoted.map(([text, inSingle]) => (inSingle ? single(text) : double(text))).join(" ")
        assert.deepStrictEqual(
          words(line),
          quoted.map(([text]) => text)
        )
      })
    )
  })

  it("agrees with the shell of this machine", () => {
    const piece = fc.constantFrom("a", "b c", "'d e'", '"f\\" g"', "\\ ", "\\'", '"h\\\\"', "i'j'", '""', "-x=1")
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 6 }), (pieces) => {
        const line = pieces.join("")
        assert.deepStrictEqual(words(line), asShell(line))
      }),
      { numRuns: 40 }
    )
  })
})
