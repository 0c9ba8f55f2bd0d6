import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { isObject } from "../../src/domain/isObject.ts"
import { type Driver, type DriverName, makeDriver } from "./Driver.ts"
import { frameText, RecordingTransport, type Transcript } from "./RecordingTransport.ts"
import { prepareFolder, type RawStep, type RecordedServer, type Step } from "./servers.ts"

/** What went over both ends of the wire in one run. */
export interface Recording {
  /** At the client. */
  readonly client: Transcript
  /** What the server was sent, whoever sent it. */
  readonly serverReceived: ReadonlyArray<string>
  /** What the run asked for, beyond the lists that every run begins with. */
  readonly steps: ReadonlyArray<Step>
  /** How many of the client's frames belong to that; later ones are from `extra`, or come while the run ends. */
  readonly frames: { readonly sent: number; readonly received: number }
  readonly log: string
}

const tap = fileURLToPath(new URL("tap.ts", import.meta.url))

/** Servers send their first notifications within this time after `initialized`. */
const SETTLED_MS = 500
const LAST_FRAMES_MS = 200
const RAW_ANSWER_MS = 100
const MAX_PAGES = 20
const MAX_READ = 4

/** All pages of a list: its items, as far as there are any. */
const listAll = async (
  driver: Driver,
  method: string,
  key: string
): Promise<ReadonlyArray<Record<string, unknown>>> => {
  const items: Array<Record<string, unknown>> = []
  let params: Step["params"] = {}
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const result = await driver.request({ method, params })
    if (!isObject(result)) break
    const found = result[key]
    if (Array.isArray(found)) items.push(...found.filter(isObject))
    if (typeof result.nextCursor !== "string" || result.nextCursor === "") break
    params = { cursor: result.nextCursor }
  }
  return items
}

const argumentsOf = (prompt: Record<string, unknown>): ReadonlyArray<Record<string, unknown>> =>
  Array.isArray(prompt.arguments) ? prompt.arguments.filter(isObject) : []

const promptSteps = (prompt: Record<string, unknown>): ReadonlyArray<Step> => {
  const { name } = prompt
  const args = argumentsOf(prompt)
  const filled = Object.fromEntries(args.map((argument) => [argument.name, "1"]))
  const completions = args.map((argument): Step => ({
    method: "completion/complete",
    params: { ref: { type: "ref/prompt", name }, argument: { name: argument.name, value: "p" } }
  }))
  const get = (params: object): Step => ({ method: "prompts/get", params: { name, ...params } })
  return [get({}), ...(args.length === 0 ? [] : [get({ arguments: filled })]), ...completions]
}

const templateSteps = ({ uriTemplate }: Record<string, unknown>): ReadonlyArray<Step> => {
  const template = String(uriTemplate)
  const uri = template.replaceAll(/\{[^}]*\}/g, "1")
  const variable = /\{([^}]*)\}/.exec(template)?.[1] ?? ""
  return [
    { method: "resources/read", params: { uri } },
    {
      method: "completion/complete",
      params: { ref: { type: "ref/resource", uri: template }, argument: { name: variable, value: "1" } }
    }
  ]
}

const oddSteps: ReadonlyArray<Step> = [
  { method: "ping", params: {} },
  { method: "logging/setLevel", params: { level: "debug" } },
  { method: "logging/setLevel", params: { level: "loud" } },
  { method: "vendor/unknown", params: { nested: { kept: [1.5, null, "é"] } } },
  { method: "tools/list", params: { cursor: "no such cursor" } },
  { method: "tools/call", params: {} },
  { method: "tools/call", params: { name: "no such tool", arguments: {}, unknownField: true } },
  { method: "prompts/get", params: { name: "no such prompt" } },
  { method: "resources/read", params: { uri: "test://nothing" } },
  { method: "resources/read", params: { uri: "ui://nothing/at/all" } },
  { method: "completion/complete", params: { ref: { type: "ref/prompt", name: "none" } } },
  { method: "tasks/list", params: {} }
]

