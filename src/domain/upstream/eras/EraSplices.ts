import { frameStart } from "../../wire/Frame.ts"
import {
  append,
  type Edit,
  elementsOf,
  isObjectAt,
  memberOf,
  membersOf,
  replace,
  skipValue,
  type Span,
  splice,
  textOf
} from "../../wire/JsonBytes.ts"

/** A member as key and JSON text. */
export type JsonMember = readonly [key: string, json: string]

const print = (members: ReadonlyArray<JsonMember>): string =>
  members.map(([key, json]) => `${JSON.stringify(key)}:${json}`).join(",")

/** Members as the text of a JSON object. */
export const objectOf = (members: ReadonlyArray<JsonMember>): string => `{${print(members)}}`

const messageSpan = (frame: Uint8Array): Span | undefined => {
  const start = frameStart(frame)
  const end = frame[start] === 0x7b ? skipValue(frame, start) : undefined
  return end === undefined ? undefined : { start, end }
}

/** Replaces members that exist and adds the others, all in one insertion. */
const setMembers = (frame: Uint8Array, object: Span, members: ReadonlyArray<JsonMember>): ReadonlyArray<Edit> => {
  const found = members.map((member) => ({ member, at: memberOf(frame, object, member[0]) }))
  const missing = found.filter(({ at }) => at === undefined).map(({ member }) => member)
  return [
    ...found.flatMap(({ at, member }) => (at === undefined ? [] : [replace(at, member[1])])),
    ...(missing.length === 0 ? [] : [append(frame, object, print(missing))])
  ]
}

/**
 * The same message under another id (JSON text), with `members` in its params and `meta` in their `_meta`. Params and
 * `_meta` are added if missing. Params that are neither an object nor null stay as they are.
 */
export const withParams = (
  frame: Uint8Array,
  changes: {
    readonly id?: string
    readonly members?: ReadonlyArray<JsonMember>
    readonly meta?: ReadonlyArray<JsonMember>
  }
): Uint8Array => {
  const message = messageSpan(frame)
  if (message === undefined) return frame
  const { id, members = [], meta = [] } = changes
  const idAt = id === undefined ? undefined : memberOf(frame, message, "id")
  const edits: Array<Edit> = idAt === undefined || id === undefined ? [] : [replace(idAt, id)]
  const all: ReadonlyArray<JsonMember> = meta.length === 0 ? members : [...members, ["_meta", objectOf(meta)]]
  const whole = objectOf(all)
  const params = memberOf(frame, message, "params")
  if (members.length + meta.length === 0) return splice(frame, edits)
  if (params === undefined) return splice(frame, [...edits, append(frame, message, `"params":${whole}`)])
  if (!isObjectAt(frame, params)) {
    const isNull = frame[params.start] === 0x6e
    return splice(frame, isNull ? [...edits, replace(params, whole)] : edits)
  }
  const metaAt = memberOf(frame, params, "_meta")
  if (metaAt !== undefined && isObjectAt(frame, metaAt)) {
    return splice(frame, [...edits, ...setMembers(frame, metaAt, meta), ...setMembers(frame, params, members)])
  }
  return splice(frame, [...edits, ...setMembers(frame, params, all)])
}

const spanAt = (frame: Uint8Array, path: ReadonlyArray<string>): Span | undefined => {
  let at = messageSpan(frame)
  for (const key of path) at = at === undefined ? undefined : memberOf(frame, at, key)
  return at
}

/** Adds the missing members to the object at a path of keys; without such an object the message stays as it is. */
export const withMembersAt = (
  frame: Uint8Array,
  path: ReadonlyArray<string>,
  members: ReadonlyArray<JsonMember>
): Uint8Array => {
  const object = spanAt(frame, path)
  if (object === undefined || !isObjectAt(frame, object)) return frame
  const missing = members.filter(([key]) => memberOf(frame, object, key) === undefined)
  return missing.length === 0 ? frame : splice(frame, [append(frame, object, print(missing))])
}

/** Replaces the value at a path of keys by JSON text, if there is one. */
export const withValueAt = (frame: Uint8Array, path: ReadonlyArray<string>, json: string): Uint8Array => {
  const at = spanAt(frame, path)
  return at === undefined ? frame : splice(frame, [replace(at, json)])
}

/** Removes members from an object, with their commas. */
const removals = (frame: Uint8Array, object: Span, keys: ReadonlySet<string>): ReadonlyArray<Edit> => {
  const members = membersOf(frame, object) ?? []
  const firstKept = members.findIndex(({ key }) => !keys.has(key))
  const kept = members[firstKept]
  if (kept === undefined) {
    const last = members.at(-1)
    return last === undefined ? [] : [{ at: object.start + 1, remove: last.value.end - object.start - 1, insert: "" }]
  }
  const edits: Array<Edit> = []
  const lead = firstKept > 0 ? members[firstKept - 1] : undefined
  if (lead !== undefined) {
    let comma = lead.value.end
    while (frame[comma] !== 0x2c) comma += 1
    edits.push({ at: object.start + 1, remove: comma - object.start, insert: "" })
  }
  for (let index = firstKept + 1; index < members.length; index += 1) {
    const before = members[index - 1]
    const member = members[index]
    if (before === undefined || member === undefined || !keys.has(member.key)) continue
    edits.push({ at: before.value.end, remove: member.value.end - before.value.end, insert: "" })
  }
  return edits
}

/** Removes members from the object at a path of keys. */
export const without = (frame: Uint8Array, path: ReadonlyArray<string>, keys: ReadonlyArray<string>): Uint8Array => {
  const at = spanAt(frame, path)
  return at === undefined || !isObjectAt(frame, at) ? frame : splice(frame, removals(frame, at, new Set(keys)))
}

const OBJECT = `"type":"object"`

/**
 * The same list of tools, each with an `inputSchema` whose type is "object". Older servers leave it out, and clients of the
 * modern era refuse the whole list for it.
 */
export const withInputTypes = (frame: Uint8Array): Uint8Array => {
  const list = spanAt(frame, ["result", "tools"])
  const edits = ((list && elementsOf(frame, list)) ?? []).flatMap((tool): ReadonlyArray<Edit> => {
    if (!isObjectAt(frame, tool)) return []
    const schema = memberOf(frame, tool, "inputSchema")
    if (schema === undefined) return [append(frame, tool, `"inputSchema":{${OBJECT}}`)]
    if (!isObjectAt(frame, schema)) return [replace(schema, `{${OBJECT}}`)]
    const type = memberOf(frame, schema, "type")
    if (type === undefined) return [append(frame, schema, OBJECT)]
    return textOf(frame, type) === '"object"' ? [] : [replace(type, '"object"')]
  })
  return splice(frame, edits)
}
