import { assert, describe, it } from "@effect/vitest"
import { CONFIG_FLAGS, readPlainArguments } from "../../../src/domain/settings/ConfigFlags.ts"

describe("readPlainArguments", () => {
  it("reads flags in both spellings, and keeps the words after -- as they are", () => {
    assert.deepStrictEqual(
      readPlainArguments(["--debug", "--llm", "openai", "--model=gpt=x", "--", "node", "--debug", "--", "", "a b"]),
      { flags: { debug: true, llm: "openai", model: "gpt=x" }, command: ["node", "--debug", "--", "", "a b"] }
    )
    assert.deepStrictEqual(readPlainArguments(["--header", "A: b=c", "--debug", "--header=A: d", "--"]), {
      flags: { header: ["A: b=c", "A: d"], debug: true },
      command: []
    })
    assert.deepStrictEqual(readPlainArguments([]), { flags: {}, command: undefined })
    assert.deepStrictEqual(readPlainArguments(["--"]), { flags: {}, command: [] })
  })

  it("leaves everything else to the full parser", () => {
    for (const line of [
      "--help",
      "-h",
      "preview",
      "node x",
      "--nope",
      "--llm",
      "--llm=",
      "--llm nope",
      "--model --debug",
      "--debug --debug",
      "--debug true",
      "--header",
      "--header=",
      "--header A --header",
      "--header A --header --debug",
      "--http",
      "--http 1 --http 2",
      "--debug=true",
      "--no-debug"
    ]) {
      assert.isUndefined(readPlainArguments(line.split(" ")), line)
    }
  })
})

describe("CONFIG_FLAGS", () => {
  it("names each variable after its flag", () => {
    for (const { flag, kind, variable } of Object.values(CONFIG_FLAGS)) {
      const plural = kind === "list" ? "S" : ""
      assert.strictEqual(variable, `MCP_GEN_UI_${flag.replaceAll("-", "_").toUpperCase()}${plural}`)
    }
  })
})
