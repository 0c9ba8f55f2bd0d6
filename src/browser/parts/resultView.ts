import { columnsOf, isEmpty, isRecord, labelOf, type JsonRecord } from "../../domain/results/ResultColumn.ts"
import {
  recordsOf,
  resultShape,
  seriesOf,
  unwrap,
  type ResultLink,
  type ResultMedia,
  type ResultShape
} from "../../domain/results/ResultShape.ts"
import type { CallToolResultLike } from "../runtime/types.ts"
import { chart } from "./chart.ts"
import { type Child, h, icon, link, safeUrl } from "./dom.ts"
import { fmt } from "./format.ts"
import { sessionOrNone } from "./host.ts"
import { disclosure, errorBox, section, status, tabs } from "./layout.ts"
import { looksLikeMarkdown, markdown } from "./markdown.ts"
import { bounded, code, image, isSvg, json } from "./media.ts"
import { cards, detail, list, stats } from "./records.ts"
import { table } from "./table.ts"
import { clip, optionsOf, textOf } from "./values.ts"

export interface ResultViewOptions {
  /** Its `title`s become labels. */
  readonly outputSchema?: unknown
  /** Names pictures for those who do not see them. */
  readonly toolTitle?: string
  /** UTF-8 bytes of a text before "Show all". */
  readonly maxBytes?: number
  /** What can be done about a failed result, inside its error box. */
  readonly actions?: ReadonlyArray<HTMLElement>
}

interface Context {
  readonly maxBytes: number
  readonly toolTitle: string
  readonly titles: ReadonlyMap<string, string>
}

const collectTitles = (schema: unknown, titles: Map<string, string>, depth: number): void => {
  if (!isRecord(schema) || depth > 8) return
  for (const [key, member] of Object.entries(isRecord(schema.properties) ? schema.properties : {})) {
    if (isRecord(member) && typeof member.title === "string" && member.title !== "" && !titles.has(key))
      titles.set(key, member.title)
    collectTitles(member, titles, depth + 1)
  }
  collectTitles(schema.items, titles, depth + 1)
}

const labelled = (keys: ReadonlyArray<string>, context: Context): ReadonlyArray<unknown> =>
  keys.map((key) => (context.titles.has(key) ? { key, label: context.titles.get(key) } : { key }))

