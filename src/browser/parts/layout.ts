import { isObject } from "../../domain/isObject.ts"
import type {
  HeaderOptions,
  SectionOptions,
  BoxOptions,
  TabsOptions,
  ErrorBoxOptions,
  TextOptions
} from "../../../types/parts.d.ts"
import { toolTitle } from "../builtin/toolTitle.ts"
import { isEmpty } from "../../domain/results/ResultColumn.ts"
import { badgesOf, readTone, type Tone } from "./badge.ts"
import { append, type Child, childrenAndOptions, fragment, h, uniqueId } from "./dom.ts"
import { icon, iconNamed } from "./icons.ts"
import { sessionOrNone } from "./host.ts"
import { attempt, clip, isNothing, isPlain, jsonOf, messageOf, optionsOf, shownOf, textOf } from "./values.ts"

const recall = (key: string): unknown => attempt(() => sessionOrNone()?.memory.get(key))

const remember = (key: string, value: unknown): void => {
  attempt(() => sessionOrNone()?.memory.set(key, value))
}

/** Without a title, shows the title of the tool. */
export const header = (title?: Child, options?: Partial<HeaderOptions> | string): HTMLElement => {
  const given = optionsOf<HeaderOptions>(typeof options === "string" ? { subtitle: options } : options)
  const tool = sessionOrNone()?.tool
  const label = isNothing(title) && tool !== undefined ? toolTitle(tool) : title
  const tone = readTone(given.tone)
  const picture = given.icon && (iconNamed(textOf(given.icon)) ?? tone)
  return h(
    "header",
    { class: "mg-header" },
    picture && picture !== "neutral" && h("span", { class: `mg-head-mark mg-${tone}` }, icon(picture, 26)),
    h(
      "div",
      { class: "mg-grow" },
      heading("h1", "mg-title", label, given.badge),
      isNothing(given.subtitle) || h("p", { class: "mg-muted" }, given.subtitle)
    ),
    actionsOf(given.actions)
  )
}

const actionsOf = (actions: Child): Child => isNothing(actions) || h("div", { class: "mg-toolbar" }, actions)

/** A heading with badges beside it. Without a title, only the badges. */
const heading = (tag: "h1" | "h2", name: string, label: Child, badges: unknown): Child => {
  const beside = badgesOf(badges)
  // One line of text, whatever it is made of: between texts, code and links there is no gap but a space.
  const words = h("span", {}, label)
  if (words.textContent?.trim() === "" && words.childElementCount === 0) return beside
  return h(tag, { class: name }, words, beside)
}

export const section = (title?: Child, ...children: ReadonlyArray<Child>): HTMLElement => {
  const { children: content, options } = childrenAndOptions<SectionOptions>(children, [
    "collapsible",
    "open",
    "badge",
    "actions"
  ])
  const { open, badge, actions } = options
  // What has to be asked for waits until somebody wants it.
  const waits =
    open === undefined && options.collapsible !== true && content.some((child) => typeof child === "function")
  if (options.collapsible === true || open === false || waits)
    return disclosure([title, badgesOf(badge)], () => [actionsOf(actions), content], {
      open: open !== false && !waits,
      heading: true,
      remember: `open ${clip(textOf(title), 80)}`
    })
  return h(
    "section",
    { class: "mg-section" },
    h("div", { class: "mg-toolbar" }, heading("h2", "mg-heading mg-grow", title, badge), actions),
    h("div", { class: "mg-stack" }, called(content))
  )
}

/** Content with its functions called, at any depth of lists. */
const called = (child: Child): Child =>
  typeof child === "function" ? attempt(() => child()) : Array.isArray(child) ? child.map(called) : child

/** A folded region whose content is made when it is first opened. */
export const disclosure = (
  title: Child,
  content: () => Child,
  options: {
    readonly open?: boolean
    readonly heading?: boolean
    /** The name under which the page remembers whether a person has opened it. */
    readonly remember?: string
  } = {}
): HTMLElement => {
  const body = h("div", { class: "mg-stack mg-disclosed" })
  const fill = (): void => {
    if (body.childNodes.length === 0) append(body, called(content()))
  }
  const label = options.heading === true ? h("h2", { class: "mg-heading" }, title) : h("span", {}, title)
  const summary = h("summary", {}, icon("chevron"), label)
  const details = h("details", { class: "mg-disclosure" }, summary, body)
  const key = options.remember
  const known = key === undefined ? undefined : recall(key)
  if (typeof known === "boolean" ? known : options.open === true) {
    fill()
    details.open = true
  }
  details.addEventListener("toggle", fill)
  if (key !== undefined) summary.addEventListener("click", () => remember(key, !details.open))
  return details
}

const box = (name: string, values: ReadonlyArray<Child>): HTMLElement => {
  const { children, options } = childrenAndOptions<BoxOptions>(values, ["gap", "align", "justify", "equal"])
  return h(
    "div",
    {
      class: `mg-${name}${options.equal === true ? " mg-equal" : ""}`,
      style: {
        gap: typeof options.gap === "number" ? `${options.gap}px` : options.gap,
        "align-items": options.align,
        "justify-content": textOf(options.justify).replace(/^(?=between)/, "space-")
      }
    },
    children
  )
}

export const row = (...children: ReadonlyArray<Child>): HTMLElement => box("row", children)

export const stack = (...children: ReadonlyArray<Child>): HTMLElement => box("stack", children)

export const toolbar = (...children: ReadonlyArray<Child>): HTMLElement => box("toolbar", children)

interface Tab {
  readonly label: Child
  readonly content: Child
}

