import { isRecord, type JsonRecord, numberOf } from "../../domain/results/ResultColumn.ts"
import { append, type Child, h, icon, type IconName, isPromise } from "./dom.ts"
import { fmt } from "./format.ts"
import { attempt, firstMember, listOf, messageOf, optionsOf, textOf } from "./values.ts"

export type ButtonKind = "primary" | "secondary" | "danger" | "plain"

export interface ButtonOptions {
  readonly kind: ButtonKind
  readonly icon: IconName
  readonly disabled: boolean
  /** Asked on the button itself before it acts: "Delete 3 files?" */
  readonly confirm: string
  /** For screen readers, when the label alone does not say enough. */
  readonly title: string
  readonly small: boolean
}

const kindNames: ReadonlyArray<readonly [ButtonKind, RegExp]> = [
  ["primary", /^primary$/],
  ["danger", /^(danger|destructive|error)/],
  ["plain", /^(plain|ghost|link|text)/]
]

/**
 * A button. While the promise of `onClick` runs it is busy and can not be pressed again; if it fails, the message appears
 * beside the button, which can be pressed again. `button({label, onClick, …})` is the same.
 */
export const button = (
  label?: Child,
  onClick?: ((event: MouseEvent) => unknown) | Partial<ButtonOptions> | null,
  options?: Partial<ButtonOptions>
): HTMLElement => {
  const given: Partial<ButtonOptions> & JsonRecord = {
    ...optionsOf(label),
    ...optionsOf(onClick),
    ...optionsOf(options)
  }
  const run = [onClick, given.onClick, given.onclick, given.action].find((item) => typeof item === "function")
  const wanted = textOf(given.kind ?? given.variant ?? given.type)
  const kind = kindNames.find(([, names]) => names.test(wanted))?.[0] ?? "secondary"
  const isSmall = given.small === true || /^(sm|small|xs)$/.test(textOf(given.size))
  const control = h(
    "button",
    {
      type: "button",
      class: `mg-button mg-button-${kind}${isSmall ? " mg-small" : ""}`,
      disabled: given.disabled === true,
      "aria-label": given.title
    },
    given.icon === undefined ? null : icon(given.icon),
    isRecord(label) && !(label instanceof Node) ? (label.label ?? label.text) : label
  )
  const failed = h("span", { class: "mg-button-error", role: "alert" })
  const question = textOf(given.confirm)
  const face = [...control.childNodes]
  let isAsking = false
  const ask = (asks: boolean): void => {
    isAsking = asks
    control.replaceChildren(...(asks ? [question] : face))
    control.classList.toggle("mg-asking", asks)
  }
  if (question !== "") {
    control.addEventListener("blur", () => ask(false))
    control.addEventListener("keydown", ({ key }) => {
      if (key === "Escape") ask(false)
    })
  }
  control.addEventListener("click", (event) => {
    if (run === undefined || control.getAttribute("aria-busy") === "true") return
    if (question !== "") {
      ask(!isAsking)
      if (isAsking) return
    }
    failed.remove()
    const fail = (error: unknown): void => {
      failed.textContent = messageOf(error, "That did not work.")
      control.after(failed)
    }
    const settle = async (done: PromiseLike<unknown>): Promise<void> => {
      try {
        await done
      } catch (error) {
        fail(error)
      }
      control.removeAttribute("aria-busy")
      control.removeAttribute("aria-disabled")
    }
    try {
      const done: unknown = run(event)
      if (!isPromise(done)) return
      control.setAttribute("aria-busy", "true")
      control.setAttribute("aria-disabled", "true")
      void settle(done)
    } catch (error) {
      fail(error)
    }
  })
  return control
}

/** Something to choose: a value and how it is called. */
export interface Choice {
  readonly label: string
  readonly value: unknown
}

