import { button } from "./button.ts"
import { append, type Child, h } from "./dom.ts"
import { fmt } from "./format.ts"

const step = 100

/** Adds the first hundred items at once and the others on demand. `whole` holds the frame. */
export const gradually = <A>(
  frame: HTMLElement,
  items: ReadonlyArray<A>,
  draw: (item: A) => Child,
  whole: HTMLElement = frame
): HTMLElement => {
  if (items.length <= step) {
    append(frame, items.map(draw))
    return whole
  }
  let shownCount = 0
  const more = button("", () => add(), { small: true })
  const add = (): void => {
    append(frame, items.slice(shownCount, shownCount + step).map(draw))
    shownCount += step
    if (shownCount >= items.length) more.remove()
    else more.textContent = `Show more (${fmt.number(items.length - shownCount)})`
  }
  add()
  return h("div", { class: "mg-stack" }, whole, h("div", {}, more))
}
