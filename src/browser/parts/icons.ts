import { h } from "./dom.ts"

/** Line drawings of this product on a grid of 16 by 16, one `d` each. */
const paths = {
  // States and controls.
  check: "M3.5 8.5l3 3 6-7",
  cross: "M4 4l8 8M12 4l-8 8",
  danger: "M8 4.5v4.5M8 11.4v.2M8 1.5a6.5 6.5 0 100 13 6.5 6.5 0 000-13z",
  warning: "M8 6v3.5M8 11.6v.2M8 1.8L1.5 13.7h13z",
  info: "M8 7.3v4M8 4.6v.2M8 1.5a6.5 6.5 0 100 13 6.5 6.5 0 000-13z",
  success: "M5 8.3l2.1 2.1L11.2 6M8 1.5a6.5 6.5 0 100 13 6.5 6.5 0 000-13z",
  chevron: "M6 3.5L10.5 8 6 12.5",
  up: "M8 12.5v-9M4 7.5l4-4 4 4",
  down: "M8 3.5v9M4 8.5l4 4 4-4",
  right: "M3 8h10M9 4l4 4-4 4",
  refresh: "M13 9.5A5.2 5.2 0 118 2.8c1.9 0 3.6 1 4.6 2.7M12.9 2.3v3.4H9.5",
  sort: "M5 6.5l3-3 3 3M5 9.5l3 3 3-3",
  copy: "M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z",
  open: "M6 3.5H3v9.5h9.5v-3M9 2.5h4.5V7M13 3L7.5 8.5",
  download: "M8 2v8M4.5 7L8 10.5 11.5 7M2.5 13.5h11",
  search: "M7 2.5a4.5 4.5 0 100 9 4.5 4.5 0 000-9zM10.3 10.3l3.5 3.5",
  edit: "M10.5 2.8l2.7 2.7L6 12.7l-3.4.7.7-3.4zM8.8 4.5l2.7 2.7",
  trash: "M2.5 4h11M6 4V2.5h4V4M4 4l.7 9.5h6.6L12 4M6.7 6.8v4M9.3 6.8v4",
  play: "M5 3l7.5 5L5 13z",
  // Files and writing.
  file: "M4 1.5h5l3.5 3.5v9.5H4zM9 1.5V5h3.5",
  text: "M4 1.5h5l3.5 3.5v9.5H4zM9 1.5V5h3.5M6 8h4.5M6 10.7h4.5",
  folder: "M1.8 12.8V3.2h4.4l1.6 1.9h6.4v7.7z",
  image: "M2 3h12v10H2zM2.5 12l3.7-4 2.6 2.7L10.6 9l3.2 3M10.7 5.2v.2",
  music:
    "M6 12V3l7-1.2v8.7M4.3 10.2a1.8 1.8 0 100 3.6 1.8 1.8 0 000-3.6zM11.3 8.7a1.8 1.8 0 100 3.6 1.8 1.8 0 000-3.6z",
  video: "M1.8 4h8.4v8H1.8zM10.2 7l4-2.5v7l-4-2.5",
  book: "M8 4c-1.5-1.2-3.5-1.5-6-1.5v10c2.5 0 4.5.3 6 1.5 1.5-1.2 3.5-1.5 6-1.5v-10c-2.5 0-4.5.3-6 1.5zM8 4v10",
  note: "M3 2.5h10v7L9.5 13.5H3zM13 9.5H9.5v4M5.5 5.8h5M5.5 8.3h3",
  list: "M6 4h7.5M6 8h7.5M6 12h7.5M2.7 4h.2M2.7 8h.2M2.7 12h.2",
  tasks: "M7.5 4H14M7.5 11.5H14M2 4l1.3 1.3L5.7 2.8M2 11.5l1.3 1.3 2.4-2.5",
  table: "M2 3h12v10H2zM2 6.5h12M2 9.8h12M6.5 6.5V13",
  tree: "M2.5 2.5h4v3h-4zM9.5 6.5h4v3h-4zM9.5 11h4v3h-4zM4.5 5.5v7h5M4.5 8h5",
  diff: "M5 3v5M2.5 5.5h5M2.5 12.5h5M11.5 3v10M9.5 10.8l2 2.2 2-2.2",
  // Code and machines.
  code: "M5.5 4L1.8 8l3.7 4M10.5 4l3.7 4-3.7 4",
  terminal: "M1.8 2.8h12.4v10.4H1.8zM4.5 6l2.2 2-2.2 2M8.5 10.3h3",
  branch:
    "M4.5 5.2v5.6M11.5 5.2c0 3-4 2.5-7 5.2M4.5 2a1.6 1.6 0 100 3.2 1.6 1.6 0 000-3.2zM4.5 10.8a1.6 1.6 0 100 3.2 1.6 1.6 0 000-3.2zM11.5 2a1.6 1.6 0 100 3.2 1.6 1.6 0 000-3.2z",
  commit: "M1.5 8h4M10.5 8h4M8 5.5a2.5 2.5 0 100 5 2.5 2.5 0 000-5z",
  bug: "M5 6.5h6v4a3 3 0 01-6 0zM6 6.5a2 2 0 014 0M2 8.8h3M11 8.8h3M2.7 4.8L5 6.8M13.3 4.8L11 6.8M2.7 13L5 11.3M13.3 13L11 11.3M8 6.5v7",
  package: "M8 1.5l5.8 3v7L8 14.5l-5.8-3v-7zM2.2 4.5L8 7.7l5.8-3.2M8 7.7v6.8",
  database:
    "M2.5 4c0-1.2 2.4-2 5.5-2s5.5.8 5.5 2-2.4 2-5.5 2-5.5-.8-5.5-2zM2.5 4v8c0 1.2 2.4 2 5.5 2s5.5-.8 5.5-2V4M2.5 8c0 1.2 2.4 2 5.5 2s5.5-.8 5.5-2",
  server: "M2 2.5h12v4.7H2zM2 8.8h12v4.7H2zM4.5 4.8h.2M4.5 11.2h.2M7.5 4.8H12M7.5 11.2H12",
  network: "M6 2h4v3.5H6zM1.8 10.5h4V14h-4zM10.2 10.5h4V14h-4zM8 5.5V8M3.8 10.5V8h8.4v2.5",
  api: "M5.5 2.5c-2.5 0-1 5-3.5 5.5 2.5.5 1 5.5 3.5 5.5M10.5 2.5c2.5 0 1 5 3.5 5.5-2.5.5-1 5.5-3.5 5.5M6.3 8h.2M9.5 8h.2",
  hash: "M6 2L4.7 14M11.3 2L10 14M2.3 5.7h11.4M2.3 10.3h11.4",
  key: "M10.3 2a3.8 3.8 0 11-2.5 6.6L2 14.2V11.5M4.8 11.3l1.7 1.7M11.3 4.6v.2",
  shield: "M8 1.5l5.5 2v4.2c0 3.5-2.3 5.7-5.5 6.8-3.2-1.1-5.5-3.3-5.5-6.8V3.5zM5.5 7.8l1.8 1.8 3.2-3.4",
  // People and messages.
  user: "M8 2a3 3 0 100 6 3 3 0 000-6zM2.5 14c.4-3 2.6-4.5 5.5-4.5s5.1 1.5 5.5 4.5",
  users:
    "M6 2.5a2.6 2.6 0 100 5.2 2.6 2.6 0 000-5.2zM1.3 13.5c.3-2.6 2-4 4.7-4s4.4 1.4 4.7 4M10.5 2.8a2.5 2.5 0 010 4.8M12 9.7c1.6.5 2.5 1.8 2.7 3.8",
  chat: "M2 2.8h12v8.4H7.5L4 14v-2.8H2zM5 6h6M5 8.3h3.5",
  mail: "M1.8 3.2h12.4v9.6H1.8zM2 3.7l6 5 6-5",
  star: "M8 1.8l1.9 4 4.3.6-3.1 3 .8 4.3L8 11.6l-3.9 2.1.8-4.3-3.1-3 4.3-.6z",
  tag: "M2 2h5.5L14 8.5 8.5 14 2 7.5zM5.2 5.2v.2",
  // Time, place, the world.
  calendar: "M2 3.2h12v10.6H2zM2 6.5h12M5 1.8v2.7M11 1.8v2.7",
  clock: "M8 1.8a6.2 6.2 0 100 12.4A6.2 6.2 0 008 1.8zM8 4.5V8l2.5 1.7",
  globe: "M8 1.8a6.2 6.2 0 100 12.4A6.2 6.2 0 008 1.8zM1.8 8h12.4M8 1.8c4 3.8 4 8.6 0 12.4-4-3.8-4-8.6 0-12.4z",
  pin: "M8 14.5C4.7 11 3 8.5 3 6.4a5 5 0 0110 0c0 2.1-1.7 4.6-5 8.1zM8 4.7a1.8 1.8 0 100 3.6 1.8 1.8 0 000-3.6z",
  sun: "M8 5a3 3 0 100 6 3 3 0 000-6zM8 1.3v1.4M8 13.3v1.4M1.3 8h1.4M13.3 8h1.4M3.3 3.3l1 1M11.7 11.7l1 1M12.7 3.3l-1 1M4.3 11.7l-1 1",
  moon: "M13.3 9.8A5.8 5.8 0 016.2 2.7a5.8 5.8 0 107.1 7.1z",
  cloud: "M4.5 12.5a3 3 0 01-.3-6 4 4 0 017.7-.3 3.2 3.2 0 01-.3 6.3z",
  partly:
    "M6 12.8a2.6 2.6 0 01-.2-5.2 3.4 3.4 0 016.5-.2 2.7 2.7 0 01-.3 5.4zM4 6.5a2.6 2.6 0 014.5-2M5.8 1.2v1.2M1.2 5.5h1.2M2.5 2.4l.9.9",
  rain: "M4.5 9.5a2.7 2.7 0 01-.3-5.3 4 4 0 017.7-.3 2.8 2.8 0 01-.3 5.6zM5.3 11.8l-.8 2M8.4 11.8l-.8 2M11.5 11.8l-.8 2",
  snow: "M4.5 9.5a2.7 2.7 0 01-.3-5.3 4 4 0 017.7-.3 2.8 2.8 0 01-.3 5.6zM5 12v.2M8 12v.2M11 12v.2M6.5 14v.2M9.5 14v.2",
  storm: "M4.5 9.5a2.7 2.7 0 01-.3-5.3 4 4 0 017.7-.3 2.8 2.8 0 01-.3 5.6M8.7 7.5L6.5 11h3l-1.7 3.5",
  fog: "M4.5 8.5a2.5 2.5 0 01-.3-5 4 4 0 017.7-.3 2.6 2.6 0 01-.3 5.3zM2.5 11h11M4.5 13.5h7",
  wind: "M1.8 6h7.7a2 2 0 10-2-2M1.8 8.8h10.7a2 2 0 11-2 2M1.8 11.5h5a1.6 1.6 0 11-1.6 1.6",
  drop: "M8 1.8c3 3.5 4.3 5.7 4.3 7.7a4.3 4.3 0 01-8.6 0c0-2 1.3-4.2 4.3-7.7z",
  food: "M4 1.8v4a1.8 1.8 0 003.6 0v-4M5.8 1.8V14.2M12 14.2V9.3h-2c0-4 .7-6.7 2-7.5z",
  // Money, figures, things.
  money:
    "M8 1.5v13M11.2 4.3c-.8-.9-1.9-1.3-3.2-1.3-1.8 0-3.1.9-3.1 2.4 0 3.4 6.4 1.6 6.4 5.1 0 1.6-1.4 2.5-3.3 2.5-1.5 0-2.7-.5-3.5-1.5",
  cart: "M1.5 2h2l1.8 8h7l1.5-5.7H4.1M6 12.7a.8.8 0 100 1.6.8.8 0 000-1.6zM11.5 12.7a.8.8 0 100 1.6.8.8 0 000-1.6z",
  chart: "M2 2v12h12M5 11V8M8 11V5M11 11V6.5",
  trend: "M1.8 11.5l4-4 2.7 2.7 5.7-5.7M10 4.5h4.2v4.2",
  calculator: "M3.5 1.8h9v12.4h-9zM5.5 4h5v2.5h-5zM5.7 9h.2M8 9h.2M10.3 9h.2M5.7 11.7h.2M8 11.7h.2M10.3 11.7h.2",
  palette:
    "M8 1.8a6.2 6.2 0 100 12.4c1.5 0 1.7-1 1.2-1.8-.7-1.2 0-2.4 1.5-2.4h1.6c1.2 0 1.9-.8 1.9-2A6.3 6.3 0 008 1.8zM5 6v.2M8 4.5v.2M11 6v.2M4.3 9v.2",
  dice: "M2.5 2.5h11v11h-11zM5.5 5.5h.2M10.5 5.5h.2M8 8h.2M5.5 10.5h.2M10.5 10.5h.2",
  translate: "M1.8 3.5h7M5.3 2v1.5M7.3 3.5c-.5 2.8-2.3 4.7-5 6M3.3 5.5c.8 2 2.2 3.2 4 4M8 14l3-7.5L14 14M9 11.7h4",
  link: "M6.5 9.5l3-3M7 4.5l1.7-1.7a3.2 3.2 0 014.5 4.5L11.5 9M9 11.5l-1.7 1.7a3.2 3.2 0 01-4.5-4.5L4.5 7",
  layers: "M8 1.8L14.2 5 8 8.2 1.8 5zM1.8 8L8 11.2 14.2 8M1.8 11L8 14.2 14.2 11",
  brain:
    "M8 3.2a2.2 2.2 0 00-4.2.8A2.3 2.3 0 002.5 8a2.4 2.4 0 001.7 3.8A2.2 2.2 0 008 12.7zM8 3.2a2.2 2.2 0 014.2.8A2.3 2.3 0 0113.5 8a2.4 2.4 0 01-1.7 3.8A2.2 2.2 0 018 12.7M5 6.5c1 0 1.5.5 1.7 1.3M11 6.5c-1 0-1.5.5-1.7 1.3"
}

