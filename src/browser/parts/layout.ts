import { isRecord } from "../../domain/results/ResultColumn.ts"
import { badge, readTone } from "./badge.ts"
import { append, type Child, childrenAndOptions, fragment, h, icon, uniqueId } from "./dom.ts"
import { attempt, listOf, optionsOf, textOf } from "./values.ts"

export interface HeaderOptions {
  readonly subtitle: Child
  readonly badge: Child
  /** Nodes at the end of the line, such as buttons. */
  readonly actions: Child
}

/** The title of the view. */
export const header = (title?: Child, options?: Partial<HeaderOptions> | string): HTMLElement => {
  const given = typeof options === "string" ? { subtitle: options } : optionsOf<HeaderOptions>(options)
  const badges = listOf(given.badge).map((item) => (item instanceof Node ? item : badge(item)))
  const actions = listOf(given.actions)
  return h(
    "header",
    { class: "mg-header" },
    h(
      "div",
      { class: "mg-grow" },
      h("h1", { class: "mg-title" }, title, badges.length > 0 && h("span", { class: "mg-badges" }, badges)),
      given.subtitle !== undefined && given.subtitle !== null && h("p", { class: "mg-subtitle" }, given.subtitle)
    ),
    actions.length > 0 && h("div", { class: "mg-actions" }, actions)
  )
}

export interface SectionOptions {
  /** Whether it can be folded; with `open: false` it can in any case. */
  readonly collapsible: boolean
  readonly open: boolean
  /** Beside the title. */
  readonly badge: Child
  readonly actions: Child
}

const sectionOptions = ["collapsible", "collapsed", "open", "badge", "actions"] as const

/** A titled group: `section(title, ...children, {collapsible?, open?})`. A function child is called when it is first opened. */
export const section = (title?: Child, ...children: ReadonlyArray<Child>): HTMLElement => {
  const read = childrenAndOptions<SectionOptions & { readonly collapsed: boolean }>(
    [title, ...children],
    sectionOptions
  )
  const { options } = read
  const content = read.children.slice(1)
  const label = [title, listOf(options.badge).map((item) => (item instanceof Node ? item : badge(item)))]
  const isFolded = options.open === false || options.collapsed === true
  if (options.collapsible === true || isFolded)
    return disclosure(label, () => content, { open: !isFolded, heading: true })
  return h(
    "section",
    { class: "mg-section" },
    h("div", { class: "mg-section-head" }, h("h2", { class: "mg-heading" }, label), options.actions),
    h("div", { class: "mg-stack" }, content.map(called))
  )
}

const called = (child: Child): Child => (typeof child === "function" ? attempt(() => child()) : child)

/** A folded region whose content is made when it is first opened. */
export const disclosure = (
  title: Child,
  content: () => Child,
  options: { readonly open?: boolean; readonly heading?: boolean } = {}
): HTMLElement => {
  const body = h("div", { class: "mg-stack mg-disclosed" })
  const fill = (): void => {
    if (body.childNodes.length === 0) append(body, listOf(content()).map(called))
  }
  const label = options.heading === true ? h("h2", { class: "mg-heading" }, title) : h("span", {}, title)
  const details = h("details", { class: "mg-disclosure" }, h("summary", {}, icon("chevron"), label), body)
  if (options.open === true) {
    fill()
    details.open = true
  }
  details.addEventListener("toggle", fill)
  return details
}

export interface BoxOptions {
  /** CSS length. */
  readonly gap: string
  readonly align: "start" | "center" | "end" | "stretch" | "baseline"
  /** Only of rows: whether children share the width evenly. */
  readonly equal: boolean
}

const box = (name: string, values: ReadonlyArray<Child>): HTMLElement => {
  const { children, options } = childrenAndOptions<BoxOptions>(values, ["gap", "align", "equal"])
  const gap = typeof options.gap === "number" ? `${options.gap}px` : options.gap
  return h(
    "div",
    {
      class: `mg-${name}${options.equal === true ? " mg-equal" : ""}`,
      style: {
        ...(gap === undefined ? {} : { gap }),
        ...(options.align === undefined ? {} : { "align-items": options.align })
      }
    },
    children
  )
}

/** Children side by side, wrapped where there is no room: `row(...children, {gap?, align?, equal?})`. */
export const row = (...children: ReadonlyArray<Child>): HTMLElement => box("row", children)

/** Children below each other: `stack(...children, {gap?, align?})`. */
export const stack = (...children: ReadonlyArray<Child>): HTMLElement => box("stack", children)

/** Controls in a line: buttons, chips, inputs. */
export const toolbar = (...children: ReadonlyArray<Child>): HTMLElement => box("toolbar", children)

interface Tab {
  readonly label: Child
  readonly content: Child
}

