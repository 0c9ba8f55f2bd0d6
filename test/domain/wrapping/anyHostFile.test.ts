import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { stringify } from "yaml"
import { type HostServer, serversOf } from "../../../src/domain/wrapping/HostServer.ts"
import type { HostFormat } from "../../../src/domain/wrapping/HostTree.ts"
import { readHostText } from "../../../src/domain/wrapping/readHostText.ts"
import { isPlain, isWrapped, leadFor, unwrapped, wrapped } from "../../../src/domain/wrapping/wrapText.ts"

type Value = string | number | ReadonlyArray<string> | Readonly<Record<string, string>>
type Servers = Readonly<Record<string, Readonly<Record<string, Value>>>>

const KEYS = {
  json: { member: "mcpServers", command: "command", env: "env", url: "url", headers: "headers", type: "http" },
  yaml: { member: "extensions", command: "cmd", env: "envs", url: "uri", headers: "headers", type: "streamable_http" },
  toml: { member: "mcp_servers", command: "command", env: "env", url: "url", headers: "http_headers", type: "http" }
}

const WORDS = [
  "a",
  "b c",
  "--",
  "-y",
  "1",
  "true",
  'ü"x',
  "#no",
  "x: y",
  "'q'",
  "C:\\x",
  "@s/p",
  "${input:x}",
  "*a",
  "\t"
]
const word = fc.constantFrom(...WORDS)
const texts = fc.dictionary(fc.constantFrom("X-A", "B"), word)

/** Servers of any kind, their members in any order. */
const servers = (format: HostFormat): fc.Arbitrary<Servers> => {
  const { command, env, headers, type, url } = KEYS[format]
  const started = fc.record(
    {
      [command]: word,
      args: fc.array(word, { maxLength: 3 }),
      [env]: texts,
      type: fc.constant("stdio"),
      timeout: fc.constant(5)
    },
    { requiredKeys: [command] }
  )
  const address = fc.constantFrom("https://a.example/mcp", "https://a.example/sse?a=b&c", "https://a.example/x#y")
  const reached = fc.record(
    { [url]: address, [headers]: texts, [env]: texts, type: fc.constantFrom("sse", type), timeout: fc.constant(5) },
    { requiredKeys: [url] }
  )
  const entry = fc
    .oneof(started, reached)
    .chain((members) => fc.shuffledSubarray(Object.entries(members), { minLength: Object.keys(members).length }))
    .map((members) => Object.fromEntries(members) as Servers[string])
  return fc.dictionary(fc.constantFrom("one", "two", "x.y"), entry, { minKeys: 1 })
}

/** A choice for each place where a format leaves one. */
type Choose = (choices: ReadonlyArray<string>) => string

const asJson = (value: Value | Servers | Servers[string], choose: Choose): string => {
  const blank = () => choose(["", " ", "\n", "\r\n  ", "\t", " // c\n", " /* d */ "])
  const isList = Array.isArray(value)
  if (typeof value !== "object") return JSON.stringify(value)
  const inner = isList
    ? value.map((item: string) => JSON.stringify(item))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}${blank()}:${blank()}${asJson(item, choose)}`)
  const text = inner.map((item) => blank() + item + blank()).join(",")
  return isList ? `[${text}${blank()}]` : `{${text}${blank()}}`
}

const tomlValue = (value: Value, choose: Choose): string => {
  if (typeof value !== "object") return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((item) => JSON.stringify(item)).join(choose([",", ", ", ",\n  "]))}]`
  return `{ ${Object.entries(value)
    .map(([key, text]) => `${key} = ${JSON.stringify(text)}`)
    .join(", ")} }`
}

const asToml = (servers: Servers, choose: Choose): string =>
  Object.entries(servers)
    .flatMap(([name, entry]) => {
      const header = `mcp_servers.${JSON.stringify(name)}`
      const isTable = (value: Value) =>
        typeof value === "object" && !Array.isArray(value) && choose(["yes", "no"]) === "yes"
      const all = Object.entries(entry).map(([key, value]) => ({ key, value, isTable: isTable(value) }))
      const lines = all
        .filter((one) => !one.isTable)
        .map(({ key, value }) => `${choose(["", "  "])}${key} = ${tomlValue(value, choose)}${choose(["", " # c"])}`)
      const tables = all
        .filter((one) => one.isTable)
        .map(({ key, value }) => {
          const inner = Object.entries(value).map(([inner, text]) => `${inner} = ${JSON.stringify(text)}`)
          return [`${choose(["", "\n"])}[${header}.${key}]`].concat(inner).join("\n")
        })
      return [`[${header}]${choose(["", " # c"])}`].concat(lines, tables, choose(["", "\n"]))
    })
    .join("\n")

const asYaml = (servers: Servers, choose: Choose): string =>
  stringify(
    { a: 1, extensions: servers, z: [1] },
    {
      indent: Number(choose(["2", "4"])),
      lineWidth: 0,
      collectionStyle: choose(["any", "flow"]) as "any" | "flow",
      defaultStringType: choose(["PLAIN", "QUOTE_SINGLE", "QUOTE_DOUBLE"]) as "PLAIN"
    }
  )

const WRITERS = {
  json: (servers: Servers, choose: Choose) => asJson({ mcpServers: servers } as unknown as Servers, choose),
  yaml: asYaml,
  toml: asToml
}

const readable = (text: string, format: HostFormat) => {
  const tree = readHostText(text, format)
  assert.notProperty(tree, "detail", text)
  return { tree: tree as Exclude<typeof tree, { readonly detail: string }>, text }
}

/** What a host would start, headers in any order. */
const sense = (servers: ReadonlyArray<HostServer>) =>
  servers.map(({ name, target }) => [
    name,
    target?.kind === "url" ? { ...target, headers: target.headers.toSorted() } : target
  ])

describe.each(["json", "yaml", "toml"] as const)("any file in %s", (format) => {
  it("is wrapped with the same words, and comes back to the byte", () => {
    const text = fc
      .tuple(servers(format), fc.array(fc.nat(), { minLength: 20, maxLength: 60 }))
      .map(([servers, choices]) => {
        let at = 0
        return WRITERS[format](servers, (from) => from[(choices[at++ % choices.length] ?? 0) % from.length] ?? "")
      })
    fc.assert(
      fc.property(text, (text) => {
        const { tree } = readable(text, format)
        const plain = serversOf(tree).filter(isPlain)
        const after = readable(
          wrapped(tree, plain, (server) => leadFor(server, ["npx", "-y", "mcp-gen-ui"], [])),
          format
        ).tree
        const words = serversOf(after).map(({ wrapping }) =>
          typeof wrapping === "object" ? wrapping.words : undefined
        )
        assert.deepStrictEqual(
          words,
          plain.map(({ target }) => (target?.kind === "url" ? [target.url] : target?.words))
        )
        const ours = serversOf(after).filter(isWrapped)
        assert.strictEqual(unwrapped(after, ours, tree), text)
        const byHand = readable(unwrapped(after, ours, undefined), format).tree
        assert.deepStrictEqual(sense(serversOf(byHand)), sense(serversOf(tree)))
      }),
      { numRuns: 300, seed: 1 }
    )
  })
})
