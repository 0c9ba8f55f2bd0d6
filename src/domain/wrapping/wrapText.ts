import {
  addAfter,
  addFirst,
  applied,
  dropFirst,
  dropPair,
  type Edit,
  type NewPair,
  prepend,
  replacePair,
  setText
} from "./Edits.ts"
import { type HostServer, serversOf } from "./HostServer.ts"
import { type HostTree, memberOf, pairOf, textOf } from "./HostTree.ts"

/** The variable that holds headers for a server behind a URL: not an argument, which every user of a machine can read. */
export const HEADERS_VARIABLE = "MCP_GEN_UI_HEADERS"

/** Our words in front of a server's own: the launcher, flags, `--`. */
export const leadFor = (
  { target }: HostServer,
  launcher: ReadonlyArray<string>,
  flags: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const [first = "", second = ""] = target?.kind === "command" ? target.words : []
  // Where Windows needs `cmd /c` to find npx, so do we.
  const isByShell = /^cmd(?:\.exe)?$/i.test(first) && second.toLowerCase() === "/c" && launcher[0] === "npx"
  const transport = target?.kind === "url" && target.transport === "sse" ? ["--transport", "sse"] : []
  return [...(isByShell ? [first, second] : []), ...launcher, ...flags, ...transport, "--"]
}

/** What changes in a file when a server is wrapped. */
const wrapEdits = (
  tree: HostTree,
  { keys, map, target }: HostServer,
  lead: ReadonlyArray<string>
): ReadonlyArray<Edit> => {
  const [program = "", ...own] = lead
  const args = memberOf(map, "args")
  if (target?.kind === "command") {
    const command = pairOf(map, keys.command)
    if (command === undefined) return []
    const words = [...own, target.words[0] ?? ""]
    return [
      setText(tree, command.value, program),
      args?.kind === "list" ? prepend(tree, args, words) : addAfter(tree, map, command, [["args", words]])
    ]
  }
  const url = pairOf(map, keys.url)
  if (target === undefined || url === undefined) return []
  const type = memberOf(map, "type")
  const headers = [keys.headers, "bearer_token_env_var", "env_http_headers"].flatMap((key) => pairOf(map, key) ?? [])
  const env = pairOf(map, keys.env)
  const text = target.headers.join("\n")
  const lines: NewPair = [HEADERS_VARIABLE, text]
  const added: NewPair = [keys.env, { [HEADERS_VARIABLE]: text }]
  const isAdded = target.headers.length > 0
  // A table of its own stays one; else the variable takes the place of the first that says a header.
  const place =
    env === undefined && isAdded ? (headers.find(({ table }) => table !== undefined) ?? headers[0]) : undefined
  const variables: ReadonlyArray<NewPair> = target.variables.length > 0 ? [["env_vars", target.variables]] : []
  return [
    replacePair(tree, map, url, [[keys.command, program], ["args", [...own, target.url]], ...variables]),
    ...(type === undefined || textOf(type) === undefined ? [] : [setText(tree, type, "stdio")]),
    ...(place === undefined ? [] : [replacePair(tree, map, place, [added])]),
    ...headers.filter((pair) => pair !== place).map((pair) => dropPair(tree, map, pair)),
    ...(env === undefined || !isAdded
      ? []
      : [env.value.kind === "map" ? addFirst(tree, env.value, lines) : replacePair(tree, map, env, [added])])
  ]
}

const isUrl = (words: ReadonlyArray<string>): boolean => words.length === 1 && /^https?:\/\//i.test(words[0] ?? "")

/** The members that say headers: Codex has others for what stands in its environment. */
const headerMembers = (lines: string, key: string): ReadonlyArray<NewPair> => {
  const fields = lines.split("\n").map((line) => {
    const colon = line.indexOf(":")
    return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()] as const
  })
  const variableIn = (value: string) =>
    key === "http_headers" ? /^(?:Bearer )?\$\{(\w+)\}$/.exec(value)?.[1] : undefined
  const named = fields.flatMap(([name, value]) => {
    const variable = variableIn(value)
    return variable === undefined ? [] : [{ name, variable, isBearer: value.startsWith("Bearer ") }]
  })
  const own = fields.filter(([, value]) => variableIn(value) === undefined)
  const fromVariables = named.filter(({ isBearer }) => !isBearer).map(({ name, variable }) => [name, variable] as const)
  return [
    ...named.flatMap(({ isBearer, variable }): ReadonlyArray<NewPair> =>
      isBearer ? [["bearer_token_env_var", variable]] : []
    ),
    ...(fromVariables.length > 0 ? [["env_http_headers", Object.fromEntries(fromVariables)] as const] : []),
    ...(own.length > 0 ? [[key, Object.fromEntries(own)] as const] : [])
  ]
}