const readTabs = (tabs: unknown): ReadonlyArray<Tab> => {
  if (isRecord(tabs) && !(tabs instanceof Node) && !("label" in tabs && "content" in tabs)) {
    return Object.entries(tabs).map(([label, content]) => ({ label, content }))
  }
  return listOf(tabs)
    .filter((tab) => tab !== null && tab !== undefined && tab !== false)
    .map((tab, index) => {
      if (Array.isArray(tab)) return { label: textOf(tab[0]), content: tab.slice(1) }
      const given = isRecord(tab) && !(tab instanceof Node) ? tab : { content: tab }
      return {
        label: given.label ?? given.title ?? given.name ?? `Tab ${index + 1}`,
        content: given.content ?? given.children
      }
    })
}

/**
 * Panels of which one is shown: `{Label: content}` or a list of `{label, content}`. Content is nodes, or a function that is
 * called when its tab is first shown. WAI-ARIA tabs pattern: arrow keys, Home and End move between tabs.
 */
export const tabs = (
  items?: unknown,
  options?: { readonly selected?: number | string; readonly label?: string }
): HTMLElement => {
  const read = readTabs(items)
  const given = optionsOf<{ readonly selected: number | string; readonly label: string }>(options)
  const list = h("div", { class: "mg-tablist", role: "tablist", "aria-label": textOf(given.label) || "Views" })
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
  const select = (index: number, focus: boolean): void => {
    made.forEach(({ tab, panel, content }, at) => {
      const isSelected = at === index
      tab.setAttribute("aria-selected", String(isSelected))
      tab.tabIndex = isSelected ? 0 : -1
      panel.hidden = !isSelected
      if (isSelected && panel.childNodes.length === 0) append(panel, called(content))
      if (isSelected && focus) tab.focus()
    })
  }
  made.forEach(({ tab, panel }, index) => {
    list.appendChild(tab)
    panels.appendChild(panel)
    tab.addEventListener("click", () => select(index, false))
    tab.addEventListener("keydown", (event) => {
      const step = getComputedStyle(list).direction === "rtl" ? -1 : 1
      const last = made.length - 1
      const to = { ArrowRight: index + step, ArrowLeft: index - step, Home: 0, End: last }[event.key]
      if (to === undefined) return
      event.preventDefault()
      select(to < 0 ? last : to > last ? 0 : to, true)
    })
  })
  const wanted =
    typeof given.selected === "string"
      ? made.findIndex(({ label }) => label === given.selected)
      : Number(given.selected ?? 0)
  select(wanted >= 0 && wanted < made.length ? wanted : 0, false)
  return made.length === 0 ? empty() : h("div", { class: "mg-tabs" }, list, panels)
}

/** What stands where there is nothing to show. */
export const empty = (message?: Child, ...more: ReadonlyArray<Child>): HTMLElement =>
  h("div", { class: "mg-empty" }, h("p", {}, message ?? "Nothing to show."), more)

const toneIcons = { neutral: "info", info: "info", success: "success", warning: "warning", danger: "danger" } as const

/** A line that says how something went; read out when it appears. Tones: neutral, info, success, warning, danger. */
export const status = (message?: Child, tone?: unknown): HTMLElement => {
  const chosen = readTone(isRecord(tone) ? tone.tone : tone) ?? "info"
  return h(
    "div",
    { class: `mg-status mg-${chosen}`, role: chosen === "danger" ? "alert" : "status" },
    icon(toneIcons[chosen]),
    h("div", { class: "mg-grow" }, message)
  )
}

export interface ErrorBoxOptions {
  readonly title?: string
  readonly message?: string
  /** Longer text, folded. */
  readonly detail?: string
  readonly actions?: ReadonlyArray<HTMLElement>
}

/** A failure: what happened, what to do next. Announced when it appears. */
export const errorBox = (options?: ErrorBoxOptions): HTMLElement => {
  const { title, message, detail, actions } = optionsOf<ErrorBoxOptions>(options)
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
      listOf(actions).length > 0 && h("div", { class: "mg-toolbar" }, actions)
    )
  )
}

export interface TextOptions {
  readonly tone: string
  readonly muted: boolean
  readonly strong: boolean
  readonly size: "small" | "large"
}

/** A paragraph; line breaks are kept. */
export const text = (content?: Child, options?: Partial<TextOptions>): HTMLElement => {
  const given = optionsOf<TextOptions>(options)
  const tone = readTone(given.tone)
  const names = [
    "mg-text",
    tone !== undefined && `mg-tone-${tone}`,
    given.muted === true && "mg-muted",
    given.strong === true && "mg-strong",
    (given.size === "small" || given.size === "large") && `mg-${given.size}`
  ]
  return h("p", { class: names }, fragment(content))
}
