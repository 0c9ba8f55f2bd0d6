import type { HeroOptions } from "../../../types/parts.d.ts"
import { isEmpty } from "../../domain/results/ResultColumn.ts"
import { badgesOf, readTone } from "./badge.ts"
import { copyButton } from "./copyButton.ts"
import { type Child, fragment, h } from "./dom.ts"
import { exactly, fieldNode, fieldsOf, givenValue, measured } from "./field.ts"
import { icon, iconNamed } from "./icons.ts"
import { isNothing, isPlain, listOf, memberOf, optionsOf, textOf } from "./values.ts"

/** The larger the fewer characters. */
const sizeOf = (length: number): string => (length <= 8 ? "xl" : length <= 20 ? "lg" : length <= 64 ? "md" : "sm")

/** Names and values in a line: a record, or a list of `{label, value}`. Empty values are left out. */
const factLine = (facts: unknown): Child => {
  const entries = isPlain(facts)
    ? fieldsOf(
        Object.keys(facts).filter((key) => !isEmpty(facts[key])),
        [facts]
      ).map((field): readonly [Child, Child] => [field.label, fieldNode(memberOf(facts, field.key), field, facts)])
    : listOf(facts)
        .filter(isPlain)
        .map((fact): readonly [Child, Child] => [fact.label as Child, givenValue(fact.value, fact, textOf(fact.label))])
  return (
    entries.length > 0 &&
    h(
      "dl",
      { class: "mg-facts" },
      entries.map(([label, value]) => h("div", {}, h("dt", {}, label), h("dd", {}, value)))
    )
  )
}

export const hero = (answer?: Child, options?: Partial<HeroOptions> | string): HTMLElement => {
  const given = optionsOf<HeroOptions>(typeof options === "string" ? { label: options } : options)
  const value = measured(answer, given.unit)
  const isNumber = typeof value === "number" && !isNothing(given.unit)
  const content =
    value instanceof Node || Array.isArray(value)
      ? fragment(value)
      : fragment([
          givenValue(
            value,
            { ...exactly(value, given, 10), ...(isNumber ? { unit: undefined } : {}) },
            textOf(given.label)
          ),
          isNumber && h("span", { class: "mg-unit" }, `\u00A0${textOf(given.unit)}`)
        ])
  const said = content.textContent ?? ""
  const tone = readTone(given.tone) ?? (isNothing(given.icon) ? readTone(said) : undefined)
  const mark =
    given.icon === false ? undefined : (iconNamed(textOf(given.icon)) ?? (tone === "neutral" ? undefined : tone))
  const isCode = given.type === "id"
  const size = sizeOf(said.length)
  return h(
    "section",
    { class: tone === undefined ? "mg-hero" : `mg-hero mg-${tone}` },
    h(
      "div",
      { class: "mg-grow" },
      isNothing(given.label) || h("div", { class: "mg-hero-label" }, given.label),
      h(
        "div",
        { class: `mg-hero-value mg-hero-${size}${isCode ? " mg-hero-code" : ""}` },
        content,
        badgesOf(given.badge)
      ),
      isNothing(given.note) || h("div", { class: "mg-hero-note" }, given.note),
      factLine(given.facts),
      (isCode || !isNothing(given.actions)) &&
        h("div", { class: "mg-toolbar" }, isCode && copyButton(() => said), given.actions)
    ),
    mark !== undefined && h("div", { class: "mg-hero-mark" }, icon(mark, 48))
  )
}