const readTabs = (tabs: unknown): ReadonlyArray<Tab> => {
  if (isPlain(tabs) && !("label" in tabs && "content" in tabs))
    return Object.entries(tabs).map(([label, content]) => ({ label, content }))
  return shownOf(tabs).map((tab, index) => {
    const { label = index + 1, content } = optionsOf<Tab>(isPlain(tab) ? tab : { content: tab })
    return { label, content }
  })
}

/** WAI-ARIA tabs pattern: arrow keys, Home and End move between tabs. */
export const tabs = (items?: unknown, options?: Partial<TabsOptions>): HTMLElement => {
  const read = readTabs(items)
  const given = optionsOf<TabsOptions>(options)
  const name = textOf(given.label) || "Views"
  const list = h("div", { class: "mg-tablist", role: "tablist", "aria-label": name })
  const panels = h("div", { class: "mg-tabpanels" })
  const made = read.map(({ label, content }) => {
    const id = uniqueId()
    const tab = h(
      "button",
      { type: "button", class: "mg-tab", role: "tab", id: `${id}-tab`, "aria-controls": id },
      label
    )
    const panel = h("div", { class: "mg-stack", role: "tabpanel", id, "aria-labelledby": `${id}-tab`, tabindex: 0 })
    return { tab, panel, content, label: textOf(label) }
  })
  if (made.length === 0) return empty()
  const key = `tab ${clip(`${name} ${made.map(({ label }) => label).join("|")}`, 80)}`
  const select = (index: number): void => {
    made.forEach(({ tab, panel, content }, at) => {
      const isSelected = at === index
      tab.setAttribute("aria-selected", String(isSelected))
      tab.tabIndex = isSelected ? 0 : -1
      panel.hidden = !isSelected
      if (isSelected && panel.childNodes.length === 0) append(panel, called(content))
    })
  }
  const choose = (index: number): void => {
    select(index)
    remember(key, made[index]?.label)
  }
  made.forEach(({ tab, panel }, index) => {
    list.appendChild(tab)
    panels.appendChild(panel)
    tab.addEventListener("click", () => choose(index))
    tab.addEventListener("keydown", (event) => {
      const step = getComputedStyle(list).direction === "rtl" ? -1 : 1
      const last = made.length - 1
      const to = { ArrowRight: index + step, ArrowLeft: index - step, Home: 0, End: last }[event.key]
      if (to === undefined) return
      event.preventDefault()
      const next = to < 0 ? last : to > last ? 0 : to
      choose(next)
      made[next]?.tab.focus()
    })
  })
  const indexOf = (wanted: unknown): number =>
    typeof wanted === "string" ? made.findIndex(({ label }) => label === wanted) : Number(wanted ?? 0)
  select([indexOf(recall(key) ?? ""), indexOf(given.selected)].find((at) => made[at] !== undefined) ?? 0)
  return h("div", { class: "mg-tabs" }, list, panels)
}

export const empty = (message?: Child, ...more: ReadonlyArray<Child>): HTMLElement => {
  return h("div", { class: "mg-empty" }, h("p", {}, message ?? "Nothing to show."), more)
}

export const status = (message?: Child, tone?: Tone | string | { readonly tone?: string }): HTMLElement => {
  const chosen = readTone(isObject(tone) ? tone.tone : tone) ?? "info"
  return h(
    "div",
    { class: `mg-status mg-${chosen}`, role: chosen === "danger" ? "alert" : "status" },
    icon(chosen === "neutral" ? "info" : chosen),
    h("div", { class: "mg-grow" }, message)
  )
}

const sentRows = (sent: object): Child =>
  h(
    "dl",
    { class: "mg-detail" },
    Object.entries(sent).map(([name, value]) =>
      h(
        "div",
        { class: "mg-detail-row" },
        h("dt", {}, name),
        h("dd", {}, clip(typeof value === "string" ? value : jsonOf(value), 2000))
      )
    )
  )

export const errorBox = (options?: ErrorBoxOptions | string | Error): HTMLElement => {
  const isMessage = typeof options === "string" || options instanceof Error
  const { title, message, detail, sent, actions } = optionsOf<ErrorBoxOptions>(
    isMessage ? { message: messageOf(options, "") } : options
  )
  return h(
    "div",
    { class: "mg-error mg-danger", role: "alert" },
    icon("danger"),
    h(
      "div",
      { class: "mg-grow mg-stack" },
      h(
        "div",
        {},
        h("strong", {}, textOf(title) || "Something went wrong"),
        h("p", { class: "mg-message" }, textOf(message))
      ),
      textOf(detail) !== "" && disclosure("Details", () => h("pre", { class: "mg-pre", tabindex: 0 }, textOf(detail))),
      isPlain(sent) && !isEmpty(sent) && disclosure("What was sent", () => sentRows(sent)),
      actionsOf(actions)
    )
  )
}

/** `text("x", "muted")` and `text("x", "danger")` are short for one option. */
export const text = (content?: Child, options?: Partial<TextOptions> | string): HTMLElement => {
  const given = optionsOf<TextOptions>(
    typeof options === "string" ? { tone: options, size: options, [options]: true } : options
  )
  const tone = readTone(given.tone)
  const names = [
    "mg-text",
    tone !== undefined && `mg-tone-${tone}`,
    given.muted === true && "mg-muted",
    given.strong === true && "mg-strong",
    (given.size === "small" || given.size === "large") && `mg-${given.size}`
  ]
  if (!isNothing(given.lines)) names.push("mg-clamp")
  return h("p", { class: names, tabindex: given.lines && 0, style: { "--lines": given.lines } }, fragment(content))
}
