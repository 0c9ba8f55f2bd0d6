import type { PageOptions } from "../../../types/parts.d.ts"
import { looksLikeMarkdown } from "../../domain/results/ResultText.ts"
import { h } from "./dom.ts"
import { icon } from "./icons.ts"
import { markdown, plainText } from "./markdown.ts"
import { bounded } from "./media.ts"
import { isNothing, optionsOf, textOf } from "./values.ts"

const shownAtOnce = 20_000

/** A sheet of paper: a page of a document, an article, a letter. Text may be Markdown. */
export const page = (content?: unknown, options?: Partial<PageOptions>): HTMLElement => {
  const given = optionsOf<PageOptions>(options)
  const body =
    typeof content === "string"
      ? bounded(content, shownAtOnce, (text) => (looksLikeMarkdown(text) ? markdown(text) : plainText(text)))
      : h("div", { class: "mg-stack" }, content)
  const number = textOf(given.number)
  const of = textOf(given.of)
  return h(
    "article",
    { class: "mg-paper" },
    (!isNothing(given.title) || !isNothing(given.source)) &&
      h(
        "header",
        {},
        isNothing(given.title) || h("h2", {}, given.title),
        isNothing(given.source) || h("p", { class: "mg-hit-path" }, icon("file", 14), " ", given.source)
      ),
    body,
    number !== "" && h("footer", {}, of === "" ? number : `${number} / ${of}`)
  )
}
