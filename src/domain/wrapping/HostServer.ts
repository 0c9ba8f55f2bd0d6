import { HOST_FILE_MEMBERS } from "../hostFileMembers.ts"
import { isReservedHeader } from "../settings/resolveUpstreamHeaders.ts"
import { type HostMap, type HostNode, type HostTree, memberOf, pairOf, recordOf, textOf, textsOf } from "./HostTree.ts"
import { type Wrapping, wrappingOf } from "./WrapperWords.ts"

/** How a host names what we change. */
interface ServerKeys {
  readonly command: string
  readonly env: string
  readonly url: string
  readonly headers: string
  /** The type of a server behind a URL. */
  readonly remote: string
}

export interface StartedTarget {
  readonly kind: "command"
  readonly words: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string | undefined
  readonly envFile: string | undefined
}

export interface ReachedTarget {
  readonly kind: "url"
  readonly url: string
  readonly transport: "auto" | "sse"
  /** As `Name: value`. */
  readonly headers: ReadonlyArray<string>
  /** Variables of the host's own environment that the headers name (Codex). */
  readonly variables: ReadonlyArray<string>
}

/** A server in a host's file. */
export interface HostServer {
  readonly name: string
  /** The folder that it is for, where a file has servers for several (Claude Code). */
  readonly project: string | undefined
  /** What is replaced when it is given back. */
  readonly start: number
  readonly end: number
  /** Where its command or URL stands. */
  readonly map: HostMap
  readonly keys: ServerKeys
  readonly target: StartedTarget | ReachedTarget | undefined
  readonly wrapping: Wrapping
  readonly isDisabled: boolean
  /** Why it cannot be wrapped. */
  readonly refusal: string | undefined
}

const USUAL: ServerKeys = { command: "command", env: "env", url: "url", headers: "headers", remote: "http" }
const KEYS: Readonly<Record<(typeof HOST_FILE_MEMBERS)[number], ServerKeys>> = {
  mcpServers: USUAL,
  servers: USUAL,
  context_servers: USUAL,
  mcp_servers: { ...USUAL, headers: "http_headers" },
  extensions: { command: "cmd", env: "envs", url: "uri", headers: "headers", remote: "streamable_http" }
}

/** Names of the address: of most hosts, Windsurf, Gemini CLI, Goose. */
const URLS = ["url", "serverUrl", "httpUrl", "uri"]
/** Extensions of Goose of other types are parts of Goose. */
const TYPES: ReadonlySet<string> = new Set(["stdio", "sse", "streamable_http"])

const isTrue = (node: HostNode | undefined): boolean => node?.kind === "scalar" && node.value === true
const isFalse = (node: HostNode | undefined): boolean => node?.kind === "scalar" && node.value === false

const headersOf = (map: HostMap, headers: string) => {
  const bearer = textOf(memberOf(map, "bearer_token_env_var"))
  const named = Object.entries(recordOf(memberOf(map, "env_http_headers")))
  // Such as `Accept`, which some examples for hosts have: we set them ourselves.
  const own = Object.entries(recordOf(memberOf(map, headers))).filter(
    ([name, value]) => !isReservedHeader(name) && value.trim() !== ""
  )
  return {
    headers: [
      ...own.map(([name, value]) => `${name}: ${value}`),
      ...(bearer === undefined ? [] : [`Authorization: Bearer \${${bearer}}`]),
      ...named.map(([name, variable]) => `${name}: \${${variable}}`)
    ],
    variables: [...(bearer === undefined ? [] : [bearer]), ...named.map(([, variable]) => variable)]
  }
}

const foundIn = (node: HostNode): string =>
  node.kind === "scalar" ? (typeof node.value === "string" ? "a text" : String(node.value)) : `a ${node.kind}`

