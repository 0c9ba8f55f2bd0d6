import { FLAT_RESOURCE_URI, UI_EXTENSION } from "./AppsExtension.ts"
import {
  append,
  type Edit,
  elementsOf,
  findValue,
  isObjectAt,
  memberOf,
  membersOf,
  skipValue,
  type Span,
  splice,
  textOf,
  valueOf
} from "./JsonBytes.ts"
import { frameStart, memberSpan } from "./Frame.ts"

/**
 * The only changes the proxy makes to messages, each a splice: every other byte stays as the server wrote it.
 * Results that do not have the expected shape pass unchanged.
 */
type Rewrite = (frame: Uint8Array) => Uint8Array

const member = (key: string, value: unknown): string => `${JSON.stringify(key)}:${JSON.stringify(value)}`

/** Some servers write `null` for what they leave out. */
const isNullAt = (bytes: Uint8Array, at: Span): boolean => textOf(bytes, at) === "null"

const replace = (at: Span, insert: string): Edit => ({ at: at.start, remove: at.end - at.start, insert })

const merge = (
  bytes: Uint8Array,
  object: Span,
  key: string,
  value: Readonly<Record<string, unknown>>
): ReadonlyArray<Edit> => {
  const at = memberOf(bytes, object, key)
  if (at === undefined) return [append(bytes, object, member(key, value))]
  if (isNullAt(bytes, at)) return [replace(at, JSON.stringify(value))]
  if (!isObjectAt(bytes, at)) return []
  const inner = Object.entries(value).map(([name, added]) => ({ name, added, at: memberOf(bytes, at, name) }))
  const missing = inner.filter((entry) => entry.at === undefined)
  return [
    ...inner.flatMap((entry) =>
      entry.at !== undefined && isNullAt(bytes, entry.at) ? [replace(entry.at, JSON.stringify(entry.added))] : []
    ),
    ...(missing.length === 0
      ? []
      : [append(bytes, at, missing.map(({ added, name }) => member(name, added)).join(","))])
  ]
}

/** Adds the members that an object lacks. */
const mergeMissing = (
  bytes: Uint8Array,
  object: Span,
  members: Readonly<Record<string, unknown>>
): ReadonlyArray<Edit> => {
  const missing = Object.entries(members).filter(([key]) => memberOf(bytes, object, key) === undefined)
  return missing.length === 0
    ? []
    : [append(bytes, object, missing.map(([key, value]) => member(key, value)).join(","))]
}

/**
 * `initialize` and `server/discover` results: announces resources, changes of the tool list and the UI extension.
 * A server without tools is left as it is.
 */
export const announceUi: Rewrite = (frame) => {
  const result = memberSpan(frame, "result")
  const capabilities = result === undefined ? undefined : memberOf(frame, result, "capabilities")
  if (capabilities === undefined || !isObjectAt(frame, capabilities)) return frame
  const tools = memberOf(frame, capabilities, "tools")
  if (tools === undefined || isNullAt(frame, tools)) return frame
  const [resources, extensions] = ["resources", "extensions"].map((key) => memberOf(frame, capabilities, key))
  const added = [
    ...(resources === undefined ? [member("resources", { listChanged: true })] : []),
    ...(extensions === undefined ? [member("extensions", { [UI_EXTENSION]: {} })] : [])
  ]
  return splice(frame, [
    ...merge(frame, capabilities, "tools", { listChanged: true }),
    ...(resources === undefined ? [] : merge(frame, capabilities, "resources", { listChanged: true })),
    ...(extensions === undefined ? [] : merge(frame, capabilities, "extensions", { [UI_EXTENSION]: {} })),
    ...(added.length === 0 ? [] : [append(frame, capabilities, added.join(","))])
  ])
}

/** Whether a result page of a list is the last one. */
const isLastPage = (frame: Uint8Array, result: Span): boolean => {
  const cursor = memberOf(frame, result, "nextCursor")
  return cursor === undefined || !isCursor(valueOf(frame, cursor))
}

/** Whether `nextCursor` leads to another page; some servers end with `null` or an empty string. */
export const isCursor = (value: unknown): value is string => typeof value === "string" && value !== ""

/** A list that depends on who asks must not be shared between hosts by a cache (modern era, `cacheScope`). */
const keepPrivate = (frame: Uint8Array, result: Span): ReadonlyArray<Edit> => {
  const scope = memberOf(frame, result, "cacheScope")
  return scope !== undefined && valueOf(frame, scope) === "public" ? [replace(scope, '"private"')] : []
}

