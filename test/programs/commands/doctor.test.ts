import { assert, describe, it } from "@effect/vitest"
import { chmodSync, mkdirSync, symlinkSync } from "node:fs"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { startBin } from "../../fixtures/commandLine.ts"
import { fileFolder, fileIn } from "../../fixtures/folders.ts"
import { type Answer, startModelStandIn } from "../../fixtures/model-stand-in/ModelStandIn.ts"
import { fixtureServer, root } from "../../fixtures/RawClient.ts"
import { KEY } from "../../fixtures/wrapperWithModel.ts"

const folder = fileFolder()
let files = 0
const config = (content: unknown): ReadonlyArray<string> => [
  "--config",
  fileIn(folder, `config-${++files}.json`, content)
]
/** A server with these tools. */
const listing = (...tools: ReadonlyArray<object>): ReadonlyArray<string> => [
  "--",
  process.execPath,
  fixtureServer("listed.mjs"),
  fileIn(folder, `tools-${++files}.json`, tools)
]
const tool = (name: string, more: object = {}) => ({ name, inputSchema: { type: "object" }, ...more })
const weather = ["--", process.execPath, join(root, "examples/weather-server.mjs")]
const script = (code: string): ReadonlyArray<string> => ["--", process.execPath, "-e", code]

/** A folder for PATH with one program, so that no browser is found. */
const pathWith = (name: string, node: string | undefined): string => {
  const path = join(folder, name)
  mkdirSync(path)
  if (node === undefined) symlinkSync(process.execPath, join(path, "node"))
  else chmodSync(fileIn(path, "node", node), 0o755)
  return path
}
const PATH = pathWith("now", undefined)
mkdirSync(join(folder, "prompts"))
fileIn(join(folder, "prompts"), "generate.md", "{{ nobody }}")
const OLD = pathWith("old", "#!/bin/sh\necho v18.19.0\n")

interface Report {
  readonly ok: boolean
  readonly findings: ReadonlyArray<{ check: string; state: string; text: string; mend?: string }>
}

interface Run {
  readonly words: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
  /** What the model's API answers; it is asked as Anthropic's unless `env` says otherwise. */
  readonly answer?: Answer
  readonly llm?: "anthropic" | "openai" | "ollama"
}

