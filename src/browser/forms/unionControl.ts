import { byName } from "../../domain/forms/fieldBelow.ts"
import { draftAt } from "../../domain/forms/FormDraft.ts"
import type { Field, UnionField } from "../../domain/forms/FormField.ts"
import { textOf } from "../../domain/forms/FormReading.ts"
import { isObject } from "../../domain/isObject.ts"
import { h } from "../parts/index.ts"
import type { Control, Place, Slot } from "./Control.ts"
import { inSentence } from "./elements.ts"
import { frame } from "./frame.ts"
import { isShort, segmented, selectOf } from "./pickControl.ts"

const fieldsOf = (field: Field | undefined, value: unknown): ReadonlyArray<Field> =>
  field?.kind === "group" ? field.fields(value) : []

/** A value, at any depth of groups, without the members that `field` has no fields for. */
const fitting = (field: Field, value: unknown): unknown =>
  field.kind === "group" && isObject(value)
    ? Object.fromEntries(
        field.fields(value).flatMap((child) => {
          const member = fitting(child, draftAt(value, [child.name]))
          return member === undefined ? [] : [[child.name, member]]
        })
      )
    : value

/**
 * A value of `field` that takes over the members of `from` that it has too, but no constants. A member in `known` that
 * `from` does not have any more goes.
 */
const shared = (field: Field, value: unknown, from: unknown, known: ReadonlyArray<Field>): unknown => {
  if (!isObject(from)) return value
  const members = new Map(Object.entries(isObject(value) ? value : {}))
  let isSame = true
  for (const child of fieldsOf(field, { ...from, ...Object(value) })) {
    const { kind, name } = child
    const newer = draftAt(from, [name])
    const isTaken = newer === undefined ? byName(known).has(name) : textOf(child, newer) !== undefined
    const member = isTaken && kind !== "constant" ? fitting(child, newer) : members.get(name)
    if (member === members.get(name)) continue
    isSame = false
    if (member === undefined) members.delete(name)
    else members.set(name, member)
  }
  return isSame ? value : Object.fromEntries(members)
}

/** One variant of several, and its fields. What a person typed in a variant comes back with that variant. */
export const unionControl = (field: UnionField, slot: Slot): Control => {
  const { form, place } = slot
  const earlier = new Map<number, unknown>()
  const mayBeUnset = !field.required && typeof place.key !== "number"
  const { variants } = field
  const variantAt = (index: number | undefined): Field | undefined =>
    index === undefined ? undefined : variants[index]?.field()

  let chosen = field.variantOf(form.get(place))
  if (chosen === undefined && !mayBeUnset) {
    chosen = 0
    if (form.isFresh) form.prepare(place, variants[0]?.begin())
  }
  const inner: Place = { parent: place, key: undefined, begin: () => variants[chosen ?? 0]?.begin() }
  const body = h("div", { class: "mf-variant" })
  let control: Control | undefined
  const described = (variant: Field): Field =>
    variant.description === field.description ? { ...variant, description: undefined } : variant
  const draw = (): void => {
    const variant = variantAt(chosen)
    control =
      variant === undefined
        ? undefined
        : form.control(described(variant), inner, {
            label: `${slot.look.label ?? field.label}: ${variant.label}`,
            isBare: true
          })
    body.replaceChildren(...(control === undefined ? [] : [control.element]))
  }
  const choose = (option: number): void => {
    const next = mayBeUnset ? (option === 0 ? undefined : option - 1) : option
    if (next === chosen) return
    const before = form.get(place)
    const from = chosen === undefined ? [...earlier.values()].at(-1) : before
    const known = next !== undefined && earlier.has(next) ? fieldsOf(variantAt(chosen), before) : []
    if (chosen !== undefined) {
      earlier.delete(chosen)
      earlier.set(chosen, before)
    }
    chosen = next
    const variant = variantAt(next)
    if (next === undefined || variant === undefined) form.set(place, undefined)
    else form.set(place, shared(variant, earlier.get(next) ?? variants[next]?.begin(), from, known))
    draw()
  }
  const labels = [...(mayBeUnset ? ["Not set"] : []), ...variants.map(({ label }) => label)]
  const at = (chosen ?? -1) + (mayBeUnset ? 1 : 0)
  const kind = `Kind of ${inSentence(slot.look.label ?? field.label)}`
  const picker = isShort(labels)
    ? h("div", { role: "radiogroup", "aria-label": kind }, segmented(labels, at, choose))
    : selectOf(labels, at, choose, { "aria-label": kind })
  draw()
  const framed = frame(field, slot, { content: [picker, body], class: "mf-wide" })
  return {
    ...framed,
    showError: (message) => {
      const isInside = control !== undefined && isLeaf(variantAt(chosen))
      if (isInside) control?.showError(message !== "" && form.get(place) === undefined ? "This is required." : message)
      else framed.showError(message)
    },
    child: (key) => control?.child?.(key)
  }
}

const isLeaf = (field: Field | undefined): boolean =>
  field !== undefined && /^(text|number|json|choices|list)$/.test(field.kind)
