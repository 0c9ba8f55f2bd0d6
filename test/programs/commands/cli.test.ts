import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, realpathSync } from "node:fs"
import { join } from "node:path"
import { onTestFinished } from "vitest"
import { runBin, runHere } from "../../fixtures/commandLine.ts"
import { fileFolder, fileIn } from "../../fixtures/folders.ts"
import { bin, fixtureServer, initialize, noModel, root, startRawClient } from "../../fixtures/RawClient.ts"

const folder = fileFolder()

const weather = join(root, "examples/weather-server.mjs")
const server = [process.execPath, weather] as const

const file = (name: string, content: unknown): string => fileIn(folder, name, content)
const run = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
  runHere(args, { cwd: folder, env })
const inBin = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
  runBin(args, { cwd: folder, env })

describe("a command line that cannot work", () => {
  const marker = join(folder, "started")
  const witness = [process.execPath, "-e", `require("fs").writeFileSync(${JSON.stringify(marker)}, "")`]
  const typo = file("typo.json", { cache: { maxEntires: 1 }, generation: { limits: { maxHtmlBytes: "500kb" } } })
  const both = file("both.json", { upstream: { command: process.execPath, url: "https://example.com/mcp" } })
  const login = file("login.json", {
    upstream: { url: "https://example.com/mcp", token: "t", oauth: { clientId: "c", clientMetadataUrl: "http://x/y" } }
  })
  const twice = file("twice.json", { upstream: { url: "https://example.com/mcp", token: "t", oauth: {} } })
  // What can be wrong with each flag and setting: readCommandLine.test.ts, Settings.test.ts, resolve….test.ts.
  const lines: ReadonlyArray<readonly [string, ReadonlyArray<string>, RegExp]> = [
    ["unknown flag", ["--upsteam", "x", "--", ...witness], /--upsteam is not a flag here; did you mean --upstream\?/],
    ["missing server", [], /no server to wrap was named; write its command after "--": mcp-gen-ui -- node server\.js/],
    ["a bad choice", ["--llm", "gpt", "--", ...witness], /--llm: found "gpt"; allowed: "anthropic"/],
    ["missing file", ["--config", "nope.json", "--", ...witness], /nope\.json: does not exist; check the path/],
    [
      "wrong type and unknown key",
      ["--config", typo, "--", ...witness],
      /2 problems[^]*typo\.json: cache\.maxEntires: .*did you mean "maxEntries"\?[^]*generation\.limits\.maxHtmlBytes: found "500kb"; allowed/
    ],
    [
      "a log file nowhere",
      ["--log-file", "no/such.log", "--", ...witness],
      /its folder does not exist; create it first/
    ],
    ["a URL that is none", ["--upstream", "http://"], /--upstream: found "http:\/\/"; allowed: a URL/],
    ["keys of both transports", ["--config", both], /both\.json: upstream\.url: stands beside upstream\.command/],
    [
      "a login that cannot work",
      ["--config", login],
      /login\.json: upstream\.oauth\.clientMetadataUrl: found "http:\/\/x\/y"; allowed: a URL that begins with https/
    ],
    ["a login beside a token", ["--config", twice], /twice\.json: upstream\.oauth: stands beside upstream\.token/],
    ["a login there, said to `login`", ["login", "--config", twice], /upstream\.oauth: stands beside upstream\.token/],
    ["a preview over HTTP", ["preview", "--http", "0"], /--http: is not for the preview/],
    ["preview of a bad line", ["preview", "--config", typo], /cache\.maxEntires/]
  ]
  for (const [name, args, message] of lines) {
    it(name, async () => {
      const { status, stderr, stdout } = await run(args)
      assert.match(stderr, message)
      assert.match(stderr, /^mcp-gen-ui: /m)
      assert.notMatch(stderr, /^ {4}at /m)
      assert.deepStrictEqual([status, stdout], [2, ""])
      assert.isFalse(existsSync(marker), "a server was started")
    })
  }

  it("a bad variable", async () => {
    const { status, stderr } = await run(["--", ...witness], { MCP_GEN_UI_LOG_LEVEL: "loud" })
    assert.match(stderr, /MCP_GEN_UI_LOG_LEVEL: found "loud"; allowed/)
    assert.strictEqual(status, 2)
    assert.isFalse(existsSync(marker), "a server was started")
  })

  it("ends the bin with 2, and starts nothing; without the slip a server would have been started", () => {
    for (const [args, message] of [
      [["--upsteam", "x", "--", ...witness], /did you mean --upstream\?/],
      [["--llm", "anthropic", "--", ...witness], /ANTHROPIC_API_KEY is not set/],
      [["--", "no-such-command-here"], /"no-such-command-here" was not found on PATH\. Check the spelling/],
      [["--", typo], /may not be executed/]
    ] as const) {
      const { status, stderr, stdout } = runBin(args, { cwd: folder })
      assert.match(stderr, message)
      assert.match(stderr, /^mcp-gen-ui: /m)
      assert.deepStrictEqual([status, stdout], [2, ""])
    }
    assert.isFalse(existsSync(marker), "a server was started")
    runBin(["--", ...witness], { cwd: folder })
    assert.strictEqual(readFileSync(marker, "utf8"), "")
  })
})

