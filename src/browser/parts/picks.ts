import type { JsonRecord } from "../../domain/results/ResultColumn.ts"
import { badgesOf } from "./badge.ts"
import { type Child, h, link, safeUrl } from "./dom.ts"
import { givenValue } from "./field.ts"
import { attempt, clip, firstMember, isNothing, memberOf, nameIn, textOf } from "./values.ts"

/** A member's name, or a function of the item; `null` or `false` for none. */
type Pick = string | ((item: JsonRecord) => Child)

/** By which names a pick is guessed, the first that holds something. */
const guesses = {
  title: "title name label displayName display_name subject headline text value id",
  text: "subtitle description summary text message snippet body content email path",
  time: "date time datetime updated_at updatedAt created_at createdAt timestamp at start start_time",
  badge: "badge status state priority severity level",
  image: "image thumbnail avatar",
  href: "url html_url link href",
  who: "author user login assignee owner committer by from sender",
  path: "path file filename filePath file_path location uri name",
  line: "line lineNumber line_number row",
  size: "size bytes length fileSize",
  value: "value count total amount score",
  end: "end end_time endTime finish until",
  place: "location file path place rule ruleId property node"
}

export type Guess = keyof typeof guesses

/** What a pick answers for an item, guessed where the author gave none. */
export const picked = (item: JsonRecord, pick: unknown, guess: Guess): Child => {
  if (typeof pick === "function") return attempt(() => pick(item))
  if (pick === null || pick === false) return undefined
  return typeof pick === "string" ? memberOf(item, pick) : firstMember(item, guesses[guess].split(" "))
}

/** A value as its type asks for; nodes and lists stay as they are. */
export const shown = (value: Child, key = ""): Child =>
  value instanceof Node || Array.isArray(value) ? value : givenValue(value, {}, key)

/** What an author's function makes of an item; nothing where there is no function. */
export const made = (make: unknown, item: unknown): Child =>
  typeof make === "function" ? attempt(() => make(item)) : undefined

export interface Picks {
  readonly title: Pick
  readonly text: Pick
  readonly badge: Pick
  readonly href: Pick
  readonly onClick: (item: JsonRecord) => unknown
}

export const titleNode = (item: JsonRecord, given: Partial<Picks>): Child => {
  const title = picked(item, given.title, "title")
  const label = shown(isNothing(title) ? (nameIn(item)?.value ?? "–") : title)
  const { onClick } = given
  if (typeof onClick === "function")
    return h("button", { type: "button", class: "mg-linkbutton", onclick: () => made(onClick, item) }, label)
  const address = safeUrl(picked(item, given.href, "href"))
  return address === undefined ? label : link(address, label)
}

/** Title and badges of an item in a line, its text below. */
export const itemNodes = (item: JsonRecord, given: Partial<Picks>): Child => {
  const text = picked(item, given.text, "text")
  return [
    h("div", { class: "mg-item-title" }, titleNode(item, given), badgesOf(picked(item, given.badge, "badge"))),
    !isNothing(text) &&
      text !== picked(item, given.title, "title") &&
      h("div", { class: "mg-item-text" }, text instanceof Node ? text : clip(textOf(text), 400))
  ]
}

export const timeNode = (item: JsonRecord, pick: unknown): Child => {
  const time = picked(item, pick, "time")
  return isNothing(time) || h("div", { class: "mg-item-meta" }, shown(time, typeof pick === "string" ? pick : "time"))
}
