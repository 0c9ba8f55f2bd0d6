import { assert, describe, it } from "@effect/vitest"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { Effect, Exit, Scope } from "effect"
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { onTestFinished } from "vitest"
import { runBin, runHere, startBin } from "../../fixtures/commandLine.ts"
import { fileIn, testFolder } from "../../fixtures/folders.ts"
import { HOST_FILES } from "../../fixtures/hostFiles.ts"
import { bin, noModel, weather } from "../../fixtures/RawClient.ts"
import { sdkClient } from "../../fixtures/sdkHosts.ts"
import { type Handler, serveHttp, statelessHttp } from "../../fixtures/servers/httpServers.ts"

/** A user with a folder to work in; the files that are given are below their home. */
const user = (files: Readonly<Record<string, string>>) => {
  const home = testFolder()
  const cwd = join(home, "work")
  mkdirSync(cwd)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), text)
  }
  const env = { HOME: home, XDG_CONFIG_HOME: join(home, ".config") }
  return {
    home,
    at: { cwd, env },
    text: (path: string) => readFileSync(join(home, path), "utf8"),
    run: (line: string, more: Readonly<Record<string, string>> = {}) =>
      runHere(line.split(" "), { cwd, env: { ...env, ...more } }),
    /** All files, but those that Node keeps. */
    all: () =>
      Object.fromEntries(
        readdirSync(home, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile() && !entry.parentPath.includes(".cache"))
          .map((entry) => [
            join(entry.parentPath, entry.name),
            readFileSync(join(entry.parentPath, entry.name), "utf8")
          ])
      )
  }
}

const everyHost = () => user(Object.fromEntries(Object.values(HOST_FILES).map(({ path, text }) => [path, text])))

const CURSOR = ".cursor/mcp.json"
const cursor = (servers: object) => ({ [CURSOR]: JSON.stringify({ mcpServers: servers }, null, 2) })
const [node = "", ...script] = weather
const WEATHER = { command: node, args: script }

