import { isRecord, numberOf } from "../../domain/results/ResultColumn.ts"
import { append, type Child, h, icon, type IconName } from "./dom.ts"
import { fmt } from "./format.ts"
import { attempt, listOf, messageOf, optionsOf, textOf } from "./values.ts"

export interface ButtonOptions {
  readonly kind: "primary" | "secondary" | "danger" | "plain"
  readonly icon: IconName
  readonly disabled: boolean
  /** For screen readers, when the label alone does not say enough. */
  readonly title: string
  readonly small: boolean
}

/**
 * A button. While the promise of `onClick` runs it is busy and can not be pressed again; if it fails, the message appears
 * beside the button, which can be pressed again.
 */
export const button = (
  label?: Child,
  onClick?: (event: MouseEvent) => unknown,
  options?: Partial<ButtonOptions>
): HTMLElement => {
  const given = optionsOf<ButtonOptions>(typeof onClick === "function" ? options : (onClick ?? options))
  const kind = ["primary", "secondary", "danger", "plain"].find((name) => name === given.kind) ?? "secondary"
  const control = h(
    "button",
    {
      type: "button",
      class: `mg-button mg-button-${kind}${given.small === true ? " mg-small" : ""}`,
      disabled: given.disabled === true,
      "aria-label": given.title
    },
    given.icon === undefined ? null : icon(given.icon),
    label
  )
  const failed = h("span", { class: "mg-button-error", role: "alert" })
  control.addEventListener("click", (event) => {
    if (typeof onClick !== "function" || control.getAttribute("aria-busy") === "true") return
    failed.remove()
    const fail = (error: unknown): void => {
      failed.textContent = messageOf(error, "That did not work.")
      control.after(failed)
    }
    const settle = async (done: Promise<unknown>): Promise<void> => {
      try {
        await done
      } catch (error) {
        fail(error)
      }
      control.removeAttribute("aria-busy")
      control.removeAttribute("aria-disabled")
    }
    try {
      const done = onClick(event)
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

const isPromise = (value: unknown): value is Promise<unknown> =>
  typeof value === "object" && value !== null && "then" in value && typeof value.then === "function"

export interface ChipsOptions {
  /** The value or values that are chosen at first. */
  readonly value: unknown
  readonly multiple: boolean
  readonly label: string
}

/**
 * Choices as a row of toggle buttons. Items are text or `{label, value}`. `onChange` gets the chosen value (`undefined` when
 * none is), or the list of chosen values with `multiple`.
 */
export const chips = (
  items?: unknown,
  onChange?: (value: unknown) => void,
  options?: Partial<ChipsOptions>
): HTMLElement => {
  const given = optionsOf<ChipsOptions>(options)
  const chosen = new Set(listOf(given.value))
  const group = h("div", { class: "mg-chips", role: "group", "aria-label": textOf(given.label) || "Filter" })
  const controls = listOf(items).map((item) => {
    const record = isRecord(item) ? item : {}
    const value = "value" in record ? record.value : item
    const control = h("button", { type: "button", class: "mg-chip" }, textOf(record.label ?? item))
    control.addEventListener("click", () => {
      const wasChosen = chosen.has(value)
      if (given.multiple !== true) chosen.clear()
      if (wasChosen) chosen.delete(value)
      else chosen.add(value)
      mark()
      if (typeof onChange === "function")
        attempt(() => onChange(given.multiple === true ? [...chosen] : [...chosen][0]))
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
  /** With `pages` unknown: whether there is a next one. */
  readonly hasMore: boolean
  readonly onPage: (page: number) => unknown
}

/** Previous and next for pages that the server makes. `onPage` may answer with a promise. */
export const pager = (options?: Partial<PagerOptions>): HTMLElement => {
  const given = optionsOf<PagerOptions>(options)
  const page = Math.max(1, Math.round(numberOf(given.page) ?? 1))
  const pages = numberOf(given.pages)
  const hasMore = pages === undefined ? given.hasMore !== false : page < pages
  const go = (to: number) => (): unknown => (typeof given.onPage === "function" ? given.onPage(to) : undefined)
  return h(
    "nav",
    { class: "mg-pager", "aria-label": "Pages" },
    button("Previous", go(page - 1), { small: true, disabled: page <= 1 }),
    h(
      "span",
      { class: "mg-muted" },
      pages === undefined ? `Page ${fmt.number(page)}` : `Page ${fmt.number(page)} of ${fmt.number(pages)}`
    ),
    button("Next", go(page + 1), { small: true, disabled: !hasMore })
  )
}
