import type { FrameOptions } from "../../../types/parts.d.ts"
import type { Child } from "../parts/dom.ts"
import { addSheet, badgesOf, childrenAndOptions, h, icon, isNothing, textOf } from "../parts/kit.ts"

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

addSheet(
  "frame",
  `
.mg-framed{border:$bw solid $border;border-radius:$r3;overflow:hidden;background:$bg;min-width:0}
.mg-frame-body{padding:18px 20px}
.mg-frame-bar{display:flex;gap:14px;align-items:center;padding:10px 14px;background:color-mix(in oklab,$text 12%,$bg);min-height:42px}
.mg-dots{display:flex;gap:6px}
.mg-dots>i{width:11px;height:11px;border-radius:50%;background:color-mix(in oklab,$text 24%,$bg)}
.mg-frame-tab{display:flex;gap:8px;align-items:center;font-size:$sm;font-weight:$semibold;background:$bg;padding:7px 16px 7px 10px;border-radius:10px 10px 0 0;margin-bottom:-10px;min-width:0;box-shadow:0 -2px 0 $accent}
.mg-favicon{flex:none;display:grid;place-items:center;width:20px;height:20px;border-radius:5px;font-size:$xs;font-weight:700}
.mg-frame-url{display:flex;gap:8px;align-items:center;margin:10px 14px 0;padding:6px 14px;border-radius:$round;background:$bg2;font:$sm $mono;color:$muted}
.mg-frame-foot{display:flex;flex-wrap:wrap;gap:8px;align-items:center;padding:10px 20px;border-top:$bw solid $border;font-size:$sm;background:$bg2}
.mg-frame-title{display:flex;flex-wrap:wrap;gap:8px;padding:18px 20px 0;font-weight:700;font-size:20px;letter-spacing:-.015em}
.mg-framed-terminal{--f-bg:#14171c;--f-fg:#e9ebf0;--f-scheme:dark;--f-ink:0%;--f-rise:4%;--f-vivid:60%;font-family:$mono;font-size:$sm;direction:ltr}
.mg-framed-terminal .mg-pre{background:none;border:0;padding:0;max-height:none}
.mg-framed-terminal .mg-code-head>span:first-child{display:none}
.mg-frame-prompt::before{content:"$ ";color:#5ec27c}
.mg-framed-paper{line-height:1.6}
.mg-framed-paper>.mg-frame-body,.mg-framed-paper>.mg-frame-title{padding-inline:clamp(20px,5vw,34px)}
@media(forced-colors:active){.mg-framed-terminal{--f-bg:Canvas;--f-fg:CanvasText;--mg-muted:$text}}
`
)