describe("mcp-gen-ui wrap", () => {
  it("wraps the servers of ten hosts by one command of the bin, and unwraps them to the byte by another", () => {
    const { all, at } = everyHost()
    const before = all()
    const wrap = runBin(["wrap", "--all", "--write", "--no-start"], at)
    assert.deepStrictEqual([wrap.status, wrap.stderr], [0, ""])
    const after = all()
    assert.lengthOf(Object.keys(after), 2 * Object.keys(before).length)
    for (const [path, text] of Object.entries(before)) {
      assert.notStrictEqual(after[path], text)
      assert.strictEqual(after[`${path}.before-mcp-gen-ui`], text)
    }
    assert.notInclude(wrap.stdout, "token-of-the-user-1")

    const again = runBin(["wrap", "--all", "--write", "--no-start"], at)
    assert.deepStrictEqual([again.status, again.stderr], [0, ""])
    assert.include(again.stdout, "There is nothing to wrap.")
    assert.deepStrictEqual(all(), after)

    assert.strictEqual(runBin(["unwrap", "--all", "--write"], at).status, 0)
    assert.deepStrictEqual(all(), before)
    assert.include(runBin(["unwrap", "--all", "--write"], at).stdout, "Nothing is wrapped.")
  })

  it("shows a unified diff and writes nothing without --write", async () => {
    const { all, run } = user(cursor({ weather: WEATHER }))
    const before = all()
    const { status, stdout } = await run("wrap --host cursor --all")
    assert.strictEqual(status, 0)
    assert.match(stdout, /^--- .*mcp\.json\n\+\+\+ .*mcp\.json\n@@ -\d/m)
    assert.match(stdout, /^\+ +"--",$/m)
    assert.include(stdout, "Nothing was written; --write does it.")
    assert.deepStrictEqual(all(), before)
  })

  it("puts flags into the servers that it wraps, with whole paths", async () => {
    const { at, run, text } = user(cursor({ weather: WEATHER, other: { command: "other" } }))
    assert.strictEqual((await run("wrap --server weather --write --no-start --force-ui --cache-dir uis")).status, 0)
    const { other, weather } = JSON.parse(text(CURSOR)).mcpServers
    assert.deepStrictEqual(other, { command: "other" })
    const cache = `--cache-dir=${join(at.cwd, "uis")}`
    assert.deepStrictEqual(
      [weather.command, ...weather.args],
      [process.execPath, bin, cache, "--force-ui", "--", node, ...script]
    )
  })

  it("makes a server that an SDK client can start", async () => {
    const { run, text } = user(cursor({ weather: WEATHER }))
    await run("wrap --all --write")
    const client = sdkClient("legacy")
    const { weather } = JSON.parse(text(CURSOR)).mcpServers
    await client.connect(new StdioClientTransport({ ...weather, env: noModel, stderr: "ignore" }))
    const { tools } = await client.listTools()
    const forecast = tools.find(({ name }) => name === "get_forecast")
    assert.deepStrictEqual(forecast?._meta?.["ui"], { resourceUri: "ui://get_forecast" })
  })

  it("reaches a wrapped server behind a URL with its headers, and asks for no login where they do", async () => {
    const scope = await Effect.runPromise(Scope.make())
    onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
    const guarded: Handler = (request, response, body) => {
      if (request.headers["x-key"] === "key-of-the-user-1") return statelessHttp(request, response, body)
      response.writeHead(401).end()
    }
    const { url } = await Effect.runPromise(Scope.provide(serveHttp(guarded), scope))
    const servers = { a: { type: "http", url, headers: { "X-Key": "key-of-the-user-1", Accept: "x" } }, b: { url } }
    const { run, text } = user(cursor(servers))
    const before = await run("status")
    assert.match(before.stdout, /a +not wrapped +starts: \d+ tool/)
    assert.match(before.stdout, /b +not wrapped +does not start: it asks for a login: mcp-gen-ui login http/)
    const wrap = await run("wrap --all --write --no-start")
    assert.notInclude(wrap.stdout, "key-of-the-user-1")
    const { a } = JSON.parse(text(CURSOR)).mcpServers
    assert.deepStrictEqual([a.type, a.env], ["stdio", { MCP_GEN_UI_HEADERS: "X-Key: key-of-the-user-1" }])
    const after = await run("status")
    assert.match(after.stdout, /a +wrapped +starts: \d+ tool/)
    assert.match(after.stdout, /b +wrapped +does not start: it asks for a login/)
  })

  it("shows one server of a host's file in the preview, wrapped or not", async () => {
    const { at, home, run } = user(cursor({ weather: { ...WEATHER, env: { PLACE: "here" } } }))
    const words = ["preview", "--config", join(home, CURSOR), "--server", "weather", "--port", "0"]
    const title = async () => {
      const { child, ended } = startBin(words, at)
      const said = await new Promise<string>((resolve) => child.stdout.on("data", (text: string) => resolve(text)))
      child.kill("SIGTERM")
      await ended
      return /^Preview of .*/m.exec(said)?.[0]
    }
    const plain = await title()
    assert.match(plain ?? "", /weather-server\.mjs$/)
    await run("wrap --all --write --no-start")
    assert.strictEqual(await title(), plain)
  })

  it("gives one server back to the byte while the file around it was changed by hand", async () => {
    const a = `"a": {"command":"a"}, // first`
    const { home, run, text } = user({
      [CURSOR]: `{ "mcpServers": {\n  ${a}\n  "b": { "args": ["x"], "command": "b" }\n} }\n`
    })
    const change = (from: string, to: string) => writeFileSync(join(home, CURSOR), text(CURSOR).replace(from, to))
    await run("wrap --server a --write --no-start")
    change(`"b": {`, `"c": {"command": "c"},\n  "b": {`)
    await run("wrap --server c --write --no-start")
    change(`"x"`, `"x", "y"`)
    await run("unwrap --server a --server c --write")
    assert.strictEqual(
      text(CURSOR),
      `{ "mcpServers": {\n  ${a}\n  "c": {"command": "c"},\n  "b": { "args": ["x", "y"], "command": "b" }\n} }\n`
    )
  })

  it("stops for a file that is broken or read-only only, says where, and ends with 1", async () => {
    const { home, run, text } = user({
      ...cursor({ weather: WEATHER }),
      ".codeium/windsurf/mcp_config.json": `{\n  "mcpServers": {\n    "a": { "command": "a",, }\n}`,
      ".lmstudio/mcp.json": `{ "mcpServers": { "a": { "command": "a" } } }`
    })
    chmodSync(join(home, ".lmstudio/mcp.json"), 0o444)
    const { status, stderr, stdout } = await run("wrap --all --write --no-start")
    assert.strictEqual(status, 1)
    assert.match(
      stderr,
      /mcp_config\.json: line 3, column 27: .*; allowed: JSON, with comments\. The file was left as it is/
    )
    assert.match(stderr, /\.lmstudio\/mcp\.json: is read-only; found mode 444/)
    assert.include(stdout, "Wrote ~/.cursor/mcp.json")
    assert.include(text(CURSOR), "mcp-gen-ui")
    assert.isFalse(existsSync(join(home, ".lmstudio/mcp.json.before-mcp-gen-ui")))
  })

  it("loses nothing when two run at once", async () => {
    const names = ["a", "b", "c", "d"]
    const { at, run, text } = user(cursor(Object.fromEntries(names.map((name) => [name, { command: name }]))))
    const before = text(CURSOR)
    const ended = await Promise.all(
      names.map((name) => startBin(["wrap", "--server", name, "--write", "--no-start"], at).ended)
    )
    assert.deepStrictEqual(
      ended.map(({ status }) => status),
      [0, 0, 0, 0]
    )
    const { mcpServers } = JSON.parse(text(CURSOR)) as {
      readonly mcpServers: Readonly<Record<string, { readonly args: ReadonlyArray<string> }>>
    }
    assert.deepStrictEqual(
      names.map((name) => mcpServers[name]?.args.at(-1)),
      names
    )
    assert.strictEqual((await run("unwrap --all --write")).status, 0)
    assert.strictEqual(text(CURSOR), before)
  })

  it("leaves servers alone that bring UIs for all their tools", async () => {
    const { home, run, text } = user(cursor({ weather: WEATHER }))
    const uis = { name: "a", inputSchema: { type: "object" }, _meta: { ui: { resourceUri: "ui://a" } } }
    const hidden = { command: "sh", args: ["-c", [process.execPath, bin, "--", ...weather].join(" ")] }
    const server = fileIn(
      home,
      "server.mjs",
      `
      const { createInterface } = await import("node:readline")
      for await (const line of createInterface({ input: process.stdin })) {
        const { id, method, params } = JSON.parse(line)
        // As many servers do: UIs are for hosts that show them.
        if (method === "initialize") globalThis.shows = params.capabilities.extensions !== undefined
        const result = method === "initialize" ? { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "a", version: "1" } } : { tools: globalThis.shows ? ${JSON.stringify([uis])} : [{ name: "a", inputSchema: { type: "object" } }] }
        if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result }))
      }`
    )
    writeFileSync(
      join(home, CURSOR),
      JSON.stringify({ mcpServers: { weather: WEATHER, own: { command: node, args: [server] }, hidden } })
    )
    const { stdout } = await run("wrap --all --write")
    for (const name of ["own", "hidden"]) {
      assert.include(stdout, `Cursor · ${name} is left alone: all its tools bring a UI.`)
    }
    assert.notInclude(JSON.stringify(JSON.parse(text(CURSOR)).mcpServers.own), "mcp-gen-ui.mjs")
    assert.include(text(CURSOR), "mcp-gen-ui.mjs")
    assert.match((await run("status")).stdout, /own +not wrapped +starts: 1 tool, 1 with a UI of its own/)
  })

  it.each([
    ["wrap --server weathr", 2, /no host has a server "weathr"; did you mean weather\?/],
    ["wrap", 2, /nobody can choose here; say --server NAME \(again for more\) or --all/],
    ["wrap --all -- node x", 2, /wrap takes servers from files of hosts/],
    ["wrap --all --http 8080", 2, /--http: does not go with wrap/],
    ["wrap --file none.json --all", 1, /none\.json: does not exist; check the path/],
    ["wrap --host curser", 2, /--host: found "curser"; allowed: .*cursor/],
    ["wrap --all --save-key", 2, /--save-key: there is no key to keep; set ANTHROPIC_API_KEY/],
    ["preview --server weather", 2, /--server: needs the file of the host beside it/],
    ["preview --server x --config ../.cursor/mcp.json", 2, /--server: found "x"; allowed: weather/],
    [
      "--config ../.cursor/mcp.json",
      2,
      /is the file of a host, .*wrap --file \S+" wraps its servers, .*preview --config \S+ --server NAME/
    ]
  ])("answers %s", async (line, code, message) => {
    const { run } = user(cursor({ weather: WEATHER }))
    const { status, stderr } = await run(line)
    assert.strictEqual(status, code)
    assert.match(stderr, message)
  })

  it("recognises files of hosts in every format where a configuration is wanted", async () => {
    const { home, run } = everyHost()
    for (const { path } of Object.values(HOST_FILES)) {
      assert.match((await run(`--config ${join(home, path)}`)).stderr, /is the file of a host/, path)
    }
  })

  it("keeps the key once, for this user alone, and every start reads it", async () => {
    const { home, run } = user(cursor({ weather: WEATHER }))
    const path = join(home, ".config/mcp-gen-ui/model.json")
    const saved = await run("wrap --all --save-key", { OPENAI_API_KEY: "sk-of-the-user" })
    assert.deepStrictEqual([saved.status, statSync(path).mode & 0o777], [0, 0o600])
    assert.notInclude(saved.stdout, "sk-of-the-user")
    assert.deepStrictEqual(JSON.parse(readFileSync(path, "utf8")), {
      llm: { provider: "openai", apiKey: "sk-of-the-user" }
    })
    const read = await run("config check -- x")
    assert.match(read.stdout, /llm\.provider +openai +\S+model\.json\n/)
    assert.match(read.stdout, /llm\.apiKey +\(set\) +\S+model\.json\n/)
    assert.match((await run("config check --llm none -- x")).stdout, /llm\.provider +none +--llm\n/)
    chmodSync(path, 0o644)
    assert.match(
      (await run("config check -- x")).stderr,
      /model\.json is not used: others can read it \(its mode is 644\); chmod 600 it/
    )
    chmodSync(path, 0o600)
    writeFileSync(path, "{")
    assert.match((await run("config check -- x")).stderr, /model\.json is not used: it is no \{ "llm": … \} in JSON/)
  })
})

