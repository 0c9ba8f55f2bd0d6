import { assert, describe, it } from "@effect/vitest"
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { runBin, runHere } from "../../fixtures/commandLine.ts"
import { fileFolder, fileIn } from "../../fixtures/folders.ts"

const folder = fileFolder()
const fileWith = (name: string, content: unknown): string => fileIn(folder, name, content)

const start = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
  runHere(args, { cwd: folder, env })
const check = (args: ReadonlyArray<string>, env?: Readonly<Record<string, string>>) =>
  start(["config", "check", ...args], env)

interface Checked {
  readonly ok: boolean
  readonly settings: Readonly<Record<string, { readonly value: unknown; readonly source: string }>>
  readonly notices: ReadonlyArray<{ readonly event: string }>
}

const checked = async (args: ReadonlyArray<string>, env?: Readonly<Record<string, string>>): Promise<Checked> => {
  const { status, stderr, stdout } = await check(["--json", ...args], env)
  assert.deepStrictEqual([status, stderr], [0, ""])
  return JSON.parse(stdout)
}

describe("mcp-gen-ui config check", () => {
  it("says every problem as a start says it, and ends with 2 as well", async () => {
    const typo = fileWith("typo.json", { llm: { modle: "x" }, cache: { maxEntries: 0 }, upstream: { command: "x" } })
    const broken = fileWith("broken.json", '{ "llm": ')
    const lines: ReadonlyArray<readonly [ReadonlyArray<string>, Readonly<Record<string, string>>]> = [
      [["--config", typo, "--http", "x"], { MCP_GEN_UI_LOG_LEVEL: "loud" }],
      [["--config", broken], {}],
      [["--config", join(folder, "missing.json")], {}],
      [["--prompt", "a", "--prompt-file", typo, "--", "x"], {}],
      [["--llm", "anthropic", "--", "x"], {}]
    ]
    for (const [args, environment] of lines) {
      const told = await check(args, environment)
      assert.deepStrictEqual([told.status, told.stdout], [2, ""], args.join(" "))
      assert.strictEqual(told.stderr, (await start(args, environment)).stderr)
    }
    assert.match((await check(["--config", typo])).stderr, /did you mean "model"\?/)
    const { status, stderr } = runBin(["config", "check", "--config", typo], { cwd: folder })
    assert.deepStrictEqual([status, stderr], [2, (await check(["--config", typo])).stderr])
  })

  it("looks at the files of the house's look, and tells where a template is wrong", async () => {
    fileWith("house.html", "<p>\n<script></script><slot></slot>")
    const config = fileWith("house.json", { upstream: { command: "x" }, generation: { baseTemplate: "house.html" } })
    assert.deepStrictEqual(await check(["--config", config]), {
      status: 2,
      stdout: "",
      stderr: `mcp-gen-ui: ${config}: generation.baseTemplate: ${join(folder, "house.html")}: line 2: <script> is not allowed\n`
    })
  })

  it("looks at declared views, and tells where one is wrong and what is allowed", async () => {
    const views = join(folder, "views")
    mkdirSync(views)
    fileIn(views, "good.view.json", { kind: "list" })
    const bad = fileIn(views, "bad.view.json", { kind: "table", columns: [{ key: "a", align: "left" }] })
    const config = fileWith("views.json", { upstream: { command: "x" }, generation: { uiDirectory: "views" } })
    const { status, stderr } = await check(["--config", config])
    assert.deepStrictEqual(
      [status, stderr],
      [
        2,
        `mcp-gen-ui: ${config}: generation.uiDirectory: ${bad}: columns[0].align: found "left"; allowed: "start", "center", "end"\n`
      ]
    )
  })

  it("says what holds and who said it", async () => {
    const config = fileWith("all.json", {
      upstream: { command: "node", args: ["server.js"], cwd: "." },
      llm: { provider: "openai", model: "of-file", maxTokens: 4000 },
      cache: { directory: "uis" },
      generation: { enabledTools: ["get_*"], tools: { "a.b": { theme: "dark", examples: [{}, {}] } } },
      logging: { file: "log.txt" }
    })
    const { notices, ok, settings } = await checked(["--config", config, "--model", "of-flag"], {
      OPENAI_API_KEY: "sk-0123456789abcdef",
      MCP_GEN_UI_LOG_FORMAT: "json",
      MCP_GEN_UI_NO_CACHE: "0"
    })
    assert.isTrue(ok)
    assert.deepStrictEqual(
      notices.map(({ event }) => event),
      ["model-chosen"]
    )
    const expected: ReadonlyArray<readonly [string, unknown, string]> = [
      ["upstream.command", "node", config],
      ["upstream.transport", "stdio", config],
      ["upstream.args", ["server.js"], config],
      ["llm.provider", "openai", config],
      ["llm.model", "of-flag", "--model"],
      ["llm.maxTokens", 4000, config],
      ["llm.apiKey", "(set)", "OPENAI_API_KEY"],
      ["cache.type", "filesystem", config],
      ["cache.directory", join(folder, "uis"), config],
      ["cache.maxEntries", 100, "default"],
      ["cache.enabled", true, "default"],
      ["generation.enabledTools", ["get_*"], config],
      ['generation.tools["a.b"].theme', "dark", config],
      ['generation.tools["a.b"].examples', "2 of them", config],
      ["logging.format", "json", "MCP_GEN_UI_LOG_FORMAT"],
      ["logging.destination", "file", config],
      ["toolPrefix", "_ui_", "default"]
    ]
    for (const [path, value, source] of expected) assert.deepStrictEqual(settings[path], { value, source }, path)
  })

  it("knows that a server on the command line is another one than that of the file", async () => {
    const config = fileWith("other.json", { upstream: { url: "https://example.com/mcp", headers: { "X-Key": "a" } } })
    const { settings } = await checked(["--config", config, "--", "node", "x.js"])
    assert.deepStrictEqual(settings["upstream.command"], { value: "node", source: "--" })
    assert.isUndefined(settings["upstream.url"])
    const line = await checked(["--upstream", "node y.js"])
    assert.deepStrictEqual(line.settings["upstream.args"], { value: ["y.js"], source: "--upstream" })
  })

  it("says which key chose the model, and which variable the folder", async () => {
    const { settings } = await checked([], { ANTHROPIC_API_KEY: "sk-ant-0123456789", MCP_GEN_UI_CACHE_DIR: "here" })
    assert.deepStrictEqual(settings["llm.provider"], { value: "anthropic", source: "ANTHROPIC_API_KEY" })
    assert.deepStrictEqual(settings["cache.directory"], { value: join(folder, "here"), source: "MCP_GEN_UI_CACHE_DIR" })
  })

  it("needs no server, and starts none", async () => {
    const without = await check([])
    assert.strictEqual(without.status, 0)
    assert.match(without.stdout, /^ok\n\n/)
    assert.notInclude(without.stdout, "upstream")
    assert.include(without.stderr, "no server was named")
    assert.include(without.stderr, "every tool gets the built-in UI")
    const mark = join(folder, "started")
    const script = `require("node:fs").mkdirSync(${JSON.stringify(mark)})`
    assert.strictEqual((await check(["--", process.execPath, "-e", script])).status, 0)
    assert.isFalse(existsSync(mark))
  })

  it("is a list that a person can read", async () => {
    const config = fileWith("list.json", { generation: { prompt: `Use\nblue. ${"x".repeat(200)}` } })
    const { stdout } = await check(["--config", config])
    assert.match(stdout, /^generation\.prompt {2,}Use blue\. x+… {2}\S*list\.json$/m)
    assert.match(stdout, /^toolRefresh\.retryBackoffMs {2,}\[30000,60000,120000\] +default$/m)
  })

  it("finds prompts that cannot be used", async () => {
    mkdirSync(join(folder, "prompts"))
    writeFileSync(join(folder, "prompts/generat.md"), "")
    const config = fileWith("prompts.json", { generation: { promptsDirectory: "prompts" } })
    const { status, stderr, stdout } = await check(["--config", config])
    assert.deepStrictEqual([status, stdout], [2, ""])
    assert.match(stderr, /generat\.md: there is no prompt of this name; did you mean generate\.md\?/)
  })

  it("renders prompts, with or without a key, and names folders that cannot be used", async () => {
    mkdirSync(join(folder, "broken"))
    const prompt = join(folder, "broken/generate.md")
    writeFileSync(prompt, "{% if toolPrompt %}{{ nope }}{% endif %}")
    const config = fileWith("broken-prompts.json", { generation: { promptsDirectory: "broken" } })
    for (const environment of [{}, { ANTHROPIC_API_KEY: "sk-ant-0123456789" }]) {
      const { status, stderr, stdout } = await check(["--config", config, "--", "x"], environment)
      assert.deepStrictEqual([status, stdout], [2, ""])
      assert.strictEqual(stderr, `mcp-gen-ui: ${prompt}: line 1, column 23: undefined variable: nope\n`)
    }

    const missing = fileWith("missing.json", {
      generation: { promptsDirectory: "nowhere", uiDirectory: "nowhere" },
      cache: { directory: "later" },
      exportDirectory: "missing.json"
    })
    const { status, stderr } = await check(["--config", missing, "--", "x"])
    assert.strictEqual(status, 2)
    const nowhere = join(folder, "nowhere")
    assert.deepStrictEqual(stderr.trim().split("\n").slice(1), [
      `  ${missing}: exportDirectory: ${missing}: a file stands where this folder should be; name another, or leave exportDirectory out`,
      ...["promptsDirectory", "uiDirectory"].map(
        (key) =>
          `  ${missing}: generation.${key}: ${nowhere}: there is no such folder; make it, or leave generation.${key} out`
      )
    ])
    assert.match(
      (await check(["--cache-dir", missing])).stderr,
      /^mcp-gen-ui: --cache-dir: .*, or leave --cache-dir out\n$/
    )
    assert.strictEqual((await check(["--cache-dir", missing, "--no-cache"])).status, 0)
    assert.isFalse(existsSync(join(folder, "later")))
  })

  it("finds a log file that keeps a start from happening, and makes none", async () => {
    const at = join(folder, "logs")
    mkdirSync(join(at, "folder"), { recursive: true })
    writeFileSync(join(at, "file"), "kept")
    symlinkSync("new.log", join(at, "link"))
    symlinkSync("nowhere/new.log", join(at, "dead"))
    const before = readdirSync(at)
    const wrong: ReadonlyArray<readonly [string, string]> = [
      ["nowhere/l.log", "its folder does not exist; create it first"],
      ["dead", "its folder does not exist; create it first"],
      ["folder", "it is a folder; name a file"],
      ["new/", "it is a folder; name a file"],
      ["file/l.log", "a part of its path is not a folder; name another"]
    ]
    for (const [name, detail] of wrong) {
      const file = `${at}/${name}`
      const { status, stderr, stdout } = await check(["--log-file", file])
      assert.deepStrictEqual([status, stdout], [2, ""], name)
      assert.strictEqual(stderr, `mcp-gen-ui: --log-file: ${file}: the log file cannot be written: ${detail}\n`)
      const started = await start(["--log-file", file, "--", "x"])
      assert.strictEqual(started.status, 2)
      assert.strictEqual(started.stderr, `mcp-gen-ui: the log file ${file} cannot be written: ${detail}\n`)
    }
    const config = fileWith("log.json", { logging: { file: "logs/folder" } })
    assert.include((await check(["--config", config])).stderr, `${config}: logging.file: ${join(at, "folder")}: `)
    for (const name of ["file", "link", "new.log"]) {
      assert.strictEqual((await check(["--log-file", join(at, name)])).status, 0, name)
    }
    assert.deepStrictEqual(readdirSync(at), before)
  })

  it("finds a link that leads nowhere where a folder should be", async () => {
    const link = join(folder, "dead-link")
    symlinkSync(join(folder, "not-there"), link)
    for (const path of [link, join(link, "below")]) {
      const { status, stderr } = await check(["--cache-dir", path])
      assert.strictEqual(status, 2)
      assert.strictEqual(
        stderr,
        `mcp-gen-ui: --cache-dir: ${path}: a link that leads nowhere stands where this folder should be; ` +
          "name another, or leave --cache-dir out\n"
      )
    }
    assert.strictEqual((await check(["--cache-dir", join(folder, "not", "yet")])).status, 0)
  })

  it.skipIf(process.platform === "win32")(
    "refuses folders for what is taken for ours if others can write to them",
    async () => {
      const wide = join(folder, "wide")
      mkdirSync(wide)
      chmodSync(wide, 0o777)
      const why = "others can write to it (its mode is 777); look at what is in it, then chmod 700 it"
      const { status, stderr } = await check(["--cache-dir", wide])
      assert.deepStrictEqual([status, stderr], [2, `mcp-gen-ui: --cache-dir: ${wide}: ${why}\n`])
      assert.strictEqual((await check(["--cache-dir", wide, "--no-cache"])).status, 0)
      assert.strictEqual((await check(["--export-dir", wide])).status, 0)
      const config = fileWith("wide.json", { refinements: { persist: true } })
      const usual = join(wide, "mcp-gen-ui")
      mkdirSync(usual)
      chmodSync(usual, 0o775)
      const refused = (await check(["--config", config], { XDG_STATE_HOME: wide })).stderr
      assert.strictEqual(refused, `mcp-gen-ui: refinements.directory: ${usual}: ${why.replace("777", "775")}\n`)
    }
  )

  it("shows no password of an address that is refused, and says what is wrong with it", async () => {
    const config = fileWith("redis.json", { cache: { type: "redis", url: "${REDIS_URL}" } })
    const password = "Hunter2Secret"
    const lines: ReadonlyArray<readonly [ReadonlyArray<string>, Readonly<Record<string, string>>, RegExp]> = [
      ...["/xyz==", "#xyz", "?xyz"].map(
        (rest) => [["--config", config], { REDIS_URL: `redis://u:${password}${rest}@h:6379/0` }, /%2F/] as const
      ),
      [["--config", config], { REDIS_URL: `u:${password}@h:6379` }, /begins with redis:/],
      [["--", `https://user:${password}/x@host/mcp`], {}, /found "https:\/\/\[redacted\]@host\/mcp".*%2F/],
      [["--", `ftp://user:${password}/x@host/mcp`], {}, /found "ftp:\/\/\[redacted\]@host\/mcp".*begins with http/],
      [["--upstream", `https://user:${password} x@host/mcp`], {}, /1 more word after the URL/],
      [["--llm", "openai"], { OPENAI_BASE_URL: `user:${password}/x@host` }, /found "\[redacted\]@host"/],
      [["--config", fileWith("url.json", { upstream: { url: `u:${password}@h` } })], {}, /found "\[redacted\]@h"/],
      [["--config", fileWith("cache.json", { cache: `u:${password}` })], {}, /not shown/]
    ]
    for (const [args, environment, reason] of lines) {
      const { status, stderr } = await check(args, environment)
      assert.strictEqual(status, 2, stderr)
      assert.notInclude(stderr, password)
      assert.match(stderr, reason)
    }
  })

  it("shows no secret, wherever it comes from", async () => {
    const secrets = ["env-aaaaaaaaaaaa", "head-bbbbbbbbbbbb", "tok-cccccccccccc", "pw-dddddddddddd", "arg-eeeeeeeeeeee"]
    const [inEnv = "", inHeader = "", token = "", password = "", argument = ""] = secrets
    const http = fileWith("http.json", {
      upstream: {
        url: `https://user:${password}@example.com/s/${argument}/mcp?key=${token}`,
        headers: { "X-Key": inHeader }
      },
      cache: { url: `redis://:${password}@localhost` },
      http: { port: 8080, token: "0123456789012345678901234567890123456789" }
    })
    const stdio = fileWith("stdio.json", {
      upstream: { command: "node", args: ["--api-key", argument], env: { PLAIN: inEnv } },
      llm: { provider: "anthropic", apiKey: token }
    })
    for (const [file, ...extra] of [[http, "--json"], [http], [stdio, "--json"], [stdio]]) {
      const { status, stderr, stdout } = await check(["--config", file ?? "", ...extra])
      assert.strictEqual(status, 0, stderr)
      assert.include(stdout, "(set)")
      for (const secret of [...secrets, "0123456789012345"]) assert.notInclude(stdout + stderr, secret)
    }
  })
})
