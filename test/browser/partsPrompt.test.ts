import { afterAll, assert, describe, it } from "@effect/vitest"
import { parse } from "acorn"
import { readFile } from "node:fs/promises"
import { closeChromium, openView, viewDocument } from "./harness/index.ts"
import { openParts } from "./partsPage.ts"

afterAll(closeChromium)

const page = (): Promise<string> => readFile(new URL("../../prompts/partials/parts.md", import.meta.url), "utf8")

/** What the runtime uses and a view has no need of. */
const unmentioned = new Set(["installStyles"])

const globals = new Set(["var"])

const exportsOfParts = async (): Promise<{
  readonly parts: ReadonlyArray<string>
  readonly chart: ReadonlyArray<string>
  readonly fmt: ReadonlyArray<string>
}> => {
  const opened = await openParts()
  try {
    return await opened.page.evaluate(
      "({ parts: Object.keys(parts), chart: Object.keys(parts.chart), fmt: Object.keys(parts.fmt) })"
    )
  } finally {
    await opened.close()
  }
}

const signatures = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/`([a-zA-Z]+(?:\.[a-zA-Z|]+)?)\(/g)].map(([, name]) => name ?? "")

const examplesOf = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/```html\n([^]*?)```/g)].map(([, example]) => example ?? "")

/** Links an example as the product does, by its one import from the parts. */
const linked = (example: string): string => {
  const code = /<script type="module">([^]*?)<\/script>/.exec(example)?.[1] ?? ""
  parse(code, { ecmaVersion: "latest", sourceType: "module" })
  return code.replace(/import \{([^}]*)\} from "mcp-gen-ui\/parts"/, "const {$1} = globalThis.mcpGenUi.parts")
}

describe("the page about parts", () => {
  it("fits into its share of the prompt", async () => {
    const text = await page()
    assert.isAtMost(text.length, 6_200)
    assert.notMatch(text, /\{\{|\{%/)
  })

  it("names every part, and no part that does not exist", async () => {
    const text = await page()
    const known = await exportsOfParts()
    for (const name of known.parts) {
      if (!unmentioned.has(name)) assert.match(text, new RegExp(`\\b${name}\\b[.(]`), `the page does not name ${name}`)
    }
    for (const name of known.fmt) assert.include(text, `fmt.${name}(`)
    for (const name of known.chart) assert.match(text, new RegExp(`chart\\.([a-z]+\\|)*${name}\\b`))
    const named = signatures(text)
    assert.isAbove(named.length, 30)
    for (const name of named) {
      const [root = "", members = ""] = name.split(".")
      if (root === "ctx") continue
      assert.isTrue(known.parts.includes(root) || globals.has(root), `the page names ${root}, which is not a part`)
      for (const member of members === "" ? [] : members.split("|")) {
        assert.include([...known.chart, ...known.fmt], member)
      }
    }
    for (const [, imported = ""] of text.matchAll(/import \{([^}]*)\} from/g)) {
      for (const name of imported.split(",")) assert.include(known.parts, name.trim())
    }
  })

  it("names every member of the context, and no other", async () => {
    const text = await page()
    const view = await openView({
      html: await viewDocument({
        module: `globalThis.mcpGenUi.parts.show((data, ctx) => { document.body.dataset.members = Object.keys(ctx).join(); return "drawn" })`
      }),
      toolInput: {},
      toolResult: { content: [{ type: "text", text: "x" }] }
    })
    try {
      await view.frame.waitForSelector("body[data-members]")
      const members = await view.frame.evaluate<string>("document.body.dataset.members")
      const named = new Set([...text.matchAll(/`ctx\.([a-zA-Z]+)/g)].map(([, name]) => name ?? ""))
      assert.deepEqual([...named].sort(), members.split(",").sort())
    } finally {
      await view.close()
    }
  })

  const data: ReadonlyArray<{ readonly content: Record<string, unknown>; readonly seen: ReadonlyArray<string> }> = [
    {
      content: {
        location: "Oslo",
        current: { temperature: 4.5, humidity: 0.7 },
        days: [
          { date: "2025-11-21", high: 6, low: 1, condition: "Rain" },
          { date: "2025-11-22", high: 4, low: -2, condition: "Snow" }
        ]
      },
      seen: ["Forecast for Oslo", "4.5°C", "70%", "22 Nov 2025", "Snow"]
    },
    {
      content: {
        issues: [
          {
            id: 7,
            title: "Crash at start",
            state: "open",
            url: "https://example.org/7",
            author: "ada",
            updated_at: "2020-01-01T00:00:00Z"
          }
        ]
      },
      seen: ["1 issue", "Crash at start", "open", "ada", "years ago", "Close"]
    }
  ]

  for (const [index, { content, seen }] of data.entries()) {
    for (const kind of ["its data", "data of another shape"] as const) {
      it(`has an example ${index + 1} that draws ${kind}`, async () => {
        const example = examplesOf(await page())[index]
        if (example === undefined) throw new Error(`there is no example ${index + 1}`)
        const view = await openView({
          html: await viewDocument({ module: linked(example) }),
          toolInput: { location: "Oslo" },
          toolResult: { content: [], structuredContent: kind === "its data" ? content : { unexpected: [1, null, "x"] } }
        })
        try {
          await view.frame.waitForSelector(".mg-content .mg-header")
          const text = (await view.frame.textContent(".mg-content")) ?? ""
          assert.notInclude(text, "could not show")
          if (kind === "its data") for (const piece of seen) assert.include(text, piece)
          assert.deepEqual(view.violations, [])
          assert.deepEqual(view.consoleErrors, [])
          assert.deepEqual(await view.axe(), [])
        } finally {
          await view.close()
        }
      })
    }
  }
})