const environmentOf = (url: string, llm: Run["llm"] = "anthropic") =>
  ({
    anthropic: { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: url },
    openai: { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${url}/v1` },
    ollama: { OLLAMA_HOST: url }
  })[llm]

const doctor = async ({ answer, env = {}, llm, words }: Run) => {
  const model = answer === undefined ? undefined : await startModelStandIn({ answer: () => answer })
  const ofModel = model === undefined ? {} : environmentOf(model.url, llm)
  const { stderr, stdout, status } = await startBin(["doctor", "--json", ...words], {
    cwd: folder,
    env: { PATH, ...ofModel, ...env }
  }).ended
  await model?.close()
  assert.notInclude(stdout + stderr, KEY)
  const report = JSON.parse(stdout) as Report
  assert.strictEqual(status, report.ok ? 0 : 1)
  return report
}

const refused = (status: number, message: string, type?: string): Answer => ({
  error: { status, message, ...(type !== undefined && { type }) }
})

describe("mcp-gen-ui doctor names a seeded fault", () => {
  it.each<[name: string, run: Run, check: string, state: string, text: RegExp, mend?: RegExp]>([
    [
      "an old node on PATH",
      { words: weather, env: { PATH: OLD } },
      "node",
      "warn",
      /node on PATH is v18\.19\.0; 22\.19 is needed/,
      /install a newer Node/
    ],
    ["no node on PATH", { words: weather, env: { PATH: folder } }, "node", "warn", /no node on PATH/, /full path/],
    [
      "a slip in a key",
      { words: [...config({ cache: { maxEntires: 1 } }), ...weather] },
      "settings",
      "fail",
      /cache\.maxEntires: .*did you mean "maxEntries"/
    ],
    [
      "a file that is not there",
      { words: ["--config", "nope.json", ...weather] },
      "settings",
      "fail",
      /nope\.json: does not exist; check the path/
    ],
    [
      "a comment in the file",
      { words: [...config("{ // no\n}"), ...weather] },
      "settings",
      "fail",
      /a comment, which JSON does not have; remove it/
    ],
    [
      "a variable that is not set",
      { words: config({ upstream: { url: "https://${NOWHERE}/mcp" } }) },
      "settings",
      "fail",
      /upstream\.url: needs the environment variable NOWHERE, which is not set/
    ],
    ["no server", { words: [] }, "server", "warn", /no server was named/, /mcp-gen-ui doctor -- node server\.js/],
    [
      "a variable before the command",
      { words: ["--", "TOKEN=x", "node", "a.js"] },
      "settings",
      "fail",
      /"TOKEN=…" is no command/
    ],
    [
      "a log file nowhere",
      { words: ["--log-file", "no/such.log", ...weather] },
      "settings",
      "fail",
      /no\/such\.log.*its folder does not exist; create it first/
    ],
    [
      "a folder for prompts that is not there",
      { words: [...config({ generation: { promptsDirectory: "nowhere" } }), ...weather] },
      "prompts",
      "fail",
      /there is no such folder; make it, or leave/
    ],
    [
      "a prompt that does not render",
      { words: [...config({ generation: { promptsDirectory: "prompts" } }), ...weather] },
      "prompts",
      "fail",
      /generate\.md/
    ],
    [
      "a command that is not there",
      { words: ["--", "no-such-command"] },
      "server",
      "fail",
      /"no-such-command" was not found on PATH\. Check the spelling/
    ],
    [
      "a command in one word",
      { words: ["--", "no-such-command server.js"] },
      "server",
      "fail",
      /Write each word by itself: mcp-gen-ui -- no-such-command server\.js/
    ],
    [
      "a file that may not be run",
      { words: ["--", join(root, "examples/weather-server.mjs")] },
      "server",
      "fail",
      /may not be executed\. Make it executable/
    ],
    [
      "a folder to start in that is not there",
      { words: config({ upstream: { command: "node", cwd: "nowhere" } }) },
      "settings",
      "fail",
      /upstream\.cwd: .*there is no such folder/
    ],
    [
      "a server that ends",
      { words: script("console.error('Error: no database'); process.exit(3)") },
      "server",
      "fail",
      /ended with exit code 3 and never answered\. The last that it wrote on standard error:\s+Error: no database/
    ],
    [
      "a server that refuses",
      {
        words: script(
          'require("readline").createInterface(process.stdin).on("line", (l) => { const { id } = JSON.parse(l); if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, error: { code: 1, message: "licence expired" } })) })'
        )
      },
      "server",
      "fail",
      /licence expired/
    ],
    ["a server without tools", { words: listing() }, "server", "warn", /has no tools/],
    ["a URL where nobody is", { words: ["--", "http://127.0.0.1:9/mcp"] }, "server", "fail", /127\.0\.0\.1:9/],
    [
      "a name that hosts refuse",
      { words: listing(tool("get.film"), tool("ok")) },
      "tools",
      "fail",
      /the name "get\.film" has other characters.*Claude then drops all tools/,
      /rename it/
    ],
    ["a long name", { words: listing(tool("n".repeat(59))) }, "tools", "warn", /more than 50 characters: Cursor drops/],
    ["two tools of one name", { words: listing(tool("a"), tool("a")) }, "tools", "warn", /two tools are called "a"/],
    [
      "a tool without a schema",
      { words: listing({ name: "bare" }) },
      "tools",
      "fail",
      /the inputSchema of "bare" is missing/,
      /\{"type": "object"\}/
    ],
    [
      "a slip in enabledTools",
      { words: [...config({ generation: { enabledTools: ["get_forcast"] } }), ...weather] },
      "tools",
      "warn",
      /enabledTools: the server has no tool "get_forcast"; did you mean "get_forecast"/
    ],
    [
      "a slip in generation.tools",
      { words: [...config({ generation: { tools: { get_forcast: {} } } }), ...weather] },
      "tools",
      "warn",
      /generation\.tools: .*did you mean "get_forecast"/
    ],
    [
      "a slip in records",
      {
        words: [...config({ generation: { tools: { get_forecast: { records: { get: "get_forcast" } } } } }), ...weather]
      },
      "tools",
      "warn",
      /records\.get: .*did you mean "get_forecast"/
    ],
    [
      "a slip in a dashboard",
      { words: [...config({ dashboards: { day: { cards: [{ tool: "get_forcast" }] } } }), ...weather] },
      "tools",
      "warn",
      /dashboards\.day\.cards\[0\]\.tool: .*Did you mean "get_forecast"/
    ],
    [
      "a port for all without a token",
      { words: ["--http", "0.0.0.0:8080", ...weather] },
      "settings",
      "fail",
      /MCP_GEN_UI_TOKEN/
    ],
    ["no model", { words: weather }, "model", "warn", /no model is chosen/, /set ANTHROPIC_API_KEY/],
    [
      "no key",
      { words: ["--llm", "openai", ...weather] },
      "settings",
      "fail",
      /openai needs a key and OPENAI_API_KEY is not set/
    ],
    [
      "a wrong key",
      { words: weather, answer: refused(401, `invalid x-api-key ${KEY}`) },
      "model",
      "fail",
      /ANTHROPIC_API_KEY holds a key that anthropic does not accept \(HTTP 401\)/,
      /put a right one into ANTHROPIC_API_KEY/
    ],
    [
      "a wrong key of our variable",
      {
        words: ["--llm", "openai", ...weather],
        answer: refused(401, "no"),
        llm: "openai",
        env: { MCP_GEN_UI_API_KEY: KEY }
      },
      "model",
      "fail",
      /MCP_GEN_UI_API_KEY holds a key that openai does not accept/
    ],
    [
      "no credit",
      { words: weather, answer: refused(402, "credit balance too low", "billing_error") },
      "model",
      "fail",
      /takes the key, but not the account: credit balance/,
      /console\.anthropic\.com/
    ],
    [
      "a model that is not there",
      { words: ["--model", "claude-99", ...weather], answer: refused(404, "model: claude-99", "not_found_error") },
      "model",
      "fail",
      /anthropic has no model "claude-99"/,
      /--model NAME/
    ],
    [
      "a model that is not pulled",
      {
        words: ["--llm", "ollama", "--model", "tiny", ...weather],
        answer: refused(404, "model 'tiny' not found"),
        llm: "ollama"
      },
      "model",
      "fail",
      /ollama has no model "tiny"/,
      /ollama pull tiny/
    ],
    [
      "an Ollama that does not run",
      { words: ["--llm", "ollama", ...weather], env: { OLLAMA_HOST: "127.0.0.1:19" } },
      "model",
      "fail",
      /ollama cannot be reached/,
      /ollama serve/
    ],
    [
      "a rate limit",
      { words: weather, answer: refused(429, "slow down", "rate_limit_error") },
      "model",
      "warn",
      /takes no more requests for now: slow down/
    ]
  ])("%s", async (_name, run, check, state, text, mend) => {
    const { findings } = await doctor(run)
    const found = findings.filter((one) => one.check === check && one.state === state)
    assert.isTrue(
      found.some((one) => text.test(one.text) && (mend?.test(one.mend ?? "") ?? true)),
      JSON.stringify(findings, null, 1)
    )
  })
})

describe("mcp-gen-ui doctor", () => {
  it("finds nothing where all is well, and asks the model once, for little", async () => {
    const model = await startModelStandIn({ answer: "ok" })
    const env = { PATH, ...environmentOf(model.url), MCP_GEN_UI_CACHE_DIR: join(folder, "uis") }
    const { status, stdout } = await startBin(["doctor", ...weather], { cwd: folder, env }).ended
    await model.close()
    assert.match(stdout, /^✓ model {5}anthropic takes the key of ANTHROPIC_API_KEY, and answers as claude-\S+, in \d/m)
    assert.match(stdout, /^✓ server {4}"node weather-server\.mjs" starts and lists 8 tools$/m)
    assert.notMatch(stdout, /^[!✗]/m)
    assert.notInclude(stdout, KEY)
    assert.lengthOf(model.requests, 1)
    assert.isBelow(JSON.stringify(model.requests[0]?.body).length, 400)
    assert.strictEqual(status, 0)
  })

  it("says each fault in a line with how to mend it, and ends with 1", async () => {
    const run = await startBin(["doctor", ...listing(tool("a b"))], { cwd: folder, env: { PATH } }).ended
    assert.match(run.stdout, /^✗ tools {5}the name "a b" has .*\n {14}→ rename it in the server$/m)
    assert.match(run.stderr, /mcp-gen-ui: 1 thing has to be mended\n$/)
    assert.strictEqual(run.status, 1)
  })

  it.each([
    ["a login", {}, "asks for a login", /^mcp-gen-ui login http:\/\/127/],
    [
      "a token",
      { MCP_GEN_UI_UPSTREAM_TOKEN: "wrong-token-1234" },
      "does not accept the token",
      /MCP_GEN_UI_UPSTREAM_TOKEN/
    ]
  ])("opens no browser where a server asks for %s", async (_name, env, text, mend) => {
    const server = createServer((_request, response) => void response.writeHead(401).end())
    await once(server.listen(0, "127.0.0.1"), "listening")
    const { port } = server.address() as AddressInfo
    const { findings } = await doctor({ words: ["--", `http://127.0.0.1:${port}/mcp`], env })
    server.close()
    const found = findings.find(({ check }) => check === "server")
    assert.strictEqual(found?.text, `"http://127.0.0.1:${port}/mcp" ${text} (HTTP 401)`)
    assert.match(found?.mend ?? "", mend)
  })

  it("looks at a server as the file of a host has it", async () => {
    const [, command = "", ...args] = weather
    const lead = ["--", command, ...args]
    const file = fileIn(folder, "mcp.json", {
      mcpServers: {
        plain: { command, args },
        wrapped: { command: "npx", args: ["-y", "mcp-gen-ui", ...lead] },
        off: { command, args, disabled: true },
        away: { command, args, cwd: join(folder, "nowhere") },
        ends: { command, args: ["-e", "throw new Error(process.env.WHY)"], env: { WHY: "no licence" } }
      }
    })
    const linesOf = async (server: string) =>
      (await doctor({ words: ["--config", file, "--server", server] })).findings
        .filter(({ check }) => check === "host" || check === "server")
        .map(({ mend = "", state, text }) => `${state} ${text} ${mend}`)
    assert.deepStrictEqual(await linesOf("plain"), [
      `warn "plain" is not wrapped in ${file} mcp-gen-ui wrap --file ${file} --server plain`,
      'ok "node weather-server.mjs" starts and lists 8 tools '
    ])
    assert.strictEqual((await linesOf("wrapped"))[0], `ok "wrapped" is wrapped in ${file} `)
    assert.include(await linesOf("off"), "warn it is disabled there enable it in the host")
    assert.match((await linesOf("ends"))[1] ?? "", /^fail .*no licence/s)
    assert.match(
      (await linesOf("palin"))[0] ?? "",
      /^fail --server: found "palin"; allowed: plain, wrapped, off, away, ends/
    )
    assert.match(
      (await linesOf("away"))[0] ?? "",
      /^fail .*mcp\.json: found cwd ".*nowhere" of away; allowed: a folder that is there/
    )
    const { findings } = await doctor({ words: ["--config", file] })
    assert.match(findings.find(({ state }) => state === "fail")?.text ?? "", /mcp-gen-ui wrap --file/)
  })

  it("says what a server is silent about, and goes on", async () => {
    const { findings } = await doctor({ words: script("process.stdin.resume()") })
    const found = findings.find(({ check }) => check === "server")
    assert.deepInclude(found, { state: "fail", text: '"node" has not answered within 15 s' })
    assert.match(found?.mend ?? "", /run the command by itself in a terminal/)
    assert.isDefined(findings.find(({ check }) => check === "model"))
  })
})
