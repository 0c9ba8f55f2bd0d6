import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { TestConsole } from "effect/testing"
import * as fc from "fast-check"
import { CONFIG_FLAGS, readPlainArguments } from "../../../src/domain/settings/ConfigFlags.ts"
import { readCommandLine } from "../../../src/programs/commands/readCommandLine.ts"
import { itEffect } from "../../fixtures/itEffect.ts"

const problems = Effect.fn(function* (words: ReadonlyArray<string>) {
  const result = yield* Effect.result(readCommandLine(words))
  return Result.isFailure(result) && result.failure._tag === "ConfigRejected"
    ? result.failure.problems.map(({ text }) => text)
    : []
})

describe("readCommandLine", () => {
  itEffect("reads preview with flags on both sides of its name", function* () {
    const request = yield* readCommandLine(["--llm", "none", "preview", "--port=0", "--debug", "--", "node", "--port"])
    assert.deepStrictEqual(request, {
      command: "preview",
      given: {
        flags: { llm: "none", debug: true },
        command: ["node", "--port"],
        port: 0,
        open: false,
        gallery: false,
        server: undefined
      }
    })
  })

  itEffect("reads prompt and generate with flags on both sides", function* () {
    const prompt = yield* readCommandLine(["--debug", "prompt", "get_forecast", "--json", "--", "node", "x.js"])
    assert.deepStrictEqual(prompt, {
      command: "prompt",
      given: { flags: { debug: true }, command: ["node", "x.js"], tool: "get_forecast", json: true }
    })
    const generate = yield* readCommandLine(["generate", "--corpus=tools", "--limit", "5", "--llm", "none"])
    assert.deepStrictEqual(generate, {
      command: "generate",
      given: {
        flags: { llm: "none" },
        command: undefined,
        corpus: "tools",
        out: undefined,
        limit: 5,
        tools: undefined
      }
    })
  })

  const others: ReadonlyArray<readonly [string, Readonly<Record<string, unknown>>]> = [
    ["cache ls --json", { command: "cache", given: { asked: { action: "ls", json: true } } }],
    ["cache stats", { command: "cache", given: { asked: { action: "stats", json: false } } }],
    ["cache show a/b", { command: "cache", given: { asked: { action: "show", what: "a/b", json: false } } }],
    ["cache clear", { command: "cache", given: { asked: { action: "clear", toolName: undefined } } }],
    ["cache clear --tool x", { command: "cache", given: { asked: { action: "clear", toolName: "x" } } }],
    ["config check --json", { command: "config check", given: { json: true } }],
    ["export --out dir --tools get_*", { command: "export", given: { out: "dir", tools: "get_*" } }],
    ["import dir", { command: "import", given: { from: "dir", tool: undefined } }],
    ["import a.html --tool a", { command: "import", given: { from: "a.html", tool: "a" } }]
  ]
  for (const [line, { command, given }] of others) {
    itEffect(`reads ${line}, with flags on both sides`, function* () {
      const words = ["--cache-dir", "c", ...line.split(" "), "--llm", "none", "--", "node", "--json"]
      const shared = { flags: { cacheDir: "c", llm: "none" }, command: ["node", "--json"] }
      assert.deepStrictEqual<unknown>(yield* readCommandLine(words), {
        command,
        given: { ...shared, ...Object(given) }
      })
    })
  }

  it.effect("answers a group of commands without one of them by naming them", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* readCommandLine(["cache"]), { command: "answered" })
      assert.deepStrictEqual(yield* readCommandLine(["config"]), { command: "answered" })
      assert.deepStrictEqual(yield* readCommandLine(["cache", "show", "--help"]), { command: "answered" })
      const [cache, config, show] = (yield* TestConsole.logLines).map(String)
      for (const name of ["ls [--json]", "show <tool or key>", "clear [--tool NAME]", "stats [--json]"]) {
        assert.include(cache, `\n  mcp-gen-ui cache ${name}`)
      }
      assert.notInclude(cache, "mcp-gen-ui preview")
      assert.include(config, "\n  mcp-gen-ui config check [--json]")
      assert.include(show, "\n  mcp-gen-ui cache show <tool or key>")
      assert.notInclude(show, "mcp-gen-ui cache ls")
    }).pipe(Effect.provide(TestConsole.layer))
  )

  const slips: ReadonlyArray<readonly [string, string]> = [
    ["--upsteam x", "--upsteam is not a flag here; did you mean --upstream?"],
    [
      "--verbose -- x",
      '--verbose is not a flag here; mcp-gen-ui --help lists what there is; a server\'s own flags go after "--"'
    ],
    [
      "node server.js",
      '"node" is not a command of mcp-gen-ui; a server\'s command goes after "--": mcp-gen-ui -- node …'
    ],
    ["prevew", '"prevew" is not a command of mcp-gen-ui; did you mean preview?'],
    ["preview x", '"x" cannot stand here; a server\'s command goes after "--"'],
    [
      "--port 1 -- x",
      '--port is not a flag here; mcp-gen-ui --help lists what there is; a server\'s own flags go after "--"'
    ],
    ["--llm gpt -- x", '--llm: found "gpt"; allowed: "anthropic", "openai", "ollama", "host", "none"'],
    ["--model", "--model needs a value: NAME"],
    ["--model= -- x", "--model needs a value: a text that is not empty"],
    ["--debug --debug -- x", "--debug is given more than once"],
    ["--http", "--http needs a value: [HOST:]PORT"],
    ["--http -- x", "--http needs a value: [HOST:]PORT"],
    ["--http --debug -- x", "--http needs a value: [HOST:]PORT"],
    ["--http= -- x", "--http needs a value: a text that is not empty"],
    ["--header -- x", '--header needs a value: "NAME: VALUE"'],
    ["--header A:b --header= -- x", "--header needs a value: a text that is not empty"],
    ["--transport tcp -- x", '--transport: found "tcp"; allowed: "stdio", "http", "sse", "auto"'],
    [
      "https://example.com/mcp",
      '"https://example.com/mcp" is not a command of mcp-gen-ui; a server\'s command goes after "--": mcp-gen-ui -- https://example.com/mcp'
    ],
    [
      "login https://example.com --client-metadata-url http://example.com/client.json",
      '--client-metadata-url: found "http://example.com/client.json"; allowed: a URL that begins with https:// and has a path'
    ],
    ["prompt -- x", "Missing required argument: tool"],
    ["promt x", '"promt" is not a command of mcp-gen-ui; did you mean prompt?'],
    ["generate", "Missing required flag: --corpus"],
    ["generate --corpus= ", "--corpus needs a value: a text that is not empty"],
    ["generate --corpus x --limit 1.5", '--limit: found "1.5"; allowed: an integer'],
    ["cache lst", '"lst" is not a command of mcp-gen-ui cache; did you mean ls?'],
    ["cache wipe", '"wipe" is not a command of mcp-gen-ui cache; mcp-gen-ui cache --help lists them'],
    ["cahe ls", '"cahe" is not a command of mcp-gen-ui; did you mean cache?'],
    ["config chek", '"chek" is not a command of mcp-gen-ui config; did you mean check?'],
    ["cache show", "Missing required argument: tool or key"],
    ["cache clear --tool=", "--tool needs a value: a text that is not empty"],
    ["cache ls extra", '"extra" cannot stand here; a server\'s command goes after "--"'],
    ["export", "Missing required flag: --out"],
    ["export --out=", "--out needs a value: a text that is not empty"],
    ["import", "Missing required argument: path"],
    ["preview --port 70000", '--port: found "70000"; allowed: a whole number from 0 to 65535']
  ]
  for (const [line, text] of slips) {
    itEffect(line, function* () {
      assert.deepStrictEqual(yield* problems(line.split(" ")), [text])
    })
  }

  itEffect("tells every slip of a line", function* () {
    assert.lengthOf(yield* problems(["--nope", "--nada", "--", "x"]), 2)
  })

  it.effect("prints help for every flag, and the version, when asked", () =>
    Effect.gen(function* () {
      for (const words of [["--help"], ["preview", "--help"]]) {
        assert.deepStrictEqual(yield* readCommandLine(words), { command: "answered" })
      }
      yield* readCommandLine(["--version"])
      const output = (yield* TestConsole.logLines).map(String)
      assert.lengthOf(output, 3)
      for (const { flag } of Object.values(CONFIG_FLAGS)) {
        assert.include(output[0], `--${flag}`)
        assert.include(output[1], `--${flag}`)
      }
      for (const usage of [
        "[flags] -- <command> [arguments]",
        "[flags] -- <url>",
        "login [flags] <url>",
        "prompt <tool> [flags] -- <command> [arguments]"
      ]) {
        assert.include(output[0], `\n  mcp-gen-ui ${usage}\n`)
      }
      assert.include(output[0], "mcp-gen-ui generate --corpus DIR [flags]")
      for (const example of ["-- https://", "--http 8080 -- node", "login https://"]) {
        assert.include(output[0], `\n  mcp-gen-ui ${example}`)
      }
      assert.include(output[1], "--port")
      assert.match(output[2] ?? "", /^mcp-gen-ui \d+\.\d+\.\d+/)
      assert.deepStrictEqual(yield* TestConsole.errorLines, [])
    }).pipe(Effect.provide(TestConsole.layer))
  )

  it("understands every line that the fast path takes just as the fast path does", async () => {
    const flags = Object.values(CONFIG_FLAGS).map(({ flag }) => `--${flag}`)
    const word = fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...flags) },
      {
        weight: 4,
        arbitrary: fc.constantFrom("openai", "none", "info", "json", "text", "a b", "node server.js", "A: b=c", "8080")
      },
      { weight: 5, arbitrary: fc.constantFrom("--header=X-A: 1", "--header=--", "--header") },
      {
        weight: 2,
        arbitrary: fc
          .tuple(fc.constantFrom(...flags), fc.constantFrom("json", "openai", "x=y"))
          .map((two) => two.join("="))
      },
      {
        weight: 1,
        arbitrary: fc.constantFrom("--", "true", "no", "", "-1", "-x", "1", "--help", "preview", "--no-debug")
      }
    )
    let taken = 0
    let repeated = 0
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 7 }), async (words) => {
        const plain = readPlainArguments(words)
        if (plain === undefined) return
        taken++
        if ((plain.flags.header?.length ?? 0) > 1) repeated++
        const full = await Effect.runPromise(readCommandLine(words))
        assert.deepStrictEqual(full, { command: "serve", given: plain }, words.join(" "))
      }),
      { numRuns: 1500 }
    )
    assert.isAbove(taken, 100)
    assert.isAbove(repeated, 5)
  })
})
