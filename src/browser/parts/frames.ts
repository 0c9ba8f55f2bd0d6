import type { FrameOptions } from "../../../types/parts.d.ts"
import { badgesOf } from "./badge.ts"
import { type Child, childrenAndOptions, h } from "./dom.ts"
import { icon } from "./icons.ts"
import { isNothing, textOf } from "./values.ts"

const names = ["title", "url", "badge", "actions", "foot"] as const

const dots = (): Child => h("span", { class: "mg-dots", "aria-hidden": "true" }, h("i"), h("i"), h("i"))

/** What stands above the content: the bar of a browser and of a terminal. */
const bars: Readonly<Record<string, (given: Partial<FrameOptions>) => Child>> = {
  browser: ({ title, url }) => [
    h(
      "div",
      { class: "mg-frame-bar" },
      dots(),
      isNothing(title) ||
        h(
          "b",
          { class: "mg-frame-tab" },
          h("i", { class: "mg-favicon mg-own mg-solid" }, textOf(title).slice(0, 1)),
          title
        )
    ),
    isNothing(url) || h("div", { class: "mg-frame-url" }, icon("globe", 14), " ", h("span", { class: "mg-grow" }, url))
  ],
  terminal: ({ title }) => h("div", { class: "mg-frame-bar" }, dots(), h("span", { class: "mg-frame-prompt" }, title))
}

/** Content in the frame of what it is: a browser window, a terminal, a sheet of paper. */
export const frame = (kind?: unknown, ...values: ReadonlyArray<Child>): HTMLElement => {
  const { children, options } = childrenAndOptions<FrameOptions>(values, names)
  const name = Object.hasOwn(bars, textOf(kind)) ? textOf(kind) : "paper"
  const head = bars[name]?.(options)
  return h(
    "section",
    { class: `mg-framed mg-framed-${name}${name === "terminal" ? " mg-own" : ""}` },
    head ??
      (!isNothing(options.title) && h("div", { class: "mg-frame-title" }, options.title, badgesOf(options.badge))),
    h("div", { class: "mg-frame-body mg-stack" }, head !== undefined && badgesOf(options.badge), children),
    (!isNothing(options.foot) || !isNothing(options.actions)) &&
      h("div", { class: "mg-frame-foot" }, h("div", { class: "mg-grow mg-muted" }, options.foot), options.actions)
  )
}
