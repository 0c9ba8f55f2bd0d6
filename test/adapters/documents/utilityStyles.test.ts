import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { utilityStyles } from "../../../src/adapters/documents/utilityStyles.ts"

const theme = readFileSync(createRequire(import.meta.url).resolve("tailwindcss/theme.css"), "utf8")
const stylesOf = (source: string) => utilityStyles(theme, source)

describe("utilityStyles", () => {
  it("has a rule for each class of Tailwind that a source names, and for no other word", async () => {
    const css = await stylesOf(
      '<script>h("div flex gap-3 novel", h(`b ${on ? "sm:grid-cols-[90px_1fr]" : ""}`))</script>'
    )
    for (const rule of [".flex{", ".gap-3{", ".sm\\:grid-cols-\\[90px_1fr\\]{"]) assert.include(css, rule)
    assert.notInclude(css, "novel")
  })

  it("lets parts be pieces of a card that the page made, and buttons wrap as wholes", async () => {
    const css = await stylesOf('h("div flex border bg-card", button("Go"))')
    assert.match(css, /\.border\.bg-card :is\([^)]*\.mg-code[^)]*\)\{border-width:0/)
    assert.include(
      css,
      ":where(.flex:has(>.mg-button:not(.mg-copy-sign),>.flex>.mg-button:not(.mg-copy-sign),>.mg-badge)){flex-wrap:wrap}"
    )
  })

  it("breaks words in cells of many columns only, and none of a few letters", async () => {
    const css = await stylesOf('h("div grid grid-cols-3", h("p flex"))')
    assert.include(css, ":where(:is(.grid-cols-2,.grid-cols-3,.grid-cols-4)>.flex){overflow-wrap:anywhere}")
    assert.include(css, ":where(.mg-short){overflow-wrap:normal}:where(.mg-short>svg){display:block}")
    assert.include(css, ".break-all.break-all{word-break:normal;overflow-wrap:anywhere}")
  })

  it("draws dashes on the side that is named only, and black on a ground of the page's own", async () => {
    const css = await stylesOf('h("i border-t-2 border-dashed"); h("b text-black")')
    assert.include(css, ":where([class*=border-d]){border-width:0}")
    assert.isBelow(css.indexOf("border-width:0"), css.indexOf(".border-t-2{"))
    assert.include(css, ":is([style*=background],[style*=background] *).text-black{color:#000}")
  })

  it("is empty where a source names none", async () => {
    assert.strictEqual(await stylesOf("<p>hello</p><script>h('p', { class: 'table' }, 1)</script>"), "")
    assert.strictEqual(await stylesOf("<script>hits([], { query: 'table' })</script>"), "")
  })

  it("has the classes whose hue the script chooses, in each hue that it names", async () => {
    const css = await stylesOf('const tone = on ? "teal" : "rose"; h(`i sm:bg-${tone}-100 text-${tone}-700`)')
    for (const rule of [".sm\\:bg-teal-100{", ".sm\\:bg-rose-100{", ".text-teal-700{"]) assert.include(css, rule)
    assert.notInclude(css, "amber")
    const steps = await stylesOf('const tone = on ? "teal" : "rose"; h(`i bg-${tone}-${on ? 100 : 700}`)')
    for (const rule of [".bg-teal-100{", ".bg-rose-700{", ".bg-sky-950{"]) assert.include(steps, rule)
  })

  it("has the classes whose whole colour the script chooses, in each that it names", async () => {
    const css = await stylesOf(
      'const tones = { done: "success", late: "danger" }; h(`i bg-${tones[it] ?? "slate-300"} hover:text-${tones[it]}/50 p-${tones[it]} border-${{ a: "info" }[it]}`)'
    )
    for (const rule of [".bg-success{", ".bg-danger{", ".bg-slate-300{", ".border-info{", ".hover\\:text-success\\/50"])
      assert.include(css, rule)
    for (const rule of [".bg-warning", ".bg-slate-100", "p-success"]) assert.notInclude(css, rule)
  })

  it("has the classes whose number the script chooses, up to twelve", async () => {
    const css = await stylesOf("h(`div grid gap-1 ${many ? 'sm:grid-cols-8' : `sm:grid-cols-${rows.length}`}`)")
    for (const count of [1, 8, 12]) assert.include(css, `.sm\\:grid-cols-${count}{`)
    assert.notInclude(css, "grid-cols-13")
    const shares = await stylesOf("h(`i bg-teal-300/${Math.min(100, share)}`, `${a}/${b}`, `out of/${n}`)")
    for (const share of [1, 37, 100]) assert.include(shares, `.bg-teal-300\\/${share}{`)
    assert.notInclude(shares, "of\\/")
  })

  it("leaves the classes alone that a page has style for", async () => {
    const css = await stylesOf(
      '<style>.collapse > b { color: red }</style><script>h("div collapse flex gap-2")</script>'
    )
    assert.include(css, ".flex{")
    assert.notInclude(css, ".collapse")
  })

  it("turns pale grounds and deep texts in the dark, and keeps strong grounds", async () => {
    const css = await stylesOf('h("i bg-red-50 text-red-700 bg-red-600 bg-red-800 text-red-200 text-stone-300")')
    assert.match(
      css,
      /\.bg-red-50\{[^}]*light-dark\(var\(--color-red-50\),color-mix\(in oklab,var\(--color-red-500\) 10%,var\(--mg-bg\)\)\)/
    )
    assert.include(css, ".text-red-700{color:light-dark(var(--color-red-700),var(--color-red-300))")
    assert.include(css, ".text-stone-300{color:light-dark(var(--color-stone-300),var(--color-stone-600))")
    assert.match(css, /\.bg-red-600\{[^}]*color-mix\(in oklab,var\(--color-red-600\) 84%,var\(--mg-bg\)\)/)
    assert.include(css, ".bg-red-800{background-color:var(--color-red-800)")
    assert.include(css, ".text-red-200{color:var(--color-red-200)")
  })

  it("has the colours of shadcn/ui by their purpose, from the look of the page", async () => {
    const css = await stylesOf('h("i bg-card text-muted-foreground bg-primary text-primary border border-danger/40")')
    assert.include(css, ".bg-card{background-color:var(--mg-bg)")
    assert.include(css, ".text-muted-foreground{color:var(--mg-muted)")
    assert.include(css, "var(--mg-danger) 40%")
    assert.include(css, ".bg-primary{background-color:var(--mg-solid)")
    assert.include(css, ".text-primary{color:var(--mg-accent)")
  })

  it.each([
    "bg-[url(https://example.com/x.png)]",
    "[background:url(//example.com)]",
    "bg-[image-set(x)]",
    "[&]:content-[</style>]",
    "[--x:</style><script>]"
  ])("makes nothing of %s", async (name) => {
    const css = await stylesOf(`h("div flex gap-2 ${name}")`)
    assert.include(css, ".flex{")
    assert.notMatch(css, /url|image-set|<|example/)
  })
})
