import type { CardOptions } from "../../../types/parts.d.ts"
import type { Child } from "../parts/dom.ts"
import { addSheet, h, isNothing, listOf, namedIcon, optionsOf, textOf } from "../parts/kit.ts"

/** A drawing by its name; any other text, such as a letter, and nodes stand as they are. */
const tile = (content: Child, tone: string): HTMLElement =>
  h(
    "span",
    { class: `mg-tile ${tone}`, "aria-hidden": "true" },
    typeof content === "string" && /^[a-z][a-z\d-]{2,}$/.test(content) ? namedIcon(content, 22) : content
  )

const toneOf = (tone: unknown): string => {
  const name = /^(success|warning|danger|info|neutral)$/.exec(textOf(tone))?.[0]
  return name === undefined ? "" : `mg-${name}`
}

/** The shorter a finding, the larger it stands; a figure larger than a name. */
const heading = (title: Child): HTMLElement => {
  const node = h("h1", {}, title)
  const { textContent: text } = node
  const isFigure = /^\D?\d/.test(text) || !/\p{Ll}/u.test(text)
  if (text.length <= 24)
    node.classList.add(text.length > 12 ? "mg-short-title" : isFigure ? "mg-figure-title" : "mg-name-title")
  return node
}

/** Lines with nothing in front are left out: `[value, unit]`. */
const factsOf = (facts: unknown): ReadonlyArray<Child> =>
  listOf(facts).flatMap((fact) => {
    const [value, unit] = listOf(fact) as ReadonlyArray<Child>
    return isNothing(value) || value === false ? [] : [h("span", {}, h("b", {}, value), " ", unit)]
  })

/** The element of the page's own markup that a press makes whole: its text is cut by a class, and nothing else there takes the press. */
const cutAt = (target: EventTarget | null): HTMLElement | undefined => {
  const found =
    target instanceof Element && target.closest("button,summary,a") === null
      ? target.closest<HTMLElement>(".truncate,[class*=line-clamp]")
      : null
  const isCut =
    found !== null && (found.scrollHeight > found.clientHeight + 1 || found.scrollWidth > found.clientWidth + 1)
  return isCut || found?.classList.contains("mg-uncut") === true ? (found ?? undefined) : undefined
}

/** What stands cut is told by the mouse, and whole after a press. */
const opensCut = (page: HTMLElement): HTMLElement => {
  page.addEventListener("pointerover", ({ target }) => {
    const cut = cutAt(target)
    cut?.classList.add("mg-cut")
    if (cut !== undefined) cut.title = cut.textContent
  })
  page.addEventListener("click", ({ target }) => cutAt(target)?.classList.toggle("mg-uncut"))
  return page
}

/**
 * The page as one card: a head (a tile with an icon, the subject in small letters, the finding in large ones, what can be done at its right), a
 * line of facts, then the children, each between hairlines, and a last small line.
 */
export const card = (options?: Partial<CardOptions>, ...children: ReadonlyArray<Child>): HTMLElement => {
  const { actions, facts, foot, icon: drawing, subject, text, title, tone } = optionsOf<CardOptions>(options)
  const shownFacts = factsOf(facts)
  const page = h(
    "article",
    { class: "mg-sheet" },
    h(
      "header",
      { class: "mg-sheet-head" },
      isNothing(drawing) || tile(drawing, toneOf(tone)),
      h(
        "div",
        { class: "mg-sheet-words" },
        isNothing(subject) || h("p", { class: "mg-sheet-subject" }, subject),
        isNothing(title) || heading(title),
        isNothing(text) || h("p", { class: "mg-sheet-text" }, text),
        shownFacts.length > 0 && h("p", { class: "mg-sheet-facts" }, shownFacts)
      ),
      isNothing(actions) || h("div", { class: "mg-sheet-actions" }, actions)
    ),
    children,
    isNothing(foot) || h("p", { class: "mg-sheet-foot" }, foot)
  )
  return opensCut(page)
}