describe("mcp-gen-ui status", () => {
  it("starts each server as its host does, and says of each whether that goes well", async () => {
    const { run } = user(
      cursor({
        weather: WEATHER,
        broken: { command: node, args: ["-e", "console.error('no license'); process.exit(3)"] },
        missing: { command: "no-such-program" },
        asks: { command: "x", env: { KEY: "${input:key}" } },
        off: { command: "x", disabled: true },
        gone: { url: "http://127.0.0.1:9/mcp" }
      })
    )
    assert.strictEqual((await run("wrap --server weather --server broken --write --no-start")).status, 0)
    const { stderr, stdout } = await run("status")
    assert.strictEqual(stderr, "")
    assert.match(stdout, /^Cursor {2}~\/\.cursor\/mcp\.json$/m)
    assert.match(stdout, /weather +wrapped +starts: 8 tools$/m)
    assert.match(stdout, /broken +wrapped +does not start: .*no license/)
    assert.match(stdout, /missing +not wrapped +does not start: the command "no-such-program" was not found/)
    assert.match(stdout, /asks +not wrapped +not started: the host asks for \$\{input:key\}/)
    assert.match(stdout, /off +not wrapped +not started: disabled/)
    assert.match(stdout, /gone +not wrapped +does not start: .*cannot be reached/)
    const { servers } = JSON.parse((await run("status --json --server weather")).stdout)
    assert.lengthOf(servers, 1)
    assert.deepInclude(servers[0], { host: "cursor", server: "weather", wrapped: true, state: "starts", tools: 8 })
  })

  it("runs nothing of a file that came with a folder, unless it is asked to", async () => {
    const { at, run } = user({})
    mkdirSync(join(at.cwd, ".vscode"))
    fileIn(at.cwd, ".vscode/mcp.json", { servers: { weather: WEATHER } })
    assert.match(
      (await run("status")).stdout,
      /weather +not wrapped +not started: its file is of this folder; --all starts it/
    )
    assert.match((await run("status --all")).stdout, /weather +not wrapped +starts: 8 tools/)
    assert.match((await run("status --file .vscode/mcp.json")).stdout, /weather +not wrapped +starts: 8 tools/)
  })

  it("warns where npx runs an old Node", async () => {
    const { home, run } = user(cursor({ a: { command: "npx", args: ["-y", "mcp-gen-ui", "--", "a"] } }))
    const old = join(home, "old")
    mkdirSync(old)
    fileIn(old, "node", "#!/bin/sh\necho v18.20.4\n")
    chmodSync(join(old, "node"), 0o755)
    const { stderr } = await run("status --no-start", { PATH: old })
    assert.match(stderr, /the Node on PATH is 18\.20\.4, and npx runs it: the wrapper needs 22\.19 or newer/)
    assert.match((await run("status --no-start", { PATH: home })).stderr, /no Node is on PATH, and npx runs it/)
    assert.strictEqual((await run("status --no-start", { PATH: dirname(process.execPath) })).stderr, "")
  })
})
