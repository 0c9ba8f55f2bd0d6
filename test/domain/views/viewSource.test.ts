import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import * as PackageFiles from "../../../src/layers/documents/PackageFiles.ts"
import * as HtmlInspectorLayer from "../../../src/layers/inspection/HtmlInspector.ts"
import { HtmlInspector } from "../../../src/services/inspection/HtmlInspector.ts"
import { parseViewFile, viewFileJsonSchema, viewProblemsText } from "../../../src/domain/views/ViewFile.ts"
import { viewSource } from "../../../src/domain/views/viewSource.ts"
import { Ajv2020 } from "ajv/dist/2020.js"
import { declaredViews, stockTool } from "../../fixtures/declaredViews.ts"

const compiled = (view: unknown) =>
  Result.flatMap(parseViewFile(JSON.stringify(view)), (file) => viewSource(file, stockTool))

const sourceOf = (view: unknown): string => {
  const source = compiled(view)
  return Result.isSuccess(source) ? source.success : assert.fail(viewProblemsText(source.failure))
}

const problemsOf = (view: unknown): string => {
  const source = compiled(view)
  return Result.isFailure(source) ? viewProblemsText(source.failure) : "none"
}

describe("a declared view", () => {
  it("is a composition of parts, short enough to go on from", () => {
    assert.strictEqual(
      sourceOf({ ...declaredViews.table, rowActions: undefined, defaultColumns: undefined, columns: ["name"] }),
      `<style>.mg-left { display: none }</style>
<script type="module">
import { show, header, table, button } from "mcp-gen-ui/parts"
show((data, ctx) => {
  return [
    header(\`Stock in \${data?.shop ?? ""}\`, { subtitle: \`\${data?.total ?? ""} in all\`, badge: data?.state, actions: [button("Ask about it", () => ctx.say(\`Why are there \${data?.total ?? ""}?\`))] }),
    table(data?.items, { columns: ["name"], sort: "-price" })
  ]
})
</script>`
    )
  })

  it.effect.each(Object.keys(declaredViews))(
    "of the kind %s passes the inspection of a model's answer as it is",
    (kind) =>
      Effect.gen(function* () {
        const source = sourceOf(declaredViews[kind])
        const { callable } = stockTool
        const verdict = yield* Effect.flatMap(HtmlInspector, ({ inspect }) =>
          inspect(`<!-- rich -->\n${source}`, { toolNames: callable, maxHtmlBytes: 100_000 })
        )
        assert.deepInclude(verdict, { _tag: "Accepted", source, repairs: [] })
      }).pipe(Effect.provide(HtmlInspectorLayer.layer.pipe(Layer.provide(PackageFiles.layer))))
  )

  it.each([
    ["{a}", "data?.a"],
    ["{a.b-c}", 'data?.a?.["b-c"]'],
    ["{args.q}", "ctx.args?.q"],
    ["`$ \\ {a} ${", '`\\`$ \\\\ ${data?.a ?? ""} \\${`'],
    ["</script>", '"</script>"']
  ])("writes the text %s as %s", (title, code) => {
    assert.include(sourceOf({ kind: "list", title }), `header(${code})`)
  })

  it.each([
    [
      {},
      'kind: found nothing; allowed: "table", "detail", "cards", "list", "chart", "progress", "form", "wizard", "search", "picker", "dashboard"'
    ],
    [[], "found an empty list; allowed: an object in { }"],
    [{ kind: "list", titel: "x" }, 'titel: is not a known key; did you mean "title"?'],
    [
      { kind: "table", columns: ["a", { key: "b", align: "left" }] },
      'columns[1].align: found "left"; allowed: "start", "center", "end"'
    ],
    [
      { kind: "table", columns: [{ lable: "b" }] },
      'columns[0].lable: is not a known key; did you mean "label"?; columns[0].key: is missing'
    ],
    [{ kind: "table", columns: [] }, "columns: found an empty list; allowed: a list with something in it"],
    [{ kind: "table", pageSize: 0 }, "pageSize: found 0; allowed: a whole number from 1 to 100000"],
    [{ kind: "chart", chart: "bars" }, 'chart: found "bars"; allowed: "line", "area", "bar", "scatter", "pie", "heat"'],
    [
      { kind: "dashboard", panels: [{ kind: "form" }] },
      'panels[0].kind: found "form"; allowed: "table", "detail", "cards", "list", "chart", "progress"'
    ],
    [
      { kind: "wizard", steps: [{ title: "A", fields: ["qery"] }] },
      'steps[0].fields[0]: found "qery"; allowed: query, state, amount, since, page, urgent, tags'
    ],
    [
      { kind: "form", fields: ["tags"] },
      "fields[0]: tags is a list or an object: give it a type, or leave it to the tool's own form"
    ],
    [
      { kind: "list", actions: [{ label: "Go" }] },
      "actions[0]: does nothing; give it one of call, say, open, copy, again"
    ],
    [
      { kind: "list", actions: [{ label: "Go", call: "drop" }] },
      'actions[0].call: found "drop"; allowed: list_stock, order_stock, get_totals'
    ],
    [
      { kind: "dashboard", panels: [{ kind: "list", call: "drop" }] },
      'panels[0].call: found "drop"; allowed: list_stock, order_stock, get_totals'
    ],
    [
      { kind: "table", rowActions: [{ label: "Go", again: true }] },
      "columns: is missing: with rowActions the columns have to be named"
    ],
    [
      { kind: "search", query: "query", paging: { arg: "pag" }, results: { kind: "list" } },
      'paging.arg: found "pag"; allowed: query, state, amount, since, page, urgent, tags'
    ]
  ])("%j is told: %s", (view, told) => {
    assert.strictEqual(problemsOf(view), told)
  })

  it("tells where a file is no JSON", () => {
    const read = parseViewFile('{ "kind": "list", }')
    assert.strictEqual(
      Result.isFailure(read) && viewProblemsText(read.failure),
      'line 1, column 19: expected another key after ",", found "}"; remove the last comma'
    )
  })
})

describe("dist/view.schema.json", () => {
  const isValid = new Ajv2020({ allowUnionTypes: true }).compile(viewFileJsonSchema())

  it.each(Object.entries(declaredViews))("takes a %s", (_, view) => {
    assert.isTrue(isValid(view), JSON.stringify(isValid.errors))
  })

  it.each([{ kind: "tabel" }, { kind: "table", colums: [] }, { kind: "chart", chart: "bars" }])(
    "refuses %j",
    (view) => {
      assert.isFalse(isValid(view))
    }
  )
})