addSheet(
  "card",
  `
.mg-sheet{overflow:hidden;background:$bg;border:$bw solid $border;border-radius:$r3;min-width:0}
.mg-sheet-head{display:flex;flex-wrap:wrap;gap:10px 12px;align-items:flex-start;padding:16px}
.mg-tile{flex:none;display:grid;place-items:center;min-width:44px;height:44px;padding:0 6px;border-radius:$r2;font-size:22px;font-weight:600;line-height:1}
.mg-tile:not([class*=" mg-"]){background:color-mix(in oklab,$accent 13%,$bg);color:$accent}
.mg-sheet div:not([class^=mg-]) .mg-md :is(h1,h2,h3){font-size:$md}
.mg-sheet .mg-figure{justify-items:center}.mg-sheet figcaption .mg-facts>span{display:none}.mg-sheet .mg-frame>.mg-image{margin-inline:auto}.mg-sheet :not(.divide-y)>.mg-disclosure+.mg-disclosure{border-top:$bw solid $border;padding-top:8px;margin-top:8px}
.mg-sheet .mg-disclosure>summary{display:flex;width:100%;min-height:0;padding-block:5px;color:$text}.mg-sheet .mg-disclosure .mg-heading{font-size:$md;flex:1;min-width:0}
.mg-sheet .flex>.mg-button-plain{min-height:26px;padding:0 6px}.mg-sheet .flex>.mg-button-plain:last-child{margin-inline-end:-6px}
.mg-sheet-words{flex:1 1 13em;min-width:0}.mg-sheet-words:has(>h1:not([class])){flex-basis:min(19em,100% - 56px)}
.mg-sheet-words>h1{font-size:$xl;font-weight:$semibold;line-height:1.3;letter-spacing:-.012em;margin:0;text-wrap:balance}
.mg-sheet-words>.mg-short-title{font-size:23px}.mg-sheet-words>.mg-name-title{font-size:27px;line-height:1.25}.mg-sheet-words>.mg-figure-title{font-size:32px;line-height:1.2;letter-spacing:-.025em}
.mg-sheet :is(.mg-sheet-subject,.mg-sheet-text,.mg-sheet-facts){margin:0;font-size:$sm;color:$muted}
.mg-sheet :is(.mg-sheet-text,.mg-sheet-facts){margin-top:4px}.mg-sheet-subject>.mg-badge{margin-inline:6px}
.mg-sheet>div:not(.border,[class*=rounded],[class*=" p-"],[class*=" px-"])>.mg-bar{margin:10px -16px}.mg-sheet>div>.mg-bar:first-child{margin-top:-10px!important}
.mg-sheet-actions{display:flex;flex-wrap:wrap;gap:8px;align-items:center}
.mg-sheet-actions>.mg-button-plain{padding-inline:5px}.mg-sheet div:not([class^=mg-],.flex)>.mg-button-plain:not(.mg-button+*){margin-inline-start:-6px;padding-inline:6px;justify-self:start}@media(max-width:480px){.mg-sheet-actions>.mg-button:not(.mg-button-plain){padding-inline:9px}}.mg-sheet>.mg-button{margin:10px 16px}
.mg-sheet-facts{display:flex;flex-wrap:wrap;gap:0 16px}
.mg-sheet-facts b{color:$text;font-weight:$semibold}
:where(.mg-sheet>*+*){border-top:$bw solid $border}
:where(.mg-sheet>*){padding:10px 16px;margin:0}.mg-sheet>:is(ul,ol){padding:10px 16px}
:where(.mg-sheet>div){min-width:100%}.mg-sheet>div:not(.border,[class*=rounded]){margin-inline:0!important}:where(.mg-sheet>:is(.border,[class*=rounded])){margin:12px 16px;padding:0;border-top-width:0;min-width:0;max-width:calc(100% - 32px)}
.mg-sheet-foot{margin:0;padding:8px 16px;font-size:$xs;color:$muted}
.mg-sheet>:is(.mg-code,.mg-table-block,.mg-stats){padding:0;border-width:0}
.mg-sheet>:is(.mg-code,.mg-table-block,.mg-stats):not(:first-child){border-top-width:$bw;border-radius:0}
:is(.mg-sheet,.mg-records>.mg-stack)>.mg-table-block>:is(.mg-table-head,.mg-table-foot,.mg-panel,.mg-chips){margin:8px 16px}
.mg-sheet :is(.mg-scroll,.mg-fact-lines,.mg-detail,.mg-request){border-width:0;border-radius:0}
.mg-sheet .mg-fact-lines{padding-inline:0}.mg-sheet>.mg-fact-lines,.mg-sheet .border:not([class*=" p-"],[class*=" px-"])>.mg-fact-lines{padding-inline:16px}
.mg-sheet .mg-md>hr:is(:first-child,:last-child),.mg-sheet>.mg-md:not(:has(>:not(hr))){display:none}
.mg-cut{cursor:pointer}.mg-uncut{display:block!important;white-space:normal!important;-webkit-line-clamp:none!important}
.mg-sheet .mg-table-block>.mg-scroll{border-top-width:$bw}.mg-sheet .mg-table-block>.mg-scroll:first-child{border-top:0}
.mg-sheet>:has(>.mg-records){padding:0}.mg-sheet :is(.mg-records,.mg-records>.mg-stack){gap:0}.mg-sheet .mg-records>.mg-stack>:not(.mg-table-block,:empty){padding:8px 16px}.mg-sheet .mg-records .mg-table-block+div{border-top:$bw solid $border}
.mg-sheet .mg-table :is(th,td):first-child{padding-inline-start:16px}.mg-sheet .mg-table :is(th,td):last-child{padding-inline-end:16px}
`
)