describe("help and version", () => {
  it("stand on standard output, and only when asked for", async () => {
    for (const args of [["--help"], ["-h"], ["preview", "--help"]]) {
      const { status, stderr, stdout } = await run(args)
      assert.deepStrictEqual([status, stderr], [0, ""])
      assert.match(stdout, /mcp-gen-ui/)
    }
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { readonly version: string }
    assert.deepInclude(runBin(["--version"]), { status: 0, stdout: `mcp-gen-ui ${version}\n`, stderr: "" })
  })
})

describe("a server named in each way", () => {
  const config = file("weather.json", {
    $schema: "./schema.json",
    upstream: { command: "${NODE}", args: [weather] },
    logging: { format: "json", file: "from-file.log" }
  })
  const ways: ReadonlyArray<readonly [string, ReadonlyArray<string>, Readonly<Record<string, string>>]> = [
    ["after --", ["--", ...server], {}],
    ["after -- with a rare spelling before", ["--debug=true", "--", ...server], {}],
    ["--upstream", ["--upstream", `'${process.execPath}' "${weather}"`], {}],
    ["MCP_GEN_UI_UPSTREAM", [], { MCP_GEN_UI_UPSTREAM: `"${process.execPath}" '${weather}'` }],
    ["--config", ["--config", config], { NODE: process.execPath }],
    ["MCP_GEN_UI_CONFIG", [], { MCP_GEN_UI_CONFIG: config, NODE: process.execPath }]
  ]
  it("is started", async () => {
    const clients = ways.map(([, args, env]) => startRawClient(process.execPath, [bin, ...args], { env }))
    for (const [index, client] of clients.entries()) {
      await initialize(client)
      assert.include((await client.request("tools/list")).text, "get_forecast", ways[index]?.[0])
      assert.strictEqual(await client.close(), 0)
    }
  })

  it("logs into the file of its configuration, in its format, and nothing on standard error", async () => {
    const client = startRawClient(process.execPath, [bin, "--config", config], { env: { NODE: process.execPath } })
    await initialize(client)
    await client.close()
    assert.strictEqual(client.log(), "")
    const lines = readFileSync(join(folder, "from-file.log"), "utf8").trimEnd().split("\n")
    const events = lines.map((line) => (JSON.parse(line) as { readonly event?: string }).event)
    assert.include(events, "no-model")
  })
})

