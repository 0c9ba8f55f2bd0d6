import { FLAT_RESOURCE_URI, OPENAI_ACCESSIBLE, OPENAI_TEMPLATE, UI_EXTENSION } from "./AppsExtension.ts"
import {
  append,
  type Edit,
  elementsOf,
  findValue,
  isObjectAt,
  memberOf,
  membersOf,
  replace,
  type Span,
  splice,
  textOf,
  valueOf
} from "./JsonBytes.ts"
import { frameStart, memberSpan } from "./Frame.ts"

/**
 * The proxy changes messages by these splices only: every other byte stays as the server wrote it. Results of an
 * unexpected shape pass unchanged.
 */
type Rewrite = (frame: Uint8Array) => Uint8Array

const member = (key: string, value: unknown): string => `${JSON.stringify(key)}:${JSON.stringify(value)}`

/** Some servers write `null` for a missing value. */
const isNullAt = (bytes: Uint8Array, at: Span): boolean => textOf(bytes, at) === "null"

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
 * `initialize` and `server/discover` results: announces resources, changes of the tool list and the UI extension,
 * unless the server has no tools.
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

/** The parts of a list result, found in one pass: lists may be long. */
interface ListResult {
  readonly list: Span
  /** The cursor of the next page. */
  readonly next: string | undefined
  /** Edits for `cacheScope` (modern era): caches must not share a list that depends on the host. */
  readonly keepPrivate: ReadonlyArray<Edit>
}

const readList = (frame: Uint8Array, key: string): ListResult | undefined => {
  const result = memberSpan(frame, "result")
  const members = result === undefined ? undefined : membersOf(frame, result)
  const at = (name: string): Span | undefined => members?.findLast((found) => found.key === name)?.value
  const list = at(key)
  if (list === undefined) return undefined
  const cursor = at("nextCursor")
  const scope = at("cacheScope")
  return {
    list,
    next: cursor === undefined ? undefined : nextOf(valueOf(frame, cursor)),
    keepPrivate: scope !== undefined && valueOf(frame, scope) === "public" ? [replace(scope, '"private"')] : []
  }
}

/** Where the tools of a `tools/list` result stand, and the cursor of the next page. */
export const readToolList = (
  frame: Uint8Array
): { readonly tools: ReadonlyArray<Span> | undefined; readonly next: string | undefined } => {
  const found = readList(frame, "tools")
  return { tools: found === undefined ? undefined : elementsOf(frame, found.list), next: found?.next }
}

const appendAll = (frame: Uint8Array, { list, next }: ListResult, extra: ReadonlyArray<unknown>) =>
  extra.length > 0 && next === undefined
    ? [append(frame, list, extra.map((item) => JSON.stringify(item)).join(","))]
    : []

/** Some servers end with `null` or an empty string. */
const nextOf = (cursor: unknown): string | undefined =>
  typeof cursor === "string" && cursor !== "" ? cursor : undefined

const OPENAI_UI: ReadonlySet<string> = new Set([OPENAI_TEMPLATE, OPENAI_ACCESSIBLE])

/** The names that older hosts and ChatGPT know. */
const aliases = (uri: string, isChatGpt: boolean): string =>
  member(FLAT_RESOURCE_URI, uri) +
  (isChatGpt ? `,${member(OPENAI_TEMPLATE, uri)},${member(OPENAI_ACCESSIBLE, true)}` : "")

const uiMeta = (uri: string, isChatGpt: boolean): string =>
  `${member("ui", { resourceUri: uri })},${aliases(uri, isChatGpt)}`

/** `_meta.ui` without a URI says who may call the tool, and more in time: all of it stays. */
const mergedUi = (frame: Uint8Array, meta: Span, ui: Span, uri: string, isChatGpt: boolean): ReadonlyArray<Edit> => {
  const given = isObjectAt(frame, ui) ? memberOf(frame, ui, "resourceUri") : ui
  if (given !== undefined && !isNullAt(frame, given)) return []
  return [...merge(frame, meta, "ui", { resourceUri: uri }), append(frame, meta, aliases(uri, isChatGpt))]
}