/** What SDK clients never write. */
const rawSteps: ReadonlyArray<RawStep> = [
  String.raw`{ "id" : "r\u0061w \"1\"", "jsonrpc":"2.0" , "method":"tools\/call", "params":{"name":"none","arguments":{"a":1,"a":2.0}}}`,
  `{"method":"ping","params":{"numbers":[12345678901234567890,-0,1.0,1e400]},"jsonrpc":"2.0","id":9007199254740991}`,
  `{"jsonrpc":"2.0","method":"notifications/vendor/raw","params":{"numbers":[ -0 , 1E+2 ],"twice":1,"twice":2}}\r`
].map((line) => ({ line }))

const plan = async (driver: Driver, own: ReadonlyArray<Step>): Promise<ReadonlyArray<Step>> => {
  await listAll(driver, "tools/list", "tools")
  const prompts = await listAll(driver, "prompts/list", "prompts")
  const resources = await listAll(driver, "resources/list", "resources")
  const templates = await listAll(driver, "resources/templates/list", "resourceTemplates")
  return [
    ...prompts.flatMap(promptSteps),
    ...resources.slice(0, MAX_READ).map(({ uri }): Step => ({ method: "resources/read", params: { uri } })),
    ...templates.flatMap(templateSteps),
    ...own,
    ...oddSteps
  ]
}

const framesIn = (file: string): ReadonlyArray<string> => {
  const bytes = readFileSync(file)
  const frames: Array<string> = []
  let start = 0
  for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, start)) {
    frames.push(frameText(bytes.subarray(start, end)))
    start = end + 1
  }
  return start < bytes.length ? [...frames, frameText(bytes.subarray(start))] : frames
}

export interface RunOptions {
  readonly driver: DriverName
  readonly apps: boolean
  /** What stands in front of the server's command, such as the wrapper; empty for a direct run. */
  readonly wrapper: ReadonlyArray<string>
  /** What to ask for; made from what the server offers if there is nothing to repeat. */
  readonly steps?: ReadonlyArray<Step>
  /** Asked for at the end; not part of what is compared. */
  readonly extra?: ReadonlyArray<Step>
}

/** Runs the script with one client against one server, and keeps every frame. */
export const recordRun = async (server: RecordedServer, folder: string, options: RunOptions): Promise<Recording> => {
  prepareFolder(server, folder)
  const taps = mkdtempSync(join(tmpdir(), "recording-"))
  const file = join(taps, "server")
  const command = [...options.wrapper, process.execPath, tap, file, ...server.command(folder)]
  const transport = new RecordingTransport(command, server.env?.(folder) ?? {})
  const driver = makeDriver(options.driver, transport, { apps: options.apps, folder })
  try {
    await driver.connect()
    await transport.quiet(SETTLED_MS)
    const steps = await plan(driver, server.steps?.(folder) ?? [])
    await driver.notify("notifications/vendor/unknown", { kept: true })
    for (const step of options.steps ?? steps) await driver.request(step)
    if (options.driver !== "sdk 2 modern") {
      for (const { line } of rawSteps) {
        transport.sendLine(line)
        await transport.quiet(RAW_ANSWER_MS)
      }
    }
    await transport.quiet(server.lastFramesMs ?? LAST_FRAMES_MS)
    const frames = { sent: transport.transcript.sent.length, received: transport.transcript.received.length }
    for (const step of options.extra ?? []) await driver.request(step)
    await driver.close()
    return {
      client: transport.transcript,
      serverReceived: framesIn(`${file}.in`),
      steps: options.steps ?? steps,
      frames,
      log: transport.log
    }
  } catch (error) {
    await transport.close()
    throw new Error(`${server.name}, ${options.driver}: ${String(error)}\n${transport.log}`, { cause: error })
  } finally {
    rmSync(taps, { recursive: true, force: true })
  }
}
