import {
  ACCESSOR_MEMBERS,
  DOCUMENT_MEMBERS,
  EVENT_MEMBERS,
  FORBIDDEN_GLOBALS,
  GLOBAL_OBJECTS,
  NAVIGATING_ASSIGNMENTS,
  REFLECTION,
  SUSPECT_GLOBALS,
  TARGET_PATH,
  VIEW_PATH,
  WINDOW_MEMBERS
} from "./HtmlRules.ts"

/** The path of what `show` gives to its function as the second parameter; no global has such a name. */
export const CONTEXT_PATH = "#context"
/** The path of the data that `show` gives as the first parameter. */
export const DATA_PATH = "#data"
/** The path of a result of a tool; of its content; of one of its content blocks; of what looks like one. */
export const RESULT_PATH = "#result"
export const CONTENT_PATH = `${RESULT_PATH}.content`
export const CONTENT_BLOCK_PATH = "#block"
export const LIKELY_BLOCK_PATH = "#likely-block"

/** The path of the event that is handled just now; of one that an element hears; that a window, a document hears. */
const CURRENT_EVENT_PATH = "event"
export const EVENT_PATH = "#event"
export const WINDOW_EVENT_PATH = "#window-event"
const DOCUMENT_EVENT_PATH = "#document-event"
/** The path of what hears an event, by that of the event. */
export const LISTENERS: ReadonlyMap<string, string> = new Map([
  [CURRENT_EVENT_PATH, TARGET_PATH],
  [EVENT_PATH, VIEW_PATH],
  [WINDOW_EVENT_PATH, ""],
  [DOCUMENT_EVENT_PATH, "document"]
])

/** What is no global of interest, and every member of it. */
export const OTHER_PATH = "#other"

/**
 * The paths that are told apart. All others are one, {@link OTHER_PATH}: so the paths of a binding are few, however
 * often a script puts a member of a value back into its own name.
 */
const TOLD_PATHS: ReadonlySet<string> = new Set(
  [
    ...FORBIDDEN_GLOBALS.keys(),
    ...NAVIGATING_ASSIGNMENTS,
    ...SUSPECT_GLOBALS.keys(),
    ...REFLECTION,
    CURRENT_EVENT_PATH,
    "document.documentElement",
    "document.head",
    "document.body",
    `${VIEW_PATH}.open`,
    `${CONTEXT_PATH}.call`,
    CONTENT_PATH,
    `${CONTENT_BLOCK_PATH}.type`,
    `${LIKELY_BLOCK_PATH}.type`
  ].flatMap((path) => path.split(".").map((_, index, names) => names.slice(0, index + 1).join(".")))
)

const INDEX = /^\d+$/u

const eventMemberPath = (event: string, listener: string, name: string): string => {
  if (name === "view") return ""
  if (name === "currentTarget") return listener
  return event === EVENT_PATH ? VIEW_PATH : TARGET_PATH
}

/** The path of the events that what has these paths hears. */
export const eventOf = (paths: ReadonlyArray<string>): string =>
  paths.includes("") ? WINDOW_EVENT_PATH : paths.includes("document") ? DOCUMENT_EVENT_PATH : EVENT_PATH

/** The path of a member of what has this path. */
export const memberPath = (path: string, name: string): string => {
  if (WINDOW_MEMBERS.has(name)) return ""
  if (DOCUMENT_MEMBERS.has(name)) return "document"
  if (ACCESSOR_MEMBERS.has(name)) return name
  if (path === "" && GLOBAL_OBJECTS.has(name)) return ""
  if (path === "document" && name === "location") return "location"
  if (name === "parentNode" && path === "document.documentElement") return "document"
  if (name === "parentNode" && (path === "document.head" || path === "document.body")) return "document.documentElement"
  const listener = LISTENERS.get(path)
  if (listener !== undefined && EVENT_MEMBERS.has(name)) return eventMemberPath(path, listener, name)
  if (path === CONTEXT_PATH && name === "result") return RESULT_PATH
  if (path === CONTENT_PATH && INDEX.test(name)) return CONTENT_BLOCK_PATH
  const joined = path === "" ? name : `${path}.${name}`
  return TOLD_PATHS.has(joined) ? joined : OTHER_PATH
}
