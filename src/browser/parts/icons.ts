import { h } from "./dom.ts"
import { numberOf } from "../../domain/results/ResultColumn.ts"
import { textOf } from "./values.ts"

const circle = "M8 2a6 6 0 100 12A6 6 0 008 2"
const head = "a3 3 0 100 6 3 3 0 000-6M"
const dot = "a2 2 0 100 4 2 2 0 000-4"

/**
 * Line drawings of this product on a grid of 16 by 16, each with the words that mean it. The first match wins, so the special
 * words stand before the general ones.
 */
const icons = {
  // States and controls, by their names alone.
  check: ["M3 8l4 4 6-8"],
  cross: ["M4 4l8 8M12 4l-8 8"],
  danger: [`${circle}M8 5v4M8 11v.2`],
  warning: ["M8 2L2 13h12zM8 6v3M8 11v.2"],
  info: [`${circle}M8 7v4M8 5v.2`],
  success: [`${circle}M5 8l2 2 4-4`],
  chevron: ["M6 4l4 4-4 4"],
  up: ["M8 13V3M4 7l4-4 4 4"],
  down: ["M8 3v10M4 9l4 4 4-4"],
  right: ["M3 8h10M9 4l4 4-4 4"],
  refresh: ["M13 10a5 5 0 11-1-5M13 2v4H9", /refresh|sync/],
  sort: ["M5 6l3-3 3 3M5 10l3 3 3-3"],
  dot: [`M8 6${dot}`],
  copy: ["M5 5V2h9v9h-3M2 5h9v9H2z"],
  open: ["M6 3H3v10h10v-3M9 3h4v4M13 3L7 9", /external|link/],
  // The weather.
  rain: [
    "M4 10a3 3 0 010-6 4 4 0 018 0 3 3 0 010 6zM5 12l-1 2M8 12l-1 2M11 12l-1 2",
    /rain|shower|precipitation|storm|snow/
  ],
  cloud: ["M4 12a3 3 0 010-6 4 4 0 018 0 3 3 0 010 6z", /cloud|overcast|partly|weather|forecast/],
  sun: [
    `M8 5${head}8 1v1M8 14v1M1 8h1M14 8h1M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1`,
    /sun(ny)?\b|clear sky|^clear$|uv\b/
  ],
  // Code and machines.
  commit: [`M2 8h4M10 8h4M8 6${dot}`, /commit|revision|changelog|branch|merge|git\b|repo(sitor|s?\b)/],
  terminal: ["M2 3h12v10H2zM4 6l2 2-2 2M8 10h3", /bash|shell|terminal|command|exec|console|process|cli\b/],
  database: ["M3 4c0-3 10-3 10 0s-10 3-10 0v8c0 3 10 3 10 0V4M3 8c0 3 10 3 10 0", /sql|database|\bdb\b|query|record/],
  table: ["M2 3h12v10H2zM2 6h12M2 10h12M6 6v7", /table|sheet|excel|csv|\brows?\b|column/],
  tasks: ["M8 4h6M8 12h6M2 4l1 1 3-3M2 12l1 1 3-3", /tasks?\b|issue|todo|checklist|plan\b|steps?\b/],
  folder: ["M2 13V3h4l2 2h6v8z", /folder|director(y|ies)|workspace|vault|project/],
  // Media and writing.
  image: ["M2 3h12v10H2zM2 12l4-4 3 3 2-2 3 3M11 6v.2", /image|photo|picture|screenshot|svg|icon|draw/],
  music: [`M6 12V3l7-1v9M4 10${dot}M11 9${dot}`, /music|audio|song|sound|voice|speech/],
  book: [
    "M8 4c-2-1-4-1-6-1v10c2 0 4 0 6 1 2-1 4-1 6-1V3c-2 0-4 0-6 1v10",
    /book|docs?\b|documentation|guide|course|wiki/
  ],
  file: ["M4 2h5l3 3v9H4zM6 8h4M6 11h4", /file|text|document|pdf|read|content|markdown|notes?\b|page/],
  chat: ["M2 3h12v8H8l-4 3v-3H2zM5 6h6M5 8h3", /message|mail|chat|comment|slack|conversation|echo|say\b/],
  user: [
    `M8 2${head}3 14c0-3 2-4 5-4s5 1 5 4`,
    /user|person|people|author|profile|account|who\b|team|member|customer|contact|segment/
  ],
  // Time, place, money, things.
  calendar: ["M2 3h12v11H2zM2 7h12M5 2v3M11 2v3", /calendar|\bevents?\b|meeting|schedule|\bdates?\b|cron/],
  clock: [`${circle}M8 5v3l3 2`, /time|clock|duration|wait|hour/],
  chart: [
    "M2 2v12h12M5 11V8M8 11V5M11 11V7",
    /chart|plot|stock|price|budget|trend|analytics|metric|statistic|report|dashboard/
  ],
  network: [
    "M6 2h4v4H6zM2 10h4v4H2zM10 10h4v4h-4zM8 6v2M4 10V8h8v2",
    /network|graph\b|ip\b|dns|host|relation|node|tree|memory|knowledge|entit/
  ],
  code: [
    "M5 4L2 8l3 4M11 4l3 4-3 4",
    /code|graphql|regex|function|script|component|html|class\b|api|schema|json|types?\b|mutation|field/
  ],
  globe: [
    `${circle}M2 8h12M8 2c4 4 4 8 0 12-4-4-4-8 0-12`,
    /url|place|location|city|web|site|browser|http|domain|navigate|internet|tabs?\b|language|locale/
  ],
  star: ["M8 2l2 4 4 .6-3 3 .8 4.4L8 12l-4 2 .8-4.4-3-3L6 6z", /star|rating|review|recommend/],
  // What any tool may do stands last.
  search: ["M7 3a4 4 0 100 8A4 4 0 007 3M10 10l4 4", /search|find|lookup|grep/],
  list: ["M6 4h8M6 8h8M6 12h8M2 4h.2M2 8h.2M2 12h.2", /list/],
  edit: ["M11 3l2 2-7 7-3 1 1-3z", /write|edit|update|set\b|rename|move/],
  trash: ["M2 4h12M6 4V2h4v2M4 4l1 10h6l1-10M7 7v4M9 7v4", /delete|remove|clear|close/],
  download: ["M8 2v8M4 7l4 4 4-4M3 14h10", /download|fetch|install|export/]
} satisfies Readonly<Record<string, readonly [path: string, words?: RegExp]>>