const textView = (text: string, context: Context, mimeType = "text/plain"): Node => {
  const sample = text.slice(0, 2000).trim()
  if (isSvg(sample) || mimeType === "image/svg+xml") {
    return h(
      "div",
      { class: "mg-stack" },
      image(text, { alt: `Drawing from ${context.toolTitle}` }),
      disclosure("Source", () => code(text, { language: "SVG", maxBytes: context.maxBytes }))
    )
  }
  if (/^(diff --git|--- \S.*\n\+\+\+ |Index: )/m.test(sample) && /^@@ /m.test(text))
    return code(text, { language: "diff", maxBytes: context.maxBytes })
  if (/^<(!doctype|html|table|div|h\d|body|head|\?xml)[\s>]/i.test(sample))
    return code(text, { language: "HTML", wrap: true, maxBytes: context.maxBytes })
  if (mimeType === "text/markdown" || looksLikeMarkdown(text)) return bounded(text, context.maxBytes, markdown)
  const isAligned = /^( {2,}|\t)\S/m.test(text) && text.split("\n").length > 3
  if (isAligned || /^\s*[\w"'-]+:\s*\S[^\n]*\n\s+[\w"'-]+:/m.test(sample))
    return code(text, { wrap: true, maxBytes: context.maxBytes })
  return bounded(text, context.maxBytes, (shown) => h("p", { class: "mg-text" }, shown))
}

const isProse = (value: unknown): value is string =>
  typeof value === "string" && (value.length > 300 || (value.includes("\n") && value.length > 60))

const recordsView = (rows: ReadonlyArray<JsonRecord>, context: Context): HTMLElement => {
  const columns = columnsOf(rows)
  // Two or three long texts read better as cards than as narrow columns.
  const texts = columns.filter(({ kind, key }) => kind === "text" && rows.some((row) => textOf(row[key]).length > 120))
  if (rows.length <= 30 && texts.length > 0 && columns.length <= 4) {
    const title = columns.find(({ key }) => texts.every((text) => text.key !== key))
    const first = texts[0]
    if (title !== undefined && first !== undefined) {
      const rest = columns.filter((column) => column !== title && column !== first)
      return cards(rows, {
        title: title.key,
        subtitle: first.key,
        image: () => null,
        badge: () => null,
        href: () => null,
        ...(rest.length === 0
          ? {}
          : {
              fields: labelled(
                rest.map(({ key }) => key),
                context
              )
            })
      })
    }
  }
  return table(
    rows,
    context.titles.size === 0
      ? {}
      : {
          columns: labelled(
            columns.slice(0, 8).map(({ key }) => key),
            context
          ),
          expand: columns.length > 8
        }
  )
}

const listView = (items: ReadonlyArray<unknown>): HTMLElement =>
  list(items.map((item) => (isRecord(item) ? item : clip(textOf(item), 1000))))

const valueView = (value: unknown, context: Context, depth: number): Node => {
  const flat = typeof value === "string" ? value : unwrap(value)
  const rows = recordsOf(flat)
  if (rows !== undefined && (rows.length > 1 || Array.isArray(flat)))
    return rows.length === 1 && rows[0] !== undefined ? objectView(rows[0], context, depth) : recordsView(rows, context)
  if (Array.isArray(flat)) return flat.length === 0 ? status("The list is empty.", "neutral") : listView(flat)
  if (isRecord(flat)) return objectView(flat, context, depth)
  return textView(textOf(flat), context)
}

const summary = (record: JsonRecord, context: Context): Child => {
  const keys = Object.keys(record).filter((key) => typeof record[key] === "number")
  const isFigures = keys.length >= 2 && keys.length <= 6 && keys.length === Object.keys(record).length
  if (isFigures) return stats(record, { fields: labelled(keys, context) })
  return detail(record, { fields: labelled(Object.keys(record), context) })
}

const notice = (record: JsonRecord): Child => {
  const said = record.error ?? record.errorMessage
  const message = isRecord(said) ? said.message : said
  if (typeof message === "string" && message !== "") return status(clip(message, 1000), "danger")
  const failed = record.success === false || record.ok === false
  return failed
    ? status(clip(textOf(record.message) || "The answer says that this did not work.", 1000), "danger")
    : undefined
}

const objectView = (record: JsonRecord, context: Context, depth: number): HTMLElement => {
  const entries = Object.entries(record).filter(([, value]) => !isEmpty(value))
  const isInline = (value: unknown): boolean =>
    !isProse(value) &&
    (typeof value !== "object" ||
      (Array.isArray(value) &&
        value.length <= 12 &&
        value.every((item) => typeof item !== "object" && textOf(item).length <= 40)))
  const said = depth === 0 ? notice(record) : undefined
  const inline = entries.filter(
    ([key, value]) => isInline(value) && (said === undefined || !/^error(Message)?$/.test(key))
  )
  const sections = entries.filter(([, value]) => !isInline(value))
  const labelFor = (key: string): string => context.titles.get(key) ?? labelOf(key)
  const isOpen = depth < 2 && sections.length <= 8
  const sectionFor = ([key, value]: readonly [string, unknown]): Child => {
    const count = Array.isArray(value) ? fmt.number(value.length) : undefined
    if (isOpen)
      return section(
        labelFor(key),
        valueView(value, context, depth + 1),
        count === undefined ? { open: true } : { open: true, badge: count }
      )
    return disclosure([labelFor(key), count === undefined ? null : h("span", { class: "mg-muted" }, ` ${count}`)], () =>
      valueView(value, context, depth + 1)
    )
  }
  if (entries.length === 0)
    return depth === 0
      ? status("The answer is an empty object.", "neutral")
      : h("p", { class: "mg-muted" }, "No values.")
  return h(
    "div",
    { class: "mg-stack" },
    said,
    inline.length > 0 && summary(Object.fromEntries(inline), context),
    sections.map(sectionFor)
  )
}

const mediaView = (media: ResultMedia, index: number, context: Context): Child => {
  const name = media.name ?? media.uri
  const about = name ?? `${media.kind === "audio" ? "Recording" : "Picture"} ${index + 1} from ${context.toolTitle}`
  if (media.kind === "image")
    return image(
      { data: media.data, mimeType: media.mimeType },
      { alt: about, ...(name === undefined ? {} : { caption: name }) }
    )
  if (media.kind === "audio") {
    return h(
      "figure",
      { class: "mg-figure" },
      h("audio", { controls: true, src: `data:${media.mimeType};base64,${media.data}`, "aria-label": about }),
      h("figcaption", { class: "mg-muted" }, about)
    )
  }
  if (media.kind === "text") {
    const shape = resultShape({ content: [{ type: "text", text: media.data }] })
    const body =
      media.mimeType.includes("json") || shape.source === "json"
        ? valueView(shape.data, context, 1)
        : textView(media.data, context, media.mimeType)
    return section(name ?? "Embedded text", body, { badge: media.mimeType, open: true })
  }
  const size = Math.floor((media.data.replace(/=+$/, "").length * 3) / 4)
  return h(
    "div",
    { class: "mg-file" },
    icon("file"),
    h(
      "div",
      { class: "mg-grow" },
      h("div", {}, name ?? "File"),
      h("div", { class: "mg-muted" }, `${media.mimeType}, ${fmt.bytes(size)}`)
    )
  )
}

const linkView = (given: ResultLink): Child =>
  h(
    "div",
    { class: "mg-file" },
    icon(safeUrl(given.uri) === undefined ? "file" : "open"),
    h(
      "div",
      { class: "mg-grow" },
      h("div", {}, link(given.uri, given.name)),
      given.description !== undefined && h("div", { class: "mg-item-text" }, given.description),
      h(
        "div",
        { class: "mg-muted" },
        [
          given.name === given.uri ? "" : given.uri,
          given.mimeType ?? "",
          given.size === undefined ? "" : fmt.bytes(given.size)
        ]
          .filter((part) => part !== "")
          .join(" · ")
      )
    )
  )

const dataView = (shape: ResultShape, context: Context): Node | undefined => {
  if (shape.source === "none" || shape.repeatsContent) return undefined
  if (shape.records !== undefined) {
    const { rest, rows } = shape.records
    const path = shape.records.path.at(-1)
    const single = rows.length === 1 && rows[0] !== undefined && path === undefined ? rows[0] : undefined
    return h(
      "div",
      { class: "mg-stack" },
      notice(rest),
      single === undefined ? recordsView(rows, context) : objectView(single, context, 0),
      Object.keys(rest).length > 0 && summary(rest, context)
    )
  }
  if (shape.scalar !== undefined) {
    const text = textOf(typeof shape.scalar === "string" ? shape.scalar : unwrap(shape.data))
    if (safeUrl(text) !== undefined) return h("p", { class: "mg-text" }, link(text, text))
    if (text.length <= 40 && !/^<|[*`#|]/.test(text)) return h("p", { class: "mg-scalar" }, text)
    return textView(text, context)
  }
  return shape.single === undefined ? valueView(shape.data, context, 0) : objectView(shape.single, context, 0)
}

const chartView = (shape: ResultShape): HTMLElement | undefined => {
  const { series, records } = shape
  if (series === undefined || records === undefined || seriesOf(records.rows, records.columns) === undefined)
    return undefined
  return chart(records.rows, { type: series.type, x: series.x, y: [...series.y] })
}

/**
 * The automatic view of any tool result: data as table, fields, text or chart, then pictures, sound, files and links; the raw
 * JSON is one press away. Takes anything; a failed result is shown as its message.
 */
export const resultView = (result: CallToolResultLike, options?: ResultViewOptions): HTMLElement => {
  const given = optionsOf<ResultViewOptions>(options)
  const titles = new Map<string, string>()
  collectTitles(given.outputSchema, titles, 0)
  const context: Context = {
    maxBytes: given.maxBytes ?? sessionOrNone()?.maxOutputDisplayBytes ?? 102_400,
    toolTitle: textOf(given.toolTitle) || "the tool",
    titles
  }
  const shape = resultShape(result)
  const raw = (): Node => json(result, { maxBytes: context.maxBytes })
  const attachments: ReadonlyArray<Child> = [
    shape.media.map((media, index) => mediaView(media, index, context)),
    shape.links.length > 0 && h("div", { class: "mg-files" }, shape.links.map(linkView)),
    shape.others.length > 0 &&
      section(
        "Other content",
        shape.others.map((block) => json(block, { maxBytes: context.maxBytes }))
      )
  ]
  if (shape.isError) {
    const full = shape.texts.join("\n\n").trim()
    const isLong = shape.message.length > 600
    return h(
      "div",
      { class: "mg-result mg-stack" },
      errorBox({
        title: "The tool reported an error",
        message: clip(shape.message, 600),
        actions: given.actions ?? [],
        ...(isLong || (full !== "" && !full.includes(shape.message)) ? { detail: full } : {})
      }),
      attachments,
      disclosure("Raw JSON", raw)
    )
  }
  const hasProse = shape.prose !== "" && shape.source !== "text"
  // A sentence introduces the data; more than that mostly says the same again.
  const isLongProse = hasProse && (shape.prose.length > 400 || shape.prose.split("\n").length > 2)
  const prose = hasProse && !isLongProse ? textView(shape.prose, context) : undefined
  const data = dataView(shape, context)
  const hasMore = shape.media.length + shape.links.length + shape.others.length > 0
  const main = [
    prose,
    data,
    attachments,
    data === undefined && !hasMore && status("The tool answered without content.", "neutral")
  ]
  const drawn = shape.repeatsContent ? undefined : chartView(shape)
  const views: ReadonlyArray<{ readonly label: string; readonly content: Child } | undefined> = [
    {
      label: main.some((node) => node instanceof Element && node.querySelector("table") !== null) ? "Table" : "Result",
      content: main
    },
    drawn === undefined ? undefined : { label: "Chart", content: drawn },
    isLongProse ? { label: "Text", content: () => textView(shape.prose, context) } : undefined,
    { label: "JSON", content: raw }
  ]
  const shown = views.filter((view) => view !== undefined)
  if (shown.length > 2 || (!shape.repeatsContent && (shape.records?.rows.length ?? 0) > 1)) {
    return h("div", { class: "mg-result" }, tabs(shown, { label: "Views of the result" }))
  }
  return h("div", { class: "mg-result mg-stack" }, main, disclosure("Raw JSON", raw))
}
