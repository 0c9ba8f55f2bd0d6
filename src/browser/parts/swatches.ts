import { type Child, h } from "./dom.ts"
import { gradually } from "./gradually.ts"
import { copyButton } from "./copyButton.ts"
import { empty } from "./layout.ts"
import { attempt, isPlain, rowsOf, textOf } from "./values.ts"

/** Colours to look at and copy: a list of them, `{name: colour}`, or records with a name and a colour. */
export const swatches = (items?: unknown): HTMLElement => {
  const isMap = isPlain(items) && Object.values(items).every((value) => typeof value === "string")
  const rows = isMap ? Object.entries(items).map(([name, color]) => ({ name, color })) : rowsOf(items, ["color"])
  const colours = rows.flatMap((row) => {
    const color = Object.values(row)
      .map(textOf)
      .find(
        (value) =>
          /^(#[0-9a-f]{3,8}|(rgb|hsl|oklch|lab|hwb)a?\()/i.test(value) && attempt(() => CSS.supports("color", value))
      )
    return color === undefined
      ? []
      : [{ color, name: textOf(Object.values(row).find((value) => value !== color && typeof value !== "object")) }]
  })
  if (colours.length === 0) return empty("No colours.")
  return gradually(h("ul", { class: "mg-swatches" }), colours, ({ color, name }): Child =>
    h(
      "li",
      {},
      h("span", { style: { background: color } }),
      h("b", {}, name),
      copyButton(() => color, undefined, color)
    )
  )
}