export type IconName = keyof typeof icons

/** Drawings by name that came with the page, on a grid of 24 by 24. */
const lent: Record<string, string> = {}

/** Takes drawings that a page brings: paths by name. */
export const lend = (paths: Readonly<Record<string, string>>): void => void Object.assign(lent, paths)

/** The icon that a name or a few words mean; `undefined` where none does. */
export const iconNamed = (words: string): IconName | undefined => {
  if (Object.hasOwn({ ...icons, ...lent }, words)) return words as IconName
  const text = words
    .slice(0, 120)
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/[_\-/.]+/g, " ")
    .toLowerCase()
  return Object.entries(icons).find(([, [, words]]) => words?.test(text))?.[0] as IconName | undefined
}

/** A decorative line icon: its lines are as wide at 16 px as at 40 px. From 20 px on, closed shapes are filled with a little of the colour. */
export const icon = (name: IconName, size = 16): HTMLElement => {
  const taken = lent[name]
  const d = taken ?? icons[name][0]
  const grid = taken === undefined ? 16 : 24
  return h(
    "svg",
    {
      class: ["mg-icon", grid < 24 && size >= 20 && /z|a\d/.test(d) && "mg-drawn"],
      viewBox: `0 0 ${grid} ${grid}`,
      width: size,
      height: size,
      "aria-hidden": "true"
    },
    h("path", { d, "vector-effect": (size > 20 || grid > 16) && "non-scaling-stroke" })
  )
}

/** A sheet of paper with the icon on it: a file of that kind. A folder is a folder. */
export const sheetIcon = (name: IconName, size: number): HTMLElement =>
  name === "folder"
    ? icon(name, size)
    : h(
        "svg",
        { class: "mg-icon", viewBox: "0 0 24 28", width: (size * 24) / 28, height: size, "aria-hidden": "true" },
        h("path", { class: "mg-sheet", d: "M2 1h13l7 7v19H2z" }),
        h("path", { class: "mg-sheet", d: "M15 1v7h7" }),
        h("path", { d: icons[name === "file" ? "list" : name][0], transform: "translate(5 11) scale(.86)" })
      )

/** The icon that a name or words mean; a dot where none does, so that no place in a list stays empty. */
export const namedIcon = (words: unknown, size?: unknown): HTMLElement =>
  icon(iconNamed(textOf(words)) ?? "dot", Math.min(96, Math.max(8, numberOf(size) ?? 16)))
