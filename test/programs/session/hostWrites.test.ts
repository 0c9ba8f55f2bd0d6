import { assert, describe, it } from "@effect/vitest"
import { encode } from "gpt-tokenizer/encoding/o200k_base"
import { testFolder } from "../../fixtures/folders.ts"
import { weather } from "../../fixtures/RawClient.ts"
import { type Era, overHttp, overStdio, sdkHost } from "../../fixtures/sdkHosts.ts"
import type { SessionOptions } from "../../fixtures/wrapperSession.ts"
import { serveSessions } from "../../fixtures/wrapperSession.ts"
import { factsOf, type Json, startModel, textOf, tokenOf } from "../../fixtures/wrapperWithModel.ts"

const toolName = "get_forecast"
const args = { location: "Oslo", days: 3 }
const feedback = "make the days nicer"

const PAGE = `<!-- rich -->
<script type="module">
import { show, header, table } from "mcp-gen-ui/parts"
show((data) => [header("Nicer days"), table(data.days)])
</script>`

const EDIT = `<<<<<<< SEARCH
[header("Nicer days"), table(data.days)]
=======
[header("Sorted days"), table(data.days, { sort: "-high" })]
>>>>>>> REPLACE`

/** What the model of a host has: the list of tools, and calls. */
const startHost = async (options: SessionOptions = {}, era: Era = "legacy") => {
  const client = await overStdio(era, weather, options)
  return { client, ...sdkHost(client), listed: async () => (await client.listTools()).tools }
}

const tokensOf = (result: Json): number => encode(textOf(result)).length