describe("what the server is started with", () => {
  const words = [
    "a b",
    "",
    "it's",
    'say "hi"',
    "back\\slash",
    "line\nbreak",
    "$HOME",
    "*",
    "--debug",
    "--",
    "\u00FC\u{1F600}",
    "${HOME}",
    " tab\t"
  ]
  const surroundings = fixtureServer("surroundings.mjs")
  const quoted = [process.execPath, surroundings, ...words]
    .map((word) => `'${word.replaceAll("'", "'\\''")}'`)
    .join(" ")
  const servers = join(folder, "servers")
  mkdirSync(servers)
  const config = file("surroundings.json", {
    upstream: {
      command: process.execPath,
      args: [surroundings, ...words.map((word) => word.replaceAll("${", () => "$${"))],
      env: { FROM_FILE: "a b\n\u00FC", FROM_HOST: "${FROM_HOST}!", EMPTY: "" },
      cwd: "servers"
    }
  })
  const section = file("section.json", { upstream: { env: { FROM_FILE: "also" }, cwd: "servers" } })
  const ways: ReadonlyArray<readonly [string, ReadonlyArray<string>, Readonly<Record<string, string>>]> = [
    ["after --", ["--", process.execPath, surroundings, ...words], {}],
    ["--upstream", ["--upstream", quoted], {}],
    ["MCP_GEN_UI_UPSTREAM", [], { MCP_GEN_UI_UPSTREAM: quoted }],
    ["--config", ["--config", config], {}]
  ]
  const started = async (args: ReadonlyArray<string>, env: Readonly<Record<string, string>>) => {
    const client = startRawClient(process.execPath, [bin, ...args], {
      cwd: folder,
      env: { FROM_HOST: "host", MCP_GEN_UI_TOKEN: "for-the-wrapper-alone", ...env }
    })
    const { message } = await client.request("surroundings")
    await client.close()
    return message.result as {
      readonly args: ReadonlyArray<string>
      readonly env: Readonly<Record<string, string>>
      readonly cwd: string
    }
  }

  it("arguments as they are, however the server is named", async () => {
    for (const [name, args, env] of ways) assert.deepStrictEqual((await started(args, env)).args, words, name)
  })

  it("environment and folder of the file, also when the command is named elsewhere", async () => {
    const ofFile = await started(["--config", config], {})
    assert.deepInclude(ofFile.env, { FROM_FILE: "a b\n\u00FC", FROM_HOST: "host!", EMPTY: "" })
    assert.strictEqual(ofFile.cwd, realpathSync(servers))
    const combined = await started(["--config", section, "--", process.execPath, surroundings], {})
    assert.deepInclude(combined.env, { FROM_FILE: "also", FROM_HOST: "host" })
    assert.strictEqual(combined.cwd, realpathSync(servers))
  })

  it("the environment of the host, without what is said to the wrapper", async () => {
    const { env } = await started(["--", process.execPath, surroundings], { MCP_GEN_UI_LOG_LEVEL: "warn" })
    assert.strictEqual(env.FROM_HOST, "host")
    assert.deepStrictEqual(
      Object.keys(env).filter((name) => name.startsWith("MCP_GEN_UI_")),
      []
    )
  })
})

describe("a preview", () => {
  it("speaks over standard input and output whatever is said of HTTP, says who writes views, and shows no secret", async () => {
    const secret = "S3cret-of-the-header"
    const config = file("preview.json", {
      upstream: { command: server[0], args: [weather] },
      http: { host: "0.0.0.0", port: 1 }
    })
    const preview = async (args: ReadonlyArray<string>, env: Readonly<Record<string, string>>) => {
      const child = spawn(process.execPath, [bin, "preview", "--port", "0", ...args], {
        cwd: folder,
        env: { ...process.env, ...noModel, ...env },
        stdio: ["ignore", "pipe", "inherit"]
      })
      onTestFinished(() => void child.kill())
      let told = ""
      for await (const chunk of child.stdout.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
        told += String(chunk)
        if (told.includes("Stop")) break
      }
      return { told, url: /Open +(\S+)/.exec(told)?.[1] ?? assert.fail(told) }
    }

    const local = await preview(["--config", config, "--llm", "ollama", "--model", "m"], {
      MCP_GEN_UI_HTTP: "0.0.0.0:1"
    })
    assert.include(local.told, `Preview of node ${join("examples", "weather-server.mjs")}`)
    const events = await fetch(`${local.url}events`)
    let heard = ""
    for await (const chunk of (events.body ?? assert.fail("no events")).pipeThrough(new TextDecoderStream())) {
      heard += chunk
      const session = /"session":"([^"]+)"/.exec(heard)?.[1]
      if (session !== undefined && !heard.includes("event: frame")) {
        const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
        await fetch(`${local.url}rpc?session=${session}`, {
          method: "POST",
          body,
          headers: { origin: new URL(local.url).origin }
        })
      }
      if (/event: (?:frame|exit)/.test(heard)) break
    }
    assert.match(heard, /event: frame\ndata: .*"id":1/)
    assert.include(heard, '"writer":{"provider":"ollama","model":"m","patienceMs":15500}')

    const remote = await preview(
      ["--upstream", `http://me:${secret}@localhost:1/mcp?key=${secret}`, "--header", `X-Api-Key: ${secret}`],
      {}
    )
    assert.include(remote.told, "Preview of http://localhost:1/mcp\n")
    assert.notInclude(remote.told, secret)
  })
})

