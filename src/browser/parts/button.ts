import type { ButtonOptions, ChipsOptions } from "../../../types/parts.d.ts"
import { METHOD_NOT_FOUND, RpcError } from "../runtime/Bridge.ts"
import { numberOf } from "../../domain/results/ResultColumn.ts"
import { append, type Child, h, isPromise } from "./dom.ts"
import { refusal } from "./host.ts"
import { icon, iconNamed } from "./icons.ts"
import { fmt } from "./format.ts"
import { attempt, isPlain, listOf, messageOf, optionsOf, textOf } from "./values.ts"

const iconIn = (words: unknown): Child => {
  const name = iconNamed(textOf(words))
  return name !== undefined && icon(name)
}

const isRow = (element: Element): boolean => {
  const { display, flexDirection } = getComputedStyle(element)
  return display === "flex" && flexDirection === "row"
}

/** Shows what a button has brought below its row, in the place of what stood there. */
const showBelow = (control: HTMLElement, answer: Element): void => {
  let place: Element = control.closest(".mg-top") ?? control
  for (let row = place.parentElement; row !== null && isRow(row); row = place.parentElement) place = row
  const before = place.nextElementSibling
  if (before?.matches(".mg-brought") === true) before.remove()
  place.after(h("div", { class: "mg-brought" }, answer))
}

/** `needs`: the request that a button of the runtime makes; of others, the code of `onClick` tells. */
export const button = (
  label?: Child,
  onClick?: ((event: MouseEvent) => unknown) | null,
  options?: Partial<ButtonOptions> & { readonly needs?: string }
): HTMLElement => {
  const given = optionsOf<ButtonOptions & { readonly needs: string }>(options)
  const kind = /^(primary|danger|plain)$/.exec(textOf(given.kind))?.[0] ?? "secondary"
  const control = h(
    "button",
    {
      type: "button",
      class: ["mg-button", `mg-button-${kind}`, given.small === true && "mg-small", textOf(given.class)],
      disabled: given.disabled === true,
      "aria-label": given.title
    },
    iconIn(given.icon),
    label
  )
  const failed = h("span", { class: "mg-button-error", role: "alert" })
  const question = textOf(given.confirm)
  const face = [...control.childNodes]
  let isAsking = false
  const ask = (asks: boolean): void => {
    isAsking = asks
    control.replaceChildren(...(asks ? [question] : face))
  }
  if (question !== "") {
    control.addEventListener("blur", () => ask(false))
    control.addEventListener("keydown", ({ key }) => {
      if (key === "Escape") ask(false)
    })
  }
  const busy = (isBusy: boolean): void => {
    control.ariaBusy = control.ariaDisabled = isBusy ? "true" : null
  }
  /** It stays in reach, so that a person hears why. */
  const refuse = (why: string): void => {
    control.ariaDisabled = "true"
    control.title = why
  }
  const refused = refusal(given.needs || (typeof onClick === "function" ? String(onClick) : ""))
  if (refused !== undefined) refuse(refused)
  control.addEventListener("click", async (event) => {
    if (typeof onClick !== "function" || control.getAttribute("aria-disabled") === "true") return
    if (question !== "") {
      ask(!isAsking)
      if (isAsking) return
    }
    failed.remove()
    try {
      const done = onClick(event)
      if (!isPromise(done)) return
      busy(true)
      const answer = await done
      busy(false)
      if (answer instanceof Element && !answer.isConnected) showBelow(control, answer)
    } catch (error) {
      failed.textContent = messageOf(error, "That did not work.")
      control.after(failed)
      busy(false)
      if (error instanceof RpcError && error.code === METHOD_NOT_FOUND) refuse(error.message)
    }
  })
  return control
}

/** Something to choose: a value and its label. */
export interface Choice {
  readonly label: string
  readonly value: unknown
}

/** Choices as authors write them: texts, `{label, value, count}`, or labels by value. */
export const choicesOf = (items: unknown): ReadonlyArray<Choice> =>
  isPlain(items) && !("value" in items || "label" in items)
    ? Object.entries(items).map(([value, label]) => ({ value, label: textOf(label) }))
    : listOf(items)
        .filter((item) => item !== null && item !== undefined)
        .map((item) => {
          const given = optionsOf<Choice & { readonly count: unknown }>(item)
          const label = textOf(given.label ?? given.value ?? item)
          const count = numberOf(given.count)
          return {
            label: count === undefined ? label : `${label}\u2002${fmt.number(count)}`,
            value: given.value ?? (isPlain(item) ? label : item)
          }
        })

/**
 * A single choice that began with a value always has one. Otherwise it can be taken back: `onChange` gets `undefined`.
 */
export const chips = (
  items?: unknown,
  onChange?: ((value: never) => unknown) | null,
  options?: Partial<ChipsOptions>
): HTMLElement => {
  const given = optionsOf<ChipsOptions>(options)
  const first = listOf(given.value)
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
      attempt(() => onChange?.((isSingle ? [...chosen][0] : [...chosen]) as never))
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
