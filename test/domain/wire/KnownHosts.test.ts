import { assert, describe, it } from "@effect/vitest"
import {
  deliveryFor,
  isChatGpt,
  KNOWN_HOSTS,
  knownHost,
  refusedNames,
  rendersUnannounced
} from "../../../src/domain/wire/KnownHosts.ts"

const called = (name: string, version = "1") => ({ name, version })

describe("known hosts", () => {
  it.each([
    [called("claude-ai", "0.1.0"), "claude", true, "live"],
    [called("Anthropic/ClaudeAI"), "claude", true, "live"],
    [called("claude-code"), undefined, false, "blocking"],
    [called("Anthropic"), undefined, false, "blocking"],
    [called("Visual Studio Code - Insiders", "1.109.0-insider"), "vscode", true, "blocking"],
    [called("Visual Studio Code", "1.110"), "vscode", true, "blocking"],
    [called("Visual Studio Code", "2"), "vscode", true, "blocking"],
    [called("Visual Studio Code", "1.99.2"), "vscode", false, "blocking"],
    [{ name: "Visual-Studio-Code" }, "vscode", false, "blocking"],
    [called("openai-mcp"), "chatgpt", false, "live"],
    [called("goose-desktop", "1.38.0"), "goose", false, "blocking"],
    [called("pi-mcp-weather", "1.0.0"), "pi", true, "blocking"],
    [{ name: 7 }, undefined, false, "blocking"],
    ["claude-ai", undefined, false, "blocking"],
    [undefined, undefined, false, "blocking"]
  ] as const)("%j is %s", (client, id, renders, delivery) => {
    assert.strictEqual(knownHost(client)?.id, id)
    assert.strictEqual(rendersUnannounced(client), renders)
    assert.strictEqual(deliveryFor(client), delivery)
    assert.strictEqual(isChatGpt(client), id === "chatgpt")
  })

  it.each([
    ["claude-ai", "list.all", "Claude then drops all tools"],
    ["claude-ai", "x".repeat(65), "Claude then drops all tools"],
    ["claude-ai", "_ui_list", undefined],
    ["cursor-vscode", "x".repeat(51), "with the server's name"],
    ["grok", "_ui_list", "refuses the whole server"],
    ["of no renown", "list.all", undefined]
  ] as const)("%s and a tool called %s", (host, name, expected) => {
    const refused = refusedNames(called(host), ["fine", name])
    if (expected === undefined) assert.isUndefined(refused)
    else assert.include(refused, expected)
  })

  it("each fact says where it is from", () => {
    for (const host of KNOWN_HOSTS) {
      for (const [name, fact] of Object.entries(host)) {
        if (typeof fact === "string") continue
        assert.match(String(fact.date), /^20\d\d-[01]\d$/, `${host.id}.${name}`)
        assert.isNotEmpty(fact.source, `${host.id}.${name}`)
      }
    }
    assert.lengthOf(new Set(KNOWN_HOSTS.map(({ id }) => id)), KNOWN_HOSTS.length)
  })
})
