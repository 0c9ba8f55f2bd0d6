import { builtinSheet } from "../builtin/styles.ts"
import { formSheet } from "../forms/styles.ts"
import { h } from "./dom.ts"
import { base } from "./sheets/base.ts"
import { call } from "./sheets/call.ts"
import { charts } from "./sheets/charts.ts"
import { modes } from "./sheets/modes.ts"
import { records } from "./sheets/records.ts"
import { subjects } from "./sheets/subjects.ts"
import { table } from "./sheets/table.ts"
import { text } from "./sheets/text.ts"
import { tokens } from "./sheets/tokens.ts"

/* In the sheets `$name` stands for `var(--mg-name)`. */
const sheet = [tokens, base, records, table, charts, text, subjects, call, modes, builtinSheet, formSheet].join("")

const id = "mg-styles"

const cssOf = (text: string): string => text.replaceAll("\n", "").replace(/\$([\w-]+)/g, "var(--mg-$1)")

export const partsCss = (): string => cssOf(sheet)

/** Adds the rules of a page part, once. */
export const addSheet = (part: string, rules: string): void => {
  const own = `${id}-${part}`
  if (document.getElementById(own) === null) {
    document.head.append(h("style", { id: own, "data-mcp-gen-ui": true }, cssOf(rules)))
  }
}

/** Adds the stylesheet to the page, once, before all other styles so that they win. */
export const installStyles = (): void => {
  if (document.getElementById(id) !== null) return
  document.head.prepend(h("style", { id, "data-mcp-gen-ui": true }, partsCss()))
}
