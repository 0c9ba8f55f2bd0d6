import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { execFileSync } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parse as parseYaml } from "yaml"
import { readPlainArguments } from "../../src/domain/settings/ConfigFlags.ts"
import { parseViewFile } from "../../src/domain/views/ViewFile.ts"
import { resolveSettings } from "../../src/layers/settings/Settings.ts"
import { readServers } from "../../src/programs/commands/hostFiles.ts"
import { readCommandLine } from "../../src/programs/commands/readCommandLine.ts"
import { runBin, runHere } from "../fixtures/commandLine.ts"
import { blocks, commands } from "../fixtures/documentation.ts"
import { parseUiDeclaration } from "../../src/domain/tools/UiDeclaration.ts"
import { fileFolder, fileIn } from "../fixtures/folders.ts"
import { root } from "../fixtures/RawClient.ts"

/** Run in the folder of a newcomer, one after the other, with a stand-in where a server of somebody else is named. */
const RUN: Readonly<Record<string, { readonly says: RegExp; readonly code?: number }>> = {
  "mcp-gen-ui wrap": { says: /File|Cursor · files/, code: 2 },
  "mcp-gen-ui wrap --all --write --cache-dir ~/uis": { says: /Wrote .*mcp\.json/ },
  "mcp-gen-ui status": { says: /files +wrapped +starts: \d+ tools/ },
  "mcp-gen-ui unwrap": { says: /files[^]*nobody can choose here/, code: 2 },
  "mcp-gen-ui config check --config wrapper.json --llm none -- node server.js": { says: /llm\.provider +none/ },
  "mcp-gen-ui config check": { says: /llm\.provider/ },
  "mcp-gen-ui doctor": { says: /no server/ },
  "mcp-gen-ui doctor -- node server.js": { says: /✓.*tools/ },
  "mcp-gen-ui doctor --config HOSTFILE --server NAME": { says: /✓.*tools/ },
  "mcp-gen-ui prompt <tool>": { says: /no server to wrap was named/, code: 2 },
  "mcp-gen-ui prompt <tool> -- <server>": { says: /get_forecast/ },
  "mcp-gen-ui prompt get_forecast -- node server.js": { says: /get_forecast/ },
  "mcp-gen-ui generate --corpus tools --out sizes.jsonl": { says: /1 tool/ },
  "mcp-gen-ui export --out uis -- npx some-server": { says: /list_orders/ },
  'mcp-gen-ui export --out uis --tools "list_*" --cache-dir ~/.cache/uis -- npx some-server': { says: /list_orders/ },
  "mcp-gen-ui import uis --cache-dir ~/.cache/uis -- npx some-server": { says: /list_orders +accepted/ },
  "mcp-gen-ui import my-table.html --tool list_orders --cache-dir ~/.cache/uis -- npx some-server": {
    says: /list_orders +\w/
  },
  "mcp-gen-ui cache ls": { says: /empty/ },
  "mcp-gen-ui cache show <tool or key>": { says: /no UI in the cache/, code: 2 },
  "mcp-gen-ui cache clear [--tool NAME]": { says: /nothing of get_forecast/ },
  "mcp-gen-ui cache stats": { says: /entries +0/ },
  "mcp-gen-ui logout https://mcp.example.com/mcp": { says: /./ }
}

/** The bin itself, which serves a host on standard input for as long as that is open. */
const SERVED = [
  "mcp-gen-ui -- node server.js",
  "mcp-gen-ui --embed-ui -- node server.js",
  "mcp-gen-ui -- npx -y @modelcontextprotocol/server-filesystem /some/folder"
]

/** Run for ever, open a browser, or need the net: read as a start would, up to the settings. */
const READ = [
  "mcp-gen-ui prompt TOOL -- SERVER",
  "MCP_GEN_UI_OAUTH_CLIENT_SECRET=… mcp-gen-ui login https://mcp.example.com/mcp --client-id ID",
  "OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318 mcp-gen-ui -- node server.js",
  `export MCP_GEN_UI_TOKEN="$(node -p "crypto.randomBytes(32).toString('hex')")"; mcp-gen-ui --http 0.0.0.0:8080 -- node server.js`,
  "mcp-gen-ui -- URL",
  "mcp-gen-ui -- https://mcp.example.com/mcp",
  "mcp-gen-ui --http 8080 -- node server.js",
  "mcp-gen-ui --http 8080 -- npx -y @modelcontextprotocol/server-everything",
  "mcp-gen-ui login URL",
  "mcp-gen-ui login URL --callback-port 9696",
  "mcp-gen-ui login https://mcp.example.com/mcp",
  "mcp-gen-ui preview",
  "mcp-gen-ui preview --gallery",
  "mcp-gen-ui preview -- http://127.0.0.1:8790/mcp",
  "mcp-gen-ui preview -- <command>",
  "mcp-gen-ui preview -- node server.js",
  "mcp-gen-ui preview -- node examples/database-server/main.ts shop.sqlite",
  "mcp-gen-ui preview --config examples/database-server/dashboard.json -- node examples/database-server/main.ts shop.sqlite",
  "mcp-gen-ui preview --config ~/.cursor/mcp.json --server files"
]

