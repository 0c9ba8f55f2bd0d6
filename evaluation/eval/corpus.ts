import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type Tool, toolFromDefinition } from "../../src/domain/tools/Tool.ts"
import { isRecord, type JsonRecord } from "./json.ts"

/** One recorded answer of a server. */
export interface RecordedCall {
  /** Its place among the calls of its file. */
  readonly index: number
  readonly tool: Tool
  readonly arguments: JsonRecord
  /** Why it was made, if not for its answer: an unknown tool, missing or wrong arguments. */
  readonly probe: string | undefined
  /** What the server answered: the result of the call, or the error of JSON-RPC. */
  readonly answer:
    | { readonly result: JsonRecord }
    | { readonly error: { readonly code: number; readonly message: string } }
}

export interface CorpusServer {
  /** The name of its file, without the ending. */
  readonly name: string
  readonly tools: ReadonlyArray<Tool>
  readonly calls: ReadonlyArray<RecordedCall>
}

const RESULTS = ".results.json"

const readJson = (path: string): JsonRecord => {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(path, "utf8"))
  } catch (error) {
    throw new Error(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error
    })
  }
  if (!isRecord(value)) throw new Error(`${path} holds no JSON object`)
  return value
}

const listIn = (file: JsonRecord, name: string, path: string): ReadonlyArray<JsonRecord> => {
  const list = file[name]
  if (!Array.isArray(list) || !list.every(isRecord)) throw new Error(`${path}: "${name}" is no list of objects`)
  return list
}

const answerOf = ({ error, result }: JsonRecord): RecordedCall["answer"] | undefined => {
  if (isRecord(result)) return { result }
  if (!isRecord(error)) return undefined
  return { error: { code: Number(error.code ?? 0), message: String(error.message ?? "") } }
}

const callsIn = (path: string, tools: ReadonlyArray<Tool>): ReadonlyArray<RecordedCall> =>
  listIn(readJson(path), "calls", path).flatMap((call, index) => {
    const answer = answerOf(call)
    const name = String(call.tool)
    // A tool that the server does not know has no schema either.
    const tool =
      tools.find((known) => known.name === name) ?? toolFromDefinition({ name, inputSchema: { type: "object" } })
    if (answer === undefined || tool === undefined) return []
    const probe = typeof call.probe === "string" ? call.probe : undefined
    return [{ index, tool, arguments: isRecord(call.arguments) ? call.arguments : {}, probe, answer }]
  })

/**
 * Reads a folder of corpus files: `<server>.json` with `tools` as `tools/list` gives them, and beside it, where calls were
 * recorded, `<server>.results.json` with `calls` of `{tool, arguments, result | error, probe?}`. Throws with the file that is
 * not like that.
 */
export const readCorpus = (folder: string): ReadonlyArray<CorpusServer> => {
  let files: ReadonlyArray<string>
  try {
    files = readdirSync(folder).toSorted()
  } catch (error) {
    throw new Error(`There is no corpus folder ${folder}`, { cause: error })
  }
  const servers = files
    .filter((file) => file.endsWith(".json") && !file.endsWith(RESULTS) && file !== "INDEX.json")
    .map((file) => {
      const path = join(folder, file)
      const name = file.slice(0, -".json".length)
      const tools = listIn(readJson(path), "tools", path).flatMap((definition) => toolFromDefinition(definition) ?? [])
      const results = `${name}${RESULTS}`
      return { name, tools, calls: files.includes(results) ? callsIn(join(folder, results), tools) : [] }
    })
  if (servers.length === 0) throw new Error(`The folder ${folder} holds no corpus files (<server>.json)`)
  return servers
}