const uiMeta = (uri: string): string =>
  `"ui":${JSON.stringify({ resourceUri: uri })},${JSON.stringify(FLAT_RESOURCE_URI)}:${JSON.stringify(uri)}`

const toolEdit = (frame: Uint8Array, tool: Span, uriOf: (name: string) => string | undefined): ReadonlyArray<Edit> => {
  const members = membersOf(frame, tool)
  const nameSpan = members?.findLast(({ key }) => key === "name")?.value
  const name = nameSpan === undefined ? undefined : valueOf(frame, nameSpan)
  const uri = typeof name === "string" ? uriOf(name) : undefined
  if (members === undefined || uri === undefined) return []
  const meta = members.findLast(({ key }) => key === "_meta")?.value
  if (meta === undefined) return [append(frame, tool, `"_meta":{${uiMeta(uri)}}`)]
  if (isNullAt(frame, meta)) return [replace(meta, `{${uiMeta(uri)}}`)]
  const inMeta = membersOf(frame, meta)
  if (inMeta === undefined || inMeta.some(({ key }) => key === "ui" || key === FLAT_RESOURCE_URI)) return []
  return [append(frame, meta, uiMeta(uri))]
}

/** `tools/list` results: a URI for each tool that `uriOf` knows and that brings no UI; `extra` on the last page. */
export const addUiToTools =
  (uriOf: (toolName: string) => string | undefined, extra: ReadonlyArray<unknown>): Rewrite =>
  (frame) => {
    const result = memberSpan(frame, "result")
    const tools = result === undefined ? undefined : memberOf(frame, result, "tools")
    const elements = tools === undefined ? undefined : elementsOf(frame, tools)
    if (result === undefined || tools === undefined || elements === undefined) return frame
    return splice(frame, [
      ...elements.flatMap((tool) => toolEdit(frame, tool, uriOf)),
      ...(extra.length > 0 && isLastPage(frame, result)
        ? [append(frame, tools, extra.map((tool) => JSON.stringify(tool)).join(","))]
        : []),
      ...keepPrivate(frame, result)
    ])
  }

/** `resources/list` results: our resources on the last page. */
export const addResources =
  (resources: ReadonlyArray<unknown>): Rewrite =>
  (frame) => {
    const result = memberSpan(frame, "result")
    const list = result === undefined ? undefined : memberOf(frame, result, "resources")
    if (result === undefined || list === undefined || elementsOf(frame, list) === undefined) return frame
    return splice(frame, [
      ...(resources.length > 0 && isLastPage(frame, result)
        ? [append(frame, list, resources.map((resource) => JSON.stringify(resource)).join(","))]
        : []),
      ...keepPrivate(frame, result)
    ])
  }

/** `notifications/subscriptions/acknowledged`: what we serve beside what the server does (modern era). */
export const acknowledgeUi =
  (honored: Readonly<Record<string, unknown>>, uris: ReadonlyArray<string>): Rewrite =>
  (frame) => {
    const params = memberSpan(frame, "params")
    const filter = params === undefined ? undefined : memberOf(frame, params, "notifications")
    if (filter === undefined || !isObjectAt(frame, filter)) return frame
    const listed = memberOf(frame, filter, "resourceSubscriptions")
    const known = listed === undefined ? undefined : valueOf(frame, listed)
    const missing = Array.isArray(known) ? uris.filter((uri) => !known.includes(uri)) : []
    return splice(frame, [
      ...(listed !== undefined && missing.length > 0
        ? [append(frame, listed, missing.map((uri) => JSON.stringify(uri)).join(","))]
        : []),
      ...mergeMissing(frame, filter, honored)
    ])
  }

/** A string at a path of the message, such as the name of the tool that is called; of duplicate keys the first. */
export const stringAt = (frame: Uint8Array, path: ReadonlyArray<string>): string | undefined => {
  const value = decodedAt(frame, path)
  return typeof value === "string" ? value : undefined
}

/** The value at a path of the message, decoded; of duplicate keys the first. */
export const decodedAt = (frame: Uint8Array, path: ReadonlyArray<string>): unknown => {
  const start = findValue(frame, frameStart(frame), path)
  const end = start === undefined ? undefined : skipValue(frame, start)
  return start === undefined || end === undefined ? undefined : valueOf(frame, { start, end })
}

/** The text of the value at a path of the message, exactly as it stands; of duplicate keys the first. */
export const rawAt = (frame: Uint8Array, path: ReadonlyArray<string>): string | undefined => {
  const start = findValue(frame, frameStart(frame), path)
  const end = start === undefined ? undefined : skipValue(frame, start)
  return start === undefined || end === undefined ? undefined : textOf(frame, { start, end })
}
