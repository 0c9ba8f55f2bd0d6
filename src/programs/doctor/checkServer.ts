import { Duration, Effect, Result } from "effect"
import { nameOfUpstream } from "../../adapters/documents/serverIdentity.ts"
import { isObject } from "../../domain/isObject.ts"
import { UPSTREAM_TOKEN_VARIABLE } from "../../domain/settings/Secrets.ts"
import { makeDashboards } from "../../domain/tools/Dashboards.ts"
import { namedToolProblems } from "../../domain/tools/namedTools.ts"
import { toolFromDefinition } from "../../domain/tools/Tool.ts"
import { makeToolCatalog } from "../../domain/tools/ToolCatalog.ts"
import { Settings } from "../../services/settings/Settings.ts"
import { asksForLogin } from "../commands/login.ts"
import { shownName } from "../commands/tableText.ts"
import { listServerTools } from "../generate/listServerTools.ts"
import { type Finding, findingsOf } from "./Finding.ts"

/** A host waits longer; a person in front of a report does not. */
const PATIENCE = Duration.seconds(15)

/** Claude drops all tools of a server for one other name. */
const NAME = /^[\w-]{1,64}$/
/** Cursor drops a tool beyond 60 characters, with the server's name. */
const LONG_NAME = 50

const quotedNames = (names: ReadonlyArray<string>): string => {
  const [first = "", second] = names.map((name) => JSON.stringify(shownName(name)))
  if (names.length > 2) return `${first}, ${second} and ${names.length - 2} more`
  return names.length === 2 ? `${first} and ${second}` : first
}

/** What hosts refuse in a list of tools, and what the configuration says of tools that are none. */
const checkTools = Effect.fnUntraced(function* (definitions: ReadonlyArray<unknown>) {
  const { dashboards, generation } = yield* Settings
  const { fail, ok, warn } = findingsOf("tools")
  const names = definitions.flatMap((definition) => toolFromDefinition(definition)?.name ?? [])
  const nameless = definitions.length - names.length
  const refused = names.filter((name) => !NAME.test(name))
  const long = names.filter((name) => NAME.test(name) && name.length > LONG_NAME)
  const twice = names.filter((name, index) => names.indexOf(name) !== index)
  const shapeless = definitions
    .filter(isObject)
    .filter(({ inputSchema }) => !isObject(inputSchema) || inputSchema.type !== "object")
  const found: ReadonlyArray<Finding | false> = [
    nameless > 0 && fail(`${nameless} of the tools have no name: hosts refuse the whole list`, "mend the server"),
    refused.length > 0 &&
      fail(
        `the name ${quotedNames(refused)} has other characters than letters, digits, _ and -, or more than 64: Claude then drops all tools`,
        "rename it in the server"
      ),
    long.length > 0 &&
      warn(
        `the name ${quotedNames(long)} has more than ${LONG_NAME} characters: Cursor drops a tool beyond 60, with the server's name`,
        "rename it, or give the server a short name in the host"
      ),
    twice.length > 0 &&
      warn(`two tools are called ${quotedNames(twice)}: the second one gets no UI`, "mend the server"),
    shapeless.length > 0 &&
      fail(
        `the inputSchema of ${quotedNames(shapeless.map(({ name }) => String(name)))} is missing or is not of "type": "object": hosts that check lists refuse all tools`,
        'write at least {"type": "object"} in the server'
      )
  ]
  const faults = found.filter((finding) => finding !== false)
  const { tools } = makeToolCatalog(definitions, () => true, generation.tools)
  const slips = namedToolProblems(names, generation).concat(makeDashboards(dashboards, tools).problems)
  const all = [...faults, ...slips.map((text) => warn(text))]
  return all.length > 0 ? all : [ok("hosts take all names, and the configuration names no other")]
})

/** Starts the server, or connects to it, and looks at its list. Answers the list too, empty where there is none. */
export const checkServer = Effect.gen(function* () {
  const { upstream } = yield* Settings
  const { fail, ok, warn } = findingsOf("server")
  const name = `"${nameOfUpstream(upstream)}"`
  const nothing: ReadonlyArray<unknown> = []
  if (upstream.transport !== "stdio" && (yield* Effect.orElseSucceed(asksForLogin(upstream), () => false))) {
    const finding =
      upstream.token === undefined
        ? fail(`${name} asks for a login (HTTP 401)`, `mcp-gen-ui login ${nameOfUpstream(upstream)}`)
        : fail(`${name} does not accept the token (HTTP 401)`, `put a right one into ${UPSTREAM_TOKEN_VARIABLE}`)
    return { definitions: nothing, findings: [finding] }
  }
  const listed = yield* Effect.result(listServerTools.pipe(Effect.timeoutOption(PATIENCE)))
  if (Result.isFailure(listed)) return { definitions: nothing, findings: [fail(listed.failure.message)] }
  if (listed.success._tag === "None") {
    const advice =
      upstream.transport === "stdio"
        ? "run the command by itself in a terminal: if it is still being installed, wait for that; else check that it speaks MCP over stdio"
        : "check that the URL is that of an MCP server"
    const text = `${name} has not answered within ${Duration.toSeconds(PATIENCE)} s`
    return { definitions: nothing, findings: [fail(text, advice)] }
  }
  const definitions = listed.success.value
  if (definitions.length === 0) {
    return { definitions, findings: [warn(`${name} has no tools, so there is nothing to put a UI on`)] }
  }
  const starts = ok(`${name} starts and lists ${definitions.length} ${definitions.length === 1 ? "tool" : "tools"}`)
  return { definitions, findings: [starts, ...(yield* checkTools(definitions))] }
})