describe("a key", () => {
  const key = "a-key-of-no-usual-shape-4711"

  it("stands in no output, whatever goes wrong", async () => {
    const config = file("key.json", {
      llm: { provider: "openai", apiKey: key, modle: "x" },
      upstream: { command: "x" }
    })
    const unquoted = file("unquoted.json", `{"llm": {"apiKey": ${key}}}`)
    const upstream = file("upstream.json", {
      upstream: { url: `ftp://me:${key}@x`, token: `Bearer ${key}`, headers: { "X y": key, A: [key] } },
      http: { port: 0, token: `${key} ${key}` }
    })
    const logins = [
      key,
      { clientSecret: [key] },
      { clientSecret: key },
      { clientId: "c", clientSecret: `${key}\u00FC` }
    ]
    const ofLogins = logins.map((oauth, index) =>
      file(`login-${index}.json`, { upstream: { url: "https://example.com/mcp", oauth } })
    )
    const references = file("reference.json", { llm: { provider: "${OPENAI_API_KEY}" } })
    const environment = { OPENAI_API_KEY: key }
    const runs: ReadonlyArray<ReadonlyArray<string>> = [
      ["--config", config],
      ["--config", unquoted],
      ["--config", references, "--", "x"],
      [key],
      ["--llm", key, "--", "x"],
      ["--upstream", `'${key}`],
      ["--header", `Authorization ${key}`, "--", "https://example.com"],
      ["--header", `A b: ${key}`, "--", "https://example.com"],
      ["--header", `A: ${key}\r\nB: c`, "--", "https://example.com"],
      ["--header", "A: ${OPENAI_API_KEY} \u00FC", "--", "https://example.com"],
      ["--upstream", `http://me:${key}@`],
      ["--config", upstream]
    ]
    const fromFileAlone: ReadonlyArray<ReadonlyArray<string>> = [
      ["--config", config],
      ["--config", unquoted],
      ["--config", upstream],
      ...ofLogins.map((login) => ["--config", login])
    ]
    const serving: ReadonlyArray<ReadonlyArray<string>> = [
      ["--debug", "--", `no-such-${key}`],
      ["--debug", "--", "no-such-command", `--token=${key}`],
      ["--debug", "--", process.execPath, "-e", "process.exit(3)", key]
    ]
    for (const [args, variables, start] of [
      ...runs.map((args) => [args, environment, run] as const),
      ...fromFileAlone.map((args) => [args, {}, run] as const),
      ...serving.map((args) => [args, environment, inBin] as const)
    ]) {
      const { status, stderr, stdout } = await start(args, variables)
      assert.notStrictEqual(stderr, "")
      assert.notStrictEqual(status, null)
      assert.notInclude(stderr + stdout, key, args.join(" "))
    }
  })

  it("in the file works, and warns without showing it", () => {
    const config = file("key-in-file.json", {
      llm: { provider: "openai", apiKey: key },
      upstream: { command: server[0], args: [weather] }
    })
    const { status, stderr } = inBin(["--config", config])
    assert.strictEqual(status, 0)
    assert.match(stderr, / WARN {2}settings key-in-file llm\.apiKey stands in .*keep it in OPENAI_API_KEY/)
    assert.notInclude(stderr, key)
  })
})

describe("the end", () => {
  it("by a signal has that signal's exit code", async () => {
    for (const [signal, code] of [
      ["SIGTERM", 143],
      ["SIGINT", 130],
      ["SIGHUP", 129]
    ] as const) {
      const child = spawn(process.execPath, [bin, "--", ...server], {
        stdio: ["pipe", "pipe", "ignore"],
        env: { ...process.env, ...noModel }
      })
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })}\n`)
      await new Promise((resolve) => child.stdout.once("data", resolve))
      child.kill(signal)
      assert.strictEqual(await new Promise((resolve) => child.once("exit", resolve)), code, signal)
    }
  })
})