const toolEdit = (
  frame: Uint8Array,
  tool: Span,
  uriOf: (name: string) => string | undefined,
  isChatGpt: boolean
): ReadonlyArray<Edit> => {
  const members = membersOf(frame, tool)
  const nameSpan = members?.findLast(({ key }) => key === "name")?.value
  const name = nameSpan === undefined ? undefined : valueOf(frame, nameSpan)
  const uri = typeof name === "string" ? uriOf(name) : undefined
  if (members === undefined || uri === undefined) return []
  const meta = members.findLast(({ key }) => key === "_meta")?.value
  if (meta === undefined) return [append(frame, tool, `"_meta":{${uiMeta(uri, isChatGpt)}}`)]
  if (isNullAt(frame, meta)) return [replace(meta, `{${uiMeta(uri, isChatGpt)}}`)]
  const inMeta = membersOf(frame, meta)
  const isOwn = (key: string): boolean => key === FLAT_RESOURCE_URI || (isChatGpt && OPENAI_UI.has(key))
  if (inMeta === undefined || inMeta.some(({ key }) => isOwn(key))) return []
  const ui = inMeta.findLast(({ key }) => key === "ui")?.value
  if (ui !== undefined) return mergedUi(frame, meta, ui, uri, isChatGpt)
  return [append(frame, meta, uiMeta(uri, isChatGpt))]
}

/**
 * `tools/list` results: adds a URI to each tool that `uriOf` knows and that has no UI; `extra` on the last page. ChatGPT
 * also gets its own words for it, and keeps the UI that a server has made for it.
 */
export const addUiToTools =
  (uriOf: (toolName: string) => string | undefined, extra: ReadonlyArray<unknown>, isChatGpt = false): Rewrite =>
  (frame) => {
    const found = readList(frame, "tools")
    const tools = found === undefined ? undefined : elementsOf(frame, found.list)
    if (found === undefined || tools === undefined) return frame
    return splice(frame, [
      ...tools.flatMap((tool) => toolEdit(frame, tool, uriOf, isChatGpt)),
      ...appendAll(frame, found, extra),
      ...found.keepPrivate
    ])
  }

/** `resources/list` results: adds our resources to the last page. */
export const addResources =
  (resources: ReadonlyArray<unknown>): Rewrite =>
  (frame) => {
    const found = readList(frame, "resources")
    if (found === undefined || elementsOf(frame, found.list) === undefined) return frame
    return splice(frame, [...appendAll(frame, found, resources), ...found.keepPrivate])
  }

/** `tools/call` results: adds a block to the end of the content. */
export const addContent =
  (block: unknown): Rewrite =>
  (frame) => {
    const result = memberSpan(frame, "result")
    if (result === undefined || !isObjectAt(frame, result)) return frame
    const content = memberOf(frame, result, "content")
    if (content === undefined) return splice(frame, [append(frame, result, member("content", [block]))])
    if (elementsOf(frame, content) === undefined) return frame
    return splice(frame, [append(frame, content, JSON.stringify(block))])
  }

/** `notifications/subscriptions/acknowledged`: adds what we serve to what the server serves (modern era). */
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

/** A string at a path of the message, such as the name of the called tool; duplicates as in {@link findValue}. */
export const stringAt = (frame: Uint8Array, path: ReadonlyArray<string>): string | undefined => {
  const value = decodedAt(frame, path)
  return typeof value === "string" ? value : undefined
}

/** The value at a path of the message, decoded; duplicates as in {@link findValue}. */
export const decodedAt = (frame: Uint8Array, path: ReadonlyArray<string>): unknown => {
  const at = findValue(frame, frameStart(frame), path)
  return at === undefined ? undefined : valueOf(frame, at)
}

/** The text of the value at a path of the message, exactly as it stands; duplicates as in {@link findValue}. */
export const rawAt = (frame: Uint8Array, path: ReadonlyArray<string>): string | undefined => {
  const at = findValue(frame, frameStart(frame), path)
  return at === undefined ? undefined : textOf(frame, at)
}