export type IconName = keyof typeof paths

/** Words that mean an icon. The first match wins, so the special words stand before the general ones. */
const meanings: ReadonlyArray<readonly [IconName, RegExp]> = [
  ["storm", /thunder|storm|lightning/],
  ["snow", /snow|sleet|blizzard|ice\b/],
  ["rain", /rain|drizzle|shower|precipitation/],
  ["fog", /fog|mist|haze/],
  ["partly", /part(ly|ial)|mostly (sunny|clear)|weather|forecast/],
  ["cloud", /cloud|overcast/],
  ["sun", /sun(ny)?\b|clear sky|^clear$|uv\b/],
  ["moon", /moon|night/],
  ["wind", /wind\b|windy|gust/],
  ["drop", /humidity|water|liquid/],
  ["commit", /commit|revision|changelog|history/],
  ["branch", /branch|merge|pull.?request|git\b|fork|repo(sitor(y|ies))?\b/],
  ["bug", /bug|issue|defect|lint|finding|debug/],
  ["diff", /diff|patch|compare/],
  ["terminal", /bash|shell|terminal|command|exec|console|process|cli\b/],
  ["database", /sql|database|\bdb\b|query|record/],
  ["table", /table|sheet|excel|csv|spreadsheet|row|column/],
  ["tasks", /tasks?\b|todo|checklist|plan\b|steps?\b/],
  ["package", /package|dependenc|npm|module|release|version|semver/],
  ["folder", /folder|director(y|ies)|workspace|vault|project/],
  ["image", /image|photo|picture|screenshot|svg|icon|png|jpe?g|shader|draw/],
  ["video", /video|movie|film|stream/],
  ["music", /music|audio|song|sound|track|playlist|transcri/],
  ["book", /book|docs?\b|documentation|guide|manual|learn|course|wiki|tutorial/],
  ["note", /notes?\b|memo|page|article|post\b/],
  ["text", /file|text|document|pdf|read|content|markdown/],
  ["mail", /mail|inbox|newsletter/],
  ["chat", /message|chat|comment|slack|conversation|echo|say\b|discuss/],
  ["users", /users|people|team|members|customers?|contacts?|segment|cohort/],
  ["user", /user|person|author|profile|account|who\b/],
  ["calendar", /calendar|\bevents?\b|meeting|schedule|booking|appointment|\bdates?\b|cron/],
  ["clock", /time|clock|duration|timezone|wait|hour/],
  ["food", /recipe|cook|food|meal|restaurant|dish|eat\b|菜/],
  ["pin", /place|location|address|geo|city|nearby|coordinates?/],
  ["cart", /cart|order|shop|product|store\b|checkout/],
  ["money", /price|money|currency|exchange|budget|cost|finance|revenue|salary|tax/],
  ["trend", /stock|trend|growth|analytics|metric|performance/],
  ["chart", /chart|graph|plot|statistic|report|dashboard/],
  ["palette", /colou?r|palette|theme|css|style|tailwind|design/],
  ["calculator", /calc|math|convert|unit\b|measure|sum\b|add\b|number|expression/],
  ["dice", /random|dice|shuffle|uuid/],
  ["hash", /hash|checksum|digest|encode|decode|base64?\b|cipher/],
  ["key", /key\b|token|jwt|secret|credential|password|auth/],
  ["shield", /valid|verif|check|secur|audit|access|luhn|policy/],
  ["network", /network|ip\b|dns|host|cidr|subnet|topology|relation|node/],
  ["api", /api|schema|graphql|json|openapi|endpoint|type\b|types\b|mutation|field/],
  ["server", /server|deploy|container|docker|kubernetes|cluster|infra/],
  ["brain", /memory|knowledge|think|thought|entit|graph|reason|agent|model|ai\b|observation/],
  ["code", /code|regex|function|script|component|html|javascript|typescript|python|class\b/],
  ["globe", /url|web|site|browser|page|http|domain|navigate|internet|tab\b|tabs\b|link/],
  ["translate", /translat|language|locale|char\b|unicode|word/],
  ["star", /star|rating|review|favou?rite|recommend/],
  ["tag", /tag|label|categor|keyword/],
  ["search", /search|find|lookup|query|grep|list/],
  ["edit", /write|edit|update|set\b|rename|move/],
  ["trash", /delete|remove|clear|close/],
  ["download", /download|fetch|get\b|install|export/],
  ["play", /run\b|start|play|render|execute|launch/],
  ["layers", /template|workflow|stack|layer|collection/]
]

/** The icon that a name or a few words mean; `undefined` where none does. */
export const iconNamed = (words: string): IconName | undefined => {
  if (Object.hasOwn(paths, words)) return words as IconName
  const text = words
    .slice(0, 120)
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/[_\-/.]+/g, " ")
    .toLowerCase()
  return meanings.find(([, meaning]) => meaning.test(text))?.[0]
}

/** A decorative line icon: its lines are as wide at 16 px as at 40 px. */
export const icon = (name: IconName, size = 16): HTMLElement =>
  h(
    "svg",
    { class: "mg-icon", viewBox: "0 0 16 16", width: size, height: size, "aria-hidden": "true" },
    h("path", { d: paths[name], ...(size > 20 ? { "vector-effect": "non-scaling-stroke" } : {}) })
  )

/** The icon that a name or words mean; an empty place where none does. */
export const namedIcon = (words: unknown, size?: unknown): HTMLElement => {
  const name = iconNamed(typeof words === "string" ? words : "")
  return name === undefined ? h("span") : icon(name, typeof size === "number" ? Math.min(96, Math.max(8, size)) : 16)
}
