import type { PeopleOptions } from "../../../types/parts.d.ts"
import type { JsonRecord } from "../../domain/results/ResultColumn.ts"
import { hashOf } from "./accent.ts"
import { badgesOf } from "./badge.ts"
import { type Child, h } from "./dom.ts"
import { gradually } from "./gradually.ts"
import { empty } from "./layout.ts"
import { made, picked, titleNode } from "./picks.ts"
import { clip, isNothing, optionsOf, rowsOf, textOf } from "./values.ts"

const initialsOf = (name: string): string => {
  const words = name
    .replace(/@.*/, "")
    .split(/[\s._-]+/)
    .filter(Boolean)
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  return letters
    .map((word) => [...(word ?? "?")][0] ?? "")
    .join("")
    .toUpperCase()
}

/** The first letters of a name in a circle whose colour stays with the name. */
export const avatar = (name?: unknown): HTMLElement => {
  const text = textOf(name)
  return h("span", { class: `mg-avatar mg-s${hashOf(text) % 8}`, "aria-hidden": "true" }, initialsOf(text))
}

export const people = (items?: unknown, options?: Partial<PeopleOptions>): HTMLElement => {
  const given = optionsOf<PeopleOptions>(options)
  const source = rowsOf(items, ["name"])
  if (source.length === 0) return empty(given.empty)
  return gradually(h("ul", { class: "mg-people" }), source, (item): Child => {
    const name = picked(item, given.title, "title")
    const text = picked(
      item,
      given.text ?? ((record: JsonRecord) => record.role ?? record.title ?? record.email ?? record.bio),
      "text"
    )
    const actions = made(given.actions, item)
    return h(
      "li",
      {},
      avatar(name),
      h(
        "div",
        { class: "mg-grow" },
        h("div", { class: "mg-item-title" }, titleNode(item, given), badgesOf(picked(item, given.badge, "badge"))),
        !isNothing(text) &&
          textOf(text) !== textOf(name) &&
          h("div", { class: "mg-item-text" }, text instanceof Node ? text : clip(textOf(text), 200))
      ),
      isNothing(actions) || h("div", { class: "mg-toolbar" }, actions)
    )
  })
}
