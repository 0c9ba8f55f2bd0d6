import type { StepsOptions } from "../../../types/parts.d.ts"
import type { JsonRecord } from "../../domain/results/ResultColumn.ts"
import { h } from "./dom.ts"
import { fmt } from "./format.ts"
import { gradually } from "./gradually.ts"
import { icon } from "./icons.ts"
import { empty } from "./layout.ts"
import { itemNodes, made, picked, timeNode } from "./picks.ts"
import { isNothing, optionsOf, rowsOf, textOf } from "./values.ts"

type StepState = "done" | "active" | "failed" | "open"

const stateWords: ReadonlyArray<readonly [StepState, RegExp]> = [
  ["done", /^(done|complete[d]?|finished|success(ful)?|succeeded|passed|closed|resolved|merged|true|yes|ok)$/i],
  ["failed", /^(failed|failure|error|blocked|cancell?ed|rejected)$/i],
  ["active", /^(active|current|running|doing|started|(in[ _-]?)?progress|in[ _-]progress|review|processing|now)$/i]
]

/** What a word says of a step; anything else is still to do. */
const stateOf = (value: unknown): StepState =>
  stateWords.find(([, words]) => words.test(textOf(value).trim()))?.[0] ?? "open"

const stateNames = "state status done completed complete checked isCompleted".split(" ")

const stateIn = (item: JsonRecord, pick: unknown): StepState => {
  const told = typeof pick === "function" || typeof pick === "string" ? picked(item, pick, "badge") : undefined
  return stateOf(told ?? item[stateNames.find((name) => Object.hasOwn(item, name)) ?? ""])
}

export const steps = (items?: unknown, options?: Partial<StepsOptions>): HTMLElement => {
  const given = optionsOf<StepsOptions>(options)
  const source = rowsOf(items, ["title"])
  if (source.length === 0) return empty(given.empty)
  const states = new Map(source.map((item) => [item, stateIn(item, given.state)]))
  const done = [...states.values()].filter((state) => state === "done").length
  let number = 0
  const frame = h("ol", { class: "mg-steps" })
  const drawn = gradually(frame, source, (item) => {
    const state = states.get(item) ?? "open"
    number++
    const actions = made(given.actions, item)
    return h(
      "li",
      { class: `mg-step mg-step-${state}` },
      h(
        "span",
        { class: "mg-step-mark", role: "img", "aria-label": state === "open" ? `Step ${number}` : state },
        state === "done" ? icon("check", 14) : state === "failed" ? icon("cross", 14) : number
      ),
      h(
        "div",
        { class: "mg-grow" },
        itemNodes(item, { ...given, badge: given.badge ?? (() => undefined) }),
        made(given.content, item),
        isNothing(actions) || h("div", { class: "mg-toolbar" }, actions)
      ),
      given.time !== undefined && timeNode(item, given.time)
    )
  })
  if (done === 0 || given.progress === false) return drawn
  const share = Math.round((done / source.length) * 100)
  return h(
    "div",
    { class: "mg-stack" },
    h(
      "div",
      { class: "mg-steps-done" },
      h(
        "span",
        { class: "mg-meter-bar", role: "meter", "aria-label": "Done", "aria-valuenow": share },
        h("span", { class: "mg-meter-fill mg-fill-success", style: { width: `${share}%` } })
      ),
      h("span", { class: "mg-muted mg-small" }, `${fmt.number(done)} of ${fmt.number(source.length)} done`)
    ),
    drawn
  )
}