const serverOf = (
  name: string,
  entry: HostNode,
  usual: ServerKeys,
  isOff: boolean,
  project?: string
): Omit<HostServer, "start" | "end"> => {
  const empty: HostMap = { kind: "map", pairs: [], isBlock: false, start: 0, end: 0 }
  const outer = entry.kind === "map" ? entry : empty
  // Zed once kept program, arguments and environment in an object of their own.
  const inner = memberOf(outer, usual.command)
  const map = inner?.kind === "map" ? inner : outer
  const command = inner?.kind === "map" ? "path" : usual.command
  const url = URLS.find((key) => textOf(memberOf(map, key)) !== undefined)
  const keys = { ...usual, command, ...(url === undefined ? {} : { url }) }
  const program = textOf(memberOf(map, command))
  const list = memberOf(map, "args")
  const args = list === undefined ? [] : textsOf(list)
  const type = textOf(memberOf(outer, "type"))
  const isDisabled = isOff || isTrue(memberOf(outer, "disabled")) || isFalse(memberOf(outer, "enabled"))
  const shared = { name, project, map, keys, isDisabled, target: undefined, wrapping: undefined }
  if (entry.kind !== "map") return { ...shared, refusal: `found ${foundIn(entry)}; allowed: an object` }
  if (usual.remote === "streamable_http" && type !== undefined && !TYPES.has(type)) {
    return { ...shared, refusal: `"${type}" is a part of the host, not a server` }
  }
  if (args === undefined) {
    const found = list?.kind === "list" ? "a list with other things" : list === undefined ? "" : foundIn(list)
    return { ...shared, refusal: `args: found ${found}; allowed: a list of texts` }
  }
  if (program !== undefined && program !== "") {
    const words = [program, ...args]
    const env = recordOf(memberOf(map, keys.env))
    const cwd = textOf(memberOf(outer, "cwd"))
    const envFile = textOf(memberOf(outer, "envFile"))
    const wrapping = wrappingOf(words)
    const refusal = wrapping === "byHand" ? "it was wrapped by hand, without a command after --" : undefined
    return { ...shared, target: { kind: "command", words, env, cwd, envFile }, wrapping, refusal }
  }
  const address = url === undefined ? undefined : textOf(memberOf(map, url))
  if (address === undefined) return { ...shared, refusal: "it names neither a command nor a URL" }
  // For Gemini CLI a `url` beside no type is the old SSE; what finds out works for both.
  const transport = type === "sse" ? "sse" : "auto"
  return {
    ...shared,
    target: { kind: "url", url: address, transport, ...headersOf(map, keys.headers) },
    refusal: undefined
  }
}

const serversIn = (
  tree: HostTree,
  map: HostNode | undefined,
  keys: ServerKeys,
  off: ReadonlyArray<string>,
  project?: string
) =>
  map?.kind === "map"
    ? [...new Set(map.pairs.map(({ key }) => key))].flatMap((name): ReadonlyArray<HostServer> => {
        const pair = pairOf(map, name)
        if (pair === undefined) return []
        const { value } = pair
        const isBlock = value.kind === "map" && value.isBlock
        const { end, start } = tree.format === "toml" ? pair : value
        // The comment at the end of a last line belongs to it.
        const rest = isBlock ? (/^[^\r\n]*/.exec(tree.text.slice(end))?.[0].length ?? 0) : 0
        return [{ ...serverOf(name, value, keys, off.includes(name), project), start, end: end + rest }]
      })
    : []

/** All servers of a host's file, in the order of the file. */
export const serversOf = (tree: HostTree): ReadonlyArray<HostServer> => {
  const { root } = tree
  // Gemini CLI turns servers off by name.
  const excluded = textsOf(memberOf(memberOf(root, "mcp"), "excluded")) ?? []
  const own = HOST_FILE_MEMBERS.flatMap((member) =>
    member === "extensions" && tree.format !== "yaml"
      ? []
      : serversIn(tree, memberOf(root, member), KEYS[member], excluded)
  )
  // The settings of an older VS Code.
  const nested = serversIn(tree, memberOf(memberOf(root, "mcp"), "servers"), USUAL, [])
  const projects = memberOf(root, "projects")
  const ofProjects =
    projects?.kind === "map"
      ? projects.pairs.flatMap(({ key, value }) => {
          const off = textsOf(memberOf(value, "disabledMcpServers")) ?? []
          return serversIn(tree, memberOf(value, "mcpServers"), USUAL, off, key)
        })
      : []
  return [...own, ...nested, ...ofProjects].toSorted((one, other) => one.start - other.start)
}
