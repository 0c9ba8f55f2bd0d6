import type { Child } from "../parts/dom.ts"
import { copy } from "./copy.ts"
import { addSheet, h, isNothing, isPlain, listOf, shown, textOf } from "../parts/kit.ts"

/** Paths, ids, hashes, versions, expressions: letters and signs without a space. */
const isCode = (value: unknown): value is string =>
  typeof value === "string" && /^\S{4,}$/.test(value) && /[\d_/\\.:#{}=<>$@-]/.test(value)

/** Lines of a label, its exact value, and in small print what it means: `[label, value, note]`. Lines without a value are left out. */
export const facts = (rows?: unknown): HTMLElement =>
  h(
    "dl",
    { class: "mg-fact-lines" },
    (isPlain(rows) ? Object.entries(rows) : listOf(rows)).map((row): Child => {
      const [label, value, note] = listOf(row) as ReadonlyArray<Child>
      if (isNothing(value)) return undefined
      const code = isCode(value) ? value : undefined
      return h(
        "div",
        {},
        h("dt", {}, label),
        h(
          "dd",
          {},
          h(
            "div",
            {},
            code === undefined ? shown(value, textOf(label)) : h("code", {}, code),
            isNothing(note) || h("small", {}, note)
          ),
          code !== undefined && copy(code)
        )
      )
    })
  )

addSheet(
  "facts",
  `
.mg-fact-lines{display:grid;border:1px solid $border;border-radius:$r3;padding:2px 18px}
.mg-fact-lines>div{display:grid;grid-template-columns:minmax(88px,24%) minmax(0,1fr);gap:2px 16px;align-items:baseline;padding:9px 0}.mg-fact-lines>div+div{border-top:1px solid $border}
.mg-fact-lines dt{color:$muted;font-size:$sm}
.mg-fact-lines dd{font-weight:$medium;display:grid;grid-template-columns:minmax(0,1fr) auto;gap:16px;align-items:start}
.mg-fact-lines dd small{display:block;font-size:$xs;font-weight:400;color:$muted}
.mg-fact-lines code{font-size:.95em;font-weight:400}
.mg-fact-lines .mg-button{min-height:24px}
@media(max-width:480px){.mg-fact-lines>div{grid-template-columns:minmax(0,1fr)}.mg-fact-lines dt{font-size:$xs}}
`
)