/** Choices as authors write them: texts, `{label, value}`, or labels by value. */
export const choicesOf = (items: unknown): ReadonlyArray<Choice> =>
  isRecord(items) && !(items instanceof Node) && !("value" in items || "label" in items)
    ? Object.entries(items).map(([value, label]) => ({ value, label: textOf(label) }))
    : listOf(items)
        .filter((item) => item !== null && item !== undefined)
        .map((item) => {
          const record = isRecord(item) && !(item instanceof Node) ? item : {}
          const label = textOf(firstMember(record, ["label", "text", "title", "name", "value"]) ?? item)
          const count = numberOf(record.count)
          return {
            label: count === undefined ? label : `${label} ${fmt.number(count)}`,
            value: firstMember(record, ["value", "key", "id"]) ?? (record === item ? label : item)
          }
        })

export interface ChipsOptions {
  /** The value or values that are chosen at first. */
  readonly value: unknown
  readonly multiple: boolean
  readonly label: string
}

/**
 * Choices as a row of toggle buttons. Items are text, `{label, value, count}`, or labels by value. `onChange` gets the chosen
 * value, or the list of chosen values with `multiple`. A single choice that began with a value always has one; another can
 * be taken back, and `onChange` gets `undefined`.
 */
export const chips = (
  items?: unknown,
  onChange?: ((value: never) => unknown) | null,
  options?: Partial<ChipsOptions>
): HTMLElement => {
  const given = optionsOf<ChipsOptions & { readonly selected: unknown; readonly onChange: unknown }>(
    typeof onChange === "function" ? options : (onChange ?? options)
  )
  const told: unknown = onChange ?? given.onChange
  const first = listOf(given.value ?? given.selected)
  const chosen = new Set(first)
  const isSingle = given.multiple !== true
  const group = h("div", { class: "mg-chips", role: "group", "aria-label": textOf(given.label) || "Filter" })
  const controls = choicesOf(items).map(({ label, value }) => {
    const control = h("button", { type: "button", class: "mg-chip" }, label)
    control.addEventListener("click", () => {
      const wasChosen = chosen.has(value)
      if (isSingle && wasChosen && first.length > 0) return
      if (isSingle) chosen.clear()
      if (wasChosen) chosen.delete(value)
      else chosen.add(value)
      mark()
      if (typeof told === "function") attempt(() => told(isSingle ? [...chosen][0] : [...chosen]))
    })
    return { control, value }
  })
  const mark = (): void => {
    for (const { control, value } of controls) control.setAttribute("aria-pressed", String(chosen.has(value)))
  }
  mark()
  return append(
    group,
    controls.map(({ control }) => control)
  )
}

export interface PagerOptions {
  /** From 1. */
  readonly page: number
  /** How many there are; unknown when left out. */
  readonly pages: number
  /** Instead of `pages`: how many items there are, and how many a page has. */
  readonly total: number
  readonly pageSize: number
  /** With `pages` unknown: whether there is a next one. */
  readonly hasMore: boolean
  readonly onPage: (page: number) => unknown
}

/** Previous and next for pages that the server makes. `onPage` may answer with a promise. */
export const pager = (options?: Partial<PagerOptions>): HTMLElement => {
  const given = optionsOf<PagerOptions & { readonly onChange: unknown }>(options)
  const page = Math.max(1, Math.round(numberOf(given.page) ?? 1))
  const total = numberOf(given.total)
  const size = numberOf(given.pageSize) ?? 0
  const pages =
    numberOf(given.pages) ?? (total !== undefined && size > 0 ? Math.max(1, Math.ceil(total / size)) : undefined)
  const hasMore = pages === undefined ? given.hasMore !== false : page < pages
  const told: unknown = given.onPage ?? given.onChange
  const go = (to: number) => (): unknown => (typeof told === "function" ? told(to) : undefined)
  return h(
    "div",
    { class: "mg-pager", role: "group", "aria-label": "Pages" },
    button("Previous", go(page - 1), { small: true, disabled: page <= 1 }),
    h(
      "span",
      { class: "mg-muted" },
      pages === undefined ? `Page ${fmt.number(page)}` : `Page ${fmt.number(page)} of ${fmt.number(pages)}`
    ),
    button("Next", go(page + 1), { small: true, disabled: !hasMore })
  )
}