/** What changes when a server that we wrapped is given back by its words alone. */
const unwrapEdits = (tree: HostTree, { keys, map, wrapping }: HostServer): ReadonlyArray<Edit> => {
  const command = pairOf(map, keys.command)
  const args = pairOf(map, "args")
  if (wrapping === undefined || wrapping === "byHand" || command === undefined || args?.value.kind !== "list") return []
  const { lead, words } = wrapping
  if (!isUrl(words)) {
    const isAll = args.value.items.length === lead.length
    return [
      setText(tree, command.value, words[0] ?? ""),
      isAll ? dropPair(tree, map, args) : dropFirst(tree, args.value, lead.length)
    ]
  }
  const type = memberOf(map, "type")
  const env = pairOf(map, keys.env)
  const inner = env?.value.kind === "map" ? env.value : undefined
  const line = inner === undefined ? undefined : pairOf(inner, HEADERS_VARIABLE)
  const lines = textOf(line?.value)
  const headers = lines === undefined ? [] : headerMembers(lines, keys.headers)
  const variables = keys.headers === "http_headers" ? pairOf(map, "env_vars") : undefined
  // In the place of a table of its own, only tables can stand.
  const inPlace =
    inner?.pairs.length === 1
      ? headers.filter(([, value]) => env?.table === undefined || typeof value === "object")
      : []
  const beside = headers.filter((member) => !inPlace.includes(member))
  const isOnly = inPlace.length > 0
  return [
    replacePair(tree, map, command, [[keys.url, words[0] ?? ""], ...beside]),
    dropPair(tree, map, args),
    ...(variables === undefined ? [] : [dropPair(tree, map, variables)]),
    ...(type === undefined || textOf(type) === undefined
      ? []
      : [setText(tree, type, lead.includes("sse") ? "sse" : keys.remote)]),
    ...(env === undefined || inner === undefined || line === undefined
      ? []
      : [isOnly ? replacePair(tree, map, env, inPlace) : dropPair(tree, inner, line)])
  ]
}

/** Wraps servers: by the words that `lead` puts in front of each. */
export const wrapped = (
  tree: HostTree,
  servers: ReadonlyArray<HostServer>,
  lead: (server: HostServer) => ReadonlyArray<string>
): string =>
  applied(
    tree.text,
    servers.flatMap((server) => wrapEdits(tree, server, lead(server)))
  )

const isSame = (one: HostServer) => (other: HostServer) => other.name === one.name && other.project === one.project

/** What puts a server's text of before back, if that, wrapped in the same way, is what stands here now. */
const editBefore = (tree: HostTree, server: HostServer, before: HostTree | undefined): Edit | undefined => {
  const { end, start, wrapping } = server
  if (before === undefined || typeof wrapping !== "object") return undefined
  const own = serversOf(before).find(isSame(server))
  if (own === undefined || own.wrapping !== undefined) return undefined
  const changed = wrapped(before, [own], () => wrapping.lead)
  const text = changed.slice(own.start, own.end + changed.length - before.text.length)
  const isUntouched = end <= start + text.length && tree.text.startsWith(text, start)
  return isUntouched ? { start, end: start + text.length, text: before.text.slice(own.start, own.end) } : undefined
}

/** Gives servers back: to the byte where nobody changed them since, else by taking our words away. */
export const unwrapped = (tree: HostTree, servers: ReadonlyArray<HostServer>, before: HostTree | undefined): string =>
  applied(
    tree.text,
    servers.flatMap((server) => editBefore(tree, server, before) ?? unwrapEdits(tree, server))
  )

/** Whether a server is one that we can give back. */
export const isWrapped = ({ wrapping }: HostServer): boolean => wrapping !== undefined && wrapping !== "byHand"

/** Whether a server can be wrapped, and is not. */
export const isPlain = ({ refusal, target, wrapping }: HostServer): boolean =>
  wrapping === undefined && refusal === undefined && target !== undefined