describe("a host's own model", () => {
  const doors: ReadonlyArray<readonly [string, () => ReturnType<typeof overHttp>]> = [
    ["stdio, legacy era", () => overStdio("legacy")],
    ["stdio, modern era", () => overStdio("modern")],
    ["HTTP, legacy era", async () => overHttp("legacy", (await serveSessions(weather)).url)],
    ["HTTP, modern era", async () => overHttp("modern", (await serveSessions(weather)).url)]
  ]
  it.each(doors)("writes a UI in two calls over %s", async (_, open) => {
    const client = await open()
    const { ask, call, read } = sdkHost(client)
    await client.listTools()
    const before = await read(toolName)
    const brief = await call("_ui_refine", { toolName, feedback })
    assert.isUndefined(brief.isError)
    assert.include(textOf(brief), `"${toolName}" answers: ${feedback}`)
    assert.include(textOf(brief), "`_ui_write`")
    assert.isAtMost(tokensOf(brief), 2500)

    const written = await call("_ui_write", { toolName, source: PAGE })
    assert.deepInclude(written.structuredContent, {
      toolName,
      level: 0,
      uiType: "rich",
      version: 1,
      refinements: [feedback]
    })
    const after = await read(toolName)
    assert.include(after, "Nicer days")
    assert.notStrictEqual(factsOf(after).version, factsOf(before).version)
    assert.deepInclude(await ask("_ui_inspect", { toolName }), { provider: "host", model: null, history: [feedback] })
  })

  it("gets the source and a result that was seen, sends edits, and what was not asked for stays to the byte", async () => {
    const { ask, call, read } = await startHost()
    await call(toolName, args)
    await call("_ui_refine", { toolName, feedback })
    await ask("_ui_write", { toolName, source: PAGE })
    const brief = await call("_ui_refine", { toolName, feedback: "hottest first" })
    assert.include(textOf(brief), 'show((data) => [header("Nicer days"), table(data.days)])')
    assert.include(textOf(brief), "<<<<<<< SEARCH")
    assert.include(textOf(brief), 'result 1, for the arguments {"location":"Oslo","days":3}')
    assert.isAtMost(tokensOf(brief), 2500)
    assert.deepInclude(await ask("_ui_write", { toolName, source: EDIT }), { version: 2, level: 0 })
    const { source } = await ask("_ui_history", { toolName, version: 2 })
    const [, wanted = ""] = EDIT.split(/=+\n|\n>+/)
    const bare = PAGE.replace("<!-- rich -->\n", "")
    assert.strictEqual(
      source,
      bare.replace('[header("Nicer days"), table(data.days)]', () => wanted)
    )
    assert.include(await read(toolName), "Sorted days")
  })

  it.each([
    [
      "a source that is refused",
      `${PAGE}<img src="https://evil.example/x.png"><script src="https://evil.example/x.js"></script>`,
      [/^line 5, column \d+: .*x\.png/, /^line 5, column \d+: .*x\.js/]
    ],
    [
      "edits that do not fit",
      EDIT.replace("header(", "heading("),
      [/^block 1: ".*" does not stand in the current page/]
    ],
    ["a text that is no page", "Here is the page you asked for.", [/^the answer is no page: /]]
  ])("hears line by line what is wrong with %s, and mends it", async (_, source, problems) => {
    const { ask, call, read } = await startHost()
    await ask("_ui_write", { toolName, source: PAGE })
    await call("_ui_refine", { toolName, feedback })
    const refused = await call("_ui_write", { toolName, source })
    assert.isTrue(refused.isError)
    const [first, ...lines] = textOf(refused).split("\n")
    assert.strictEqual(first, "Nothing has changed yet. Mend these, and call again:")
    assert.lengthOf(lines, problems.length)
    for (const [index, problem] of problems.entries()) assert.match(lines[index] ?? "", problem)
    assert.include(await read(toolName), "Nicer days")
    assert.deepInclude(await ask("_ui_write", { toolName, source: EDIT }), { version: 2, refinements: [feedback] })
  })

  it("has its source repaired by rule, and held by the walls for generated ones", async () => {
    const { ask, read } = await startHost()
    const written = await ask("_ui_write", {
      toolName,
      source: `\`\`\`html\n${PAGE.replace("show, header, table", "show, header")}\n\`\`\``
    })
    assert.deepInclude(written, { level: 1 })
    const page = await read(toolName)
    assert.include(page, "Nicer days")
    assert.notInclude(page, '"byHand":true')
  })

  it("takes a change back, to a version or to the built-in UI, and the words with it", async () => {
    const { ask, call, read } = await startHost()
    const refine = async (more: string, source: string) => {
      await call("_ui_refine", { toolName, feedback: more })
      await ask("_ui_write", { toolName, source })
    }
    await refine("nicer", PAGE)
    await refine("sorted", EDIT)
    const listed = await call("_ui_list", { toolName })
    assert.match(
      textOf(listed),
      /version 1, written at \S+: nicer\nversion 2, written from 1 at \S+ \(shown now\): sorted$/
    )
    assert.deepInclude(await ask("_ui_refine", { toolName, version: 1 }), { refinements: ["nicer"], uiType: "rich" })
    assert.include(await read(toolName), "Nicer days")
    assert.deepInclude(await ask("_ui_refine", { toolName, version: 0 }), {
      refinements: [],
      uiType: "minimal",
      level: 0
    })
    assert.strictEqual(factsOf(await read(toolName)).view, "builtin")
    const after = await call("_ui_list", { toolName })
    assert.match(textOf(after), /^get_forecast: has the built-in page\n/)
    assert.match(textOf(after), /\nversion 3, back to the built-in page at \S+ \(shown now\)$/)
    await refine("again", PAGE)
    assert.include(await read(toolName), "Nicer days")
    assert.isTrue((await call("_ui_refine", { toolName, version: 9 })).isError)
  })

  it("is what its tools speak of, in words that need no knowledge of ours", async () => {
    const { ask, call, read } = await startHost()
    const token = tokenOf(await read(toolName))
    const why = "The assistant in this chat can write this UI: ask it for one (_ui_refine)."
    assert.deepInclude((await ask("_ui_inspect", { toolName })).fallbackReason as Json, { message: why })
    assert.deepInclude(await ask("_ui_current", { toolName, token, version: "" }), { note: why })
    assert.include(textOf(await call("_ui_regenerate", { toolName, uiType: "rich" })), why)
    const answers = [
      await call("_ui_write", { toolName, source: PAGE }),
      await call("_ui_write", { toolName, source: EDIT }),
      await call("_ui_refine", { toolName, version: 1 }),
      await call("_ui_refine", { toolName, version: 0 }),
      await call("_ui_list", {})
    ].map(textOf)
    for (const answer of answers) assert.notMatch(answer, /\blevel\b|\brich\b|\bminimal\b|[Rr]egenerated/)
    for (const answer of answers.slice(0, 4)) assert.include(answer, "do not call get_forecast again for that")
    assert.match(answers[3] ?? "", /^Took back all changes of the UI of "get_forecast" in .* It is the built-in one/)
  })

  it("finds what it wrote after a restart, where the cache and the refinements are kept", async () => {
    const config = ["--cache-dir", testFolder()]
    const first = await startHost({ flags: config })
    await first.ask("_ui_write", { toolName, source: PAGE })
    await first.client.close()
    const second = await startHost({ flags: config })
    assert.include(await second.read(toolName), "Nicer days")
    assert.deepInclude(await second.ask("_ui_inspect", { toolName }), {
      provider: "host",
      cached: true,
      status: "generated"
    })
  })

  it("sees three tools, two where a provider writes, one where nobody does; all others answer when called", async () => {
    const { env } = await startModel(PAGE)
    const own = async (options: SessionOptions) => {
      const host = await startHost(options)
      const names = (await host.listed()).map(({ name }) => name).filter((name) => name.startsWith("_ui_"))
      assert.deepStrictEqual(names.slice(-2), ["_ui_select", "_ui_current"])
      assert.isUndefined((await host.call("_ui_inspect", { toolName })).isError)
      return { ...host, names: names.slice(0, -2) }
    }
    assert.deepStrictEqual((await own({})).names, ["_ui_refine", "_ui_write", "_ui_list"])
    assert.deepStrictEqual((await own({ env })).names, ["_ui_refine", "_ui_list"])
    assert.deepStrictEqual((await own({ env, flags: ["--llm", "host"] })).names, [
      "_ui_refine",
      "_ui_write",
      "_ui_list"
    ])
    assert.deepStrictEqual((await own({ flags: ["--wrapper-tools", "none"] })).names, [])
    const nobody = await own({ flags: ["--llm", "none"] })
    assert.deepStrictEqual(nobody.names, ["_ui_list"])
    assert.include(textOf(await nobody.call("_ui_refine", { toolName, feedback })), "No language model is configured")
  })

  it("is asked for nothing where a provider has a key; with `--llm host` the key is not used", async () => {
    const { env, model } = await startModel(PAGE)
    const own = await startHost({ env })
    assert.include(textOf(await own.call("_ui_refine", { toolName, feedback })), 'Refined the UI of "get_forecast"')
    assert.lengthOf(model.requests, 1)
    const host = await startHost({ env, flags: ["--llm", "host"] })
    assert.include(textOf(await host.call("_ui_refine", { toolName, feedback })), "`_ui_write`")
    assert.strictEqual(factsOf(await host.read(toolName)).view, "builtin")
    assert.lengthOf(model.requests, 1)
  })
})
