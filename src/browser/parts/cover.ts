import type { CoverOptions } from "../../../types/parts.d.ts"
import { hashOf } from "./accent.ts"
import { type Child, h } from "./dom.ts"
import { isNothing, optionsOf, textOf } from "./values.ts"

/** The cover of a document, a book, an album: its title on stripes that stay with the title. */
export const cover = (title?: Child, options?: Partial<CoverOptions>): HTMLElement => {
  const given = optionsOf<CoverOptions>(options)
  const hash = hashOf(textOf(title))
  return h(
    "div",
    {
      class: "mg-cover mg-own mg-solid",
      style: `--angle:${(hash % 8) * 22 + 12}deg;--wide:${9 + ((hash >> 4) % 14)}px`
    },
    h("b", {}, title),
    isNothing(given.kind) || h("small", {}, given.kind)
  )
}