/** Programs of others. */
const FOREIGN = [
  "docker build -t mcp-gen-ui .",
  "npx -p mcp-remote mcp-remote-client URL",
  "npx mcp-remote URL",
  "npx mcp-remote URL 9696",
  "npx changeset version"
]

const own = commands.filter((command) => /^(?:export .*; |\w+=\S+ )*mcp-gen-ui /.test(command))
const ofClone = commands.filter((command) => !own.includes(command) && !FOREIGN.includes(command))

/** What stands for something of the reader's. */
const PLACEHOLDERS: ReadonlyArray<readonly [RegExp, string]> = [
  [/<(?:command|server)>/, "node server.js"],
  [/<tool(?: or key)?>/, "get_forecast"],
  [/\[--tool NAME\]/, "--tool get_forecast"],
  [/\bHOSTFILE --server NAME/, "~/.cursor/mcp.json --server files"],
  [/\bURL\b/, "https://mcp.example.com/mcp"],
  [/…/, "secret"]
]

const home = fileFolder()
const programs = join(home, "programs")
const environment = { HOME: home, XDG_CONFIG_HOME: join(home, ".config"), XDG_CACHE_HOME: join(home, ".cache") }
const serverFile = readFileSync(join(root, "examples/weather-server.mjs"), "utf8")
const hostFile = {
  mcpServers: { files: { command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", "/some/folder"] } }
}
for (const folder of ["programs", ".cursor", "tools", "uis/sources"]) mkdirSync(join(home, folder), { recursive: true })
writeFileSync(join(home, "package.json"), '{ "type": "module" }')
writeFileSync(join(home, "server.js"), serverFile)
writeFileSync(join(home, "wrapper.json"), '{ "llm": { "provider": "none" } }')
/** A source that was edited, alone and in a folder that was exported. */
const source = readFileSync(join(root, "test/fixtures/answers/good-minimal.html"), "utf8")
writeFileSync(join(home, "my-table.html"), source)
writeFileSync(join(home, "uis/sources/list_orders.html"), source)
writeFileSync(join(home, ".cursor/mcp.json"), JSON.stringify(hostFile))
writeFileSync(join(home, "tools/shop.json"), JSON.stringify({ tools: [{ name: "list_orders", inputSchema: {} }] }))
symlinkSync(join(root, "examples"), join(home, "examples"))
/** `npx` starts the shop, and `mcp-gen-ui` prints what a shell would have given to it. */
const PRINT = "console.log(JSON.stringify([process.argv.slice(2), process.env.MCP_GEN_UI_TOKEN]))"
for (const [name, text] of [
  ["npx", `#!/bin/sh\nexec "${process.execPath}" "${home}/examples/database-server/main.ts" "${home}/shop.sqlite"\n`],
  ["mcp-gen-ui", `#!/bin/sh\nexec "${process.execPath}" "${programs}/print.mjs" "$@"\n`],
  ["print.mjs", PRINT]
] as const) {
  writeFileSync(join(programs, name), text)
  chmodSync(join(programs, name), 0o755)
}
const PATH = `${programs}:${process.env["PATH"] ?? ""}`

/** The words that the command line gets, split by a shell. */
const wordsOf = (command: string): ReadonlyArray<string> => {
  const written = PLACEHOLDERS.reduce((text, [placeholder, value]) => text.replace(placeholder, value), command)
  const env = { ...process.env, ...environment, PATH }
  const [words]: [ReadonlyArray<string>] = JSON.parse(
    execFileSync("sh", ["-c", written], { cwd: home, env, encoding: "utf8" })
  )
  return words
}

const HELLO = `${JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } }
})}\n`

const SERVER = ["node", "server.js"]
const FILE = { host: undefined, title: "File", isOfProject: false } as const

/** Secrets that the pages leave out. */
const ENVIRONMENT = {
  ANTHROPIC_API_KEY: "secret",
  ISSUES_CLIENT_SECRET: "secret",
  ISSUES_KEY: "secret",
  MCP_GEN_UI_TOKEN: "a-secret-of-some-length",
  REDIS_URL: "redis://127.0.0.1"
}

const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
const tests = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" }).map((path) => `test/${path}`)

/** What a command line asks for; anything but help has flags. */
const requestOf = (words: ReadonlyArray<string>) =>
  Effect.map(readCommandLine(words), (request) =>
    request.command === "answered" ? assert.fail("it prints help") : request
  )

/** How a host starts the wrapper: from npm, from a clone. */
const WRAPPER = [
  ["npx", "-y", "mcp-gen-ui"],
  ["node", "/path/to/clone/bin/mcp-gen-ui.mjs"]
]

/** A host's file: each server is found as a host finds it, is wrapped, and its wrapper would start. */
const checkHostFile = async (path: string) => {
  const { servers } = await Effect.runPromise(readServers({ ...FILE, path }))
  assert.isNotEmpty(servers)
  for (const { refusal, target } of servers) {
    if (target === undefined) assert.fail(refusal)
    if (target.kind === "url") continue
    const start = WRAPPER.find((words) => words.every((word, index) => word === target.words[index]))
    const words = target.words.slice(start?.length)
    const given = readPlainArguments(words) ?? assert.fail(target.words.join(" "))
    assert.isDefined(start)
    const env = Object.entries(target.env).map(([name, value]) => [name, value === "…" ? "secret" : value])
    assert.isDefined(await Effect.runPromise(resolveSettings({ ...given, environment: Object.fromEntries(env) })))
  }
}

describe("commands of README.md, CONTRIBUTING.md and docs", () => {
  it("are all known here, and no others", () => {
    assert.isAbove(own.length, 35)
    assert.sameMembers([...own], [...Object.keys(RUN), ...SERVED, ...READ])
    for (const command of FOREIGN) assert.include(commands, command)
  })

  it.each(Object.entries(RUN))("%s", async (command, { code = 0, says }) => {
    const { status, stderr, stdout } = await runHere(wordsOf(command), { cwd: home, env: { ...environment, PATH } })
    assert.match(stdout + stderr, says)
    assert.strictEqual(status, code, stderr)
  })

  it.each(SERVED)("%s", (command) => {
    const env = { ...environment, PATH }
    const { status, stderr, stdout } = runBin(wordsOf(command), { cwd: home, env, input: HELLO })
    assert.include(stdout, `"serverInfo"`, stderr)
    assert.strictEqual(status, 0, stderr)
  })

  it.each(READ)("%s", async (command) => {
    const { given } = await Effect.runPromise(requestOf(wordsOf(command)))
    const settled = resolveSettings({ ...given, command: given.command ?? SERVER, environment: ENVIRONMENT })
    // With --server the file is a host's.
    const { config = "" } = given.flags
    const read = "server" in given && given.server !== undefined ? readServers({ ...FILE, path: config }) : settled
    assert.isDefined(await Effect.runPromise<unknown, unknown>(read))
  })

  it.each(ofClone)("%s", (command) => {
    for (const step of command.split(" && ")) {
      const [program = "", verb = "", name = ""] = step.replace("run -s", "run").split(" ")
      if (program === "npm" && verb === "run") assert.property(scripts, name)
      else if (program === "npm" && verb === "test") assert.property(scripts, "test")
      else if (program === "npm") assert.include(["ci", "install"], verb)
      else if (program === "npx") {
        assert.deepStrictEqual([verb, name], ["vitest", "run"], step)
        for (const filter of step.split(" ").slice(3))
          assert.isTrue(
            tests.some((path) => path.includes(filter)),
            filter
          )
      } else assert.isTrue(program === "node" && existsSync(join(root, verb)), step)
    }
  })
})

const LANGUAGES = new Set(["sh", "json", "yaml", "text", "diff", "promql", "html", "js", "ts"])

describe("blocks of README.md and docs", () => {
  it("say their language", () => {
    assert.deepStrictEqual(
      blocks.filter(({ language }) => !LANGUAGES.has(language)),
      []
    )
  })

  const json = blocks.filter(({ language }) => language === "json")
  it.each(json.map(({ page, text }, index) => [page, index, text] as const))("%s, JSON %i", async (_, index, text) => {
    const value = JSON.parse(text)
    if (value.mcpServers !== undefined) return checkHostFile(fileIn(home, `host-${index}.json`, text))
    if (value.kind !== undefined) return assert.isTrue(Result.isSuccess(parseViewFile(text)))
    if (value.csp !== undefined) return assert.isTrue(Result.isSuccess(parseUiDeclaration(text)))
    const config = fileIn(home, `config-${index}.json`, text)
    const command = value.upstream === undefined ? SERVER : undefined
    const settled = resolveSettings({ flags: { config }, command, environment: ENVIRONMENT })
    assert.isDefined(await Effect.runPromise(settled))
  })

  const yaml = blocks.filter(({ language }) => language === "yaml")
  it.each(yaml.map(({ page, text }, index) => [page, index, text] as const))("%s, YAML %i", (_page, _index, text) => {
    assert.isObject(parseYaml(text))
  })
})
