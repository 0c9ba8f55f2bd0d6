import { isObject } from "../../domain/isObject.ts"
import { labelOf } from "../../domain/labelOf.ts"
import type { ResultViewOptions } from "../../../types/parts.d.ts"
import type { ResultPart } from "../../domain/results/ResultBlocks.ts"
import { isEmpty } from "../../domain/results/ResultColumn.ts"
import { nounOf } from "../../domain/results/ResultHeading.ts"
import { jsonInText } from "../../domain/results/ResultJson.ts"
import { resultShape, unwrap, type ResultShape } from "../../domain/results/ResultShape.ts"
import { looksLikeMarkdown, saysDone, saysNothing, textKind } from "../../domain/results/ResultText.ts"
import type { CallToolResultLike } from "../runtime/types.ts"
import { breaksSchema } from "./breaksSchema.ts"
import { button } from "./button.ts"
import { copyButton } from "./copyButton.ts"
import { type Child, h, link, safeUrl } from "./dom.ts"
import { gradually } from "./gradually.ts"
import { hero } from "./hero.ts"
import { sessionOrNone } from "./host.ts"
import { disclosure, errorBox, section, status, tabs } from "./layout.ts"
import { json } from "./media.ts"
import { resultChart } from "./resultChart.ts"
import { collectTitles, type ResultContext } from "./resultContext.ts"
import { linkView, mediaView } from "./resultMedia.ts"
import { nextPageOf } from "./resultPages.ts"
import { subjectOfRows, subjectOfText } from "./resultForms.ts"
import { textView } from "./resultText.ts"
import { jsonTakeaway, resultTools, tableTakeaway, textTakeaway, type Takeaway } from "./resultTools.ts"
import { asideView, besideOf, nothingView, objectView, outcome, recordsView, valueView } from "./resultValue.ts"
import { tree } from "./tree.ts"
import { clip, jsonOf, optionsOf, textOf } from "./values.ts"

interface View {
  readonly label: string
  readonly content: Child
  readonly takeaway: Takeaway
}

const shortText = (shape: ResultShape, context: ResultContext): Node | undefined => {
  const text = textOf(typeof shape.scalar === "string" ? shape.scalar : unwrap(shape.data)).trim()
  if (text === "" || saysNothing(text))
    return /^(null|\[\]|\{\}|"")?$/.test(text) ? emptyView(shape) : nothingView(text)
  if (safeUrl(text) !== undefined) return hero(link(text, text))
  if (typeof shape.scalar === "number" || typeof shape.scalar === "boolean") return hero(text)
  // One word is a value: a name, a path, an id, a time.
  if (!/\s/.test(text) && textKind(text) === "prose")
    return hero(text, text.length <= 24 && /^[\p{L}\d.,:+-]+$/u.test(text) ? {} : { type: "id" })
  return subjectOfText(text, context)
}

const acts =
  /\b(add|append|apply|clear|create|delete|drop|edit|execute|insert|move|patch|put|remove|rename|replace|reset|save|send|set|store|update|upsert|write)\b/i

/** A tool that acts and answers with nothing has acted; of all others, nothing was found. */
const emptyView = (shape: ResultShape): HTMLElement => {
  const name = sessionOrNone()?.tool.name ?? ""
  return acts.test(labelOf(name))
    ? hero("Done", { tone: "success" })
    : nothingView(
        shape.data === undefined || Array.isArray(shape.data)
          ? `No ${nounOf(shape, name) ?? "results"}.`
          : "The answer is empty."
      )
}

const dataView = (shape: ResultShape, context: ResultContext): Node => {
  if (shape.scalar !== undefined || shape.data === "")
    return shortText(shape, context) ?? textView(textOf(unwrap(shape.data)), context)
  if (shape.tree !== undefined) return tree(shape.tree, { open: 2, words: true })
  if (shape.records !== undefined) {
    const { rest, rows, path } = shape.records
    const single = rows.length === 1 && path.length === 0 ? rows[0] : undefined
    if (single !== undefined) return objectView(single, context, 0)
    const went = outcome(rest)
    const session = sessionOrNone()
    const beside = besideOf(went.rest, { rows }, context)
    const next = nextPageOf(rest, session?.tool.inputSchema, context.args)
    return h(
      "div",
      { class: "mg-stack" },
      went.node,
      subjectOfRows(rows, shape.records.columns, context) ?? recordsView(shape.records, context, true),
      next &&
        session &&
        h(
          "div",
          {},
          button("Next page", () => session.call(next), { small: true })
        ),
      asideView(beside, context)
    )
  }
  if (shape.single !== undefined) return objectView(shape.single, context, 0)
  if (isEmpty(shape.data) || isEmpty(unwrap(shape.data)))
    return isObject(shape.data) && Object.keys(shape.data).length > 0
      ? objectView(shape.data, context, 0)
      : emptyView(shape)
  const text = unwrap(shape.data)
  return (typeof text === "string" ? subjectOfText(text, context) : undefined) ?? valueView(shape.data, context, 0)
}

const leavesOf = (value: unknown): number =>
  typeof value === "object" && value !== null
    ? Object.values(value).reduce<number>((sum, member) => sum + leavesOf(member), 0)
    : Number(value !== false)

/** The words of a result, without drawings. */
const proseIn = ({ parts }: ResultShape): string =>
  parts.flatMap((part) => (part.kind === "prose" && textKind(part.text) !== "svg" ? [part.text] : [])).join("\n\n")

const failedView = (
  shape: ResultShape,
  context: ResultContext,
  actions: ReadonlyArray<HTMLElement>,
  more: ReadonlyArray<Child>
): HTMLElement => {
  const found = shape.source === "text" || shape.source === "none" ? undefined : shape.data
  const below = proseIn(shape)
  const texts = shape.texts.filter((text) => !below.includes(text))
  const full = found === undefined ? texts.join("\n\n").trim() : jsonOf(found, 2)
  const isAll =
    shape.message.length <= 600 &&
    (found === undefined ? full.length <= shape.message.length + 40 : leavesOf(found) <= 1)
  const report = (): string =>
    [shape.message, full === shape.message ? "" : full, below, `Sent: ${jsonOf(context.asked ?? {}, 2)}`]
      .filter((part) => part !== "")
      .join("\n\n")
  const box = errorBox({
    title: "The tool reported an error",
    message: clip(shape.message, 600),
    actions: [...actions, copyButton(report, undefined, "Copy details")],
    ...(isEmpty(context.asked) ? {} : { sent: context.asked }),
    ...(isAll ? {} : { detail: full })
  })
  return h("div", { class: "mg-result mg-stack" }, box, more)
}

const isLong = (text: string): boolean => text.length > 400 || text.split("\n").length > 3

/** What a text says that stands beside data, pictures and links. */
const proseView = (text: string, context: ResultContext): Node =>
  saysDone(text) && !isLong(text) ? status(text, "success") : textView(text, context)

/** The pieces of a result in their order; links that follow each other are one list. */
const piecesView = (
  parts: ReadonlyArray<ResultPart>,
  context: ResultContext,
  said: (part: ResultPart) => Child
): HTMLElement => {
  const groups: Array<Array<ResultPart>> = []
  const media = new Map<ResultPart, number>()
  for (const part of parts) {
    if (part.kind === "media") media.set(part, media.size)
    if (part.kind === "link" && groups.at(-1)?.[0]?.kind === "link") groups.at(-1)?.push(part)
    else groups.push([part])
  }
  const pieceView = (part: ResultPart): Child => {
    if (part.kind === "link") return linkView(part.link, context)
    if (part.kind === "media") return mediaView(part.media, media.get(part) ?? 0, context)
    if (part.kind === "notes") return disclosure("Notes for the model", () => textView(part.text, context))
    if (part.kind !== "other") return said(part)
    const { block } = part
    const title =
      isObject(block) && typeof block.type === "string" ? `Content of type “${clip(block.type, 40)}”` : "Other content"
    return section(title, json(block, { maxBytes: context.maxBytes }))
  }
  return gradually(h("div", { class: "mg-stack" }), groups, (group) =>
    group[0]?.kind === "link" ? gradually(h("div", { class: "mg-files" }), group, pieceView) : group.map(pieceView)
  )
}

const contextOf = (given: Partial<ResultViewOptions>): ResultContext => {
  const context: ResultContext = {
    maxBytes: given.maxBytes ?? sessionOrNone()?.maxOutputDisplayBytes ?? 102_400,
    toolTitle: textOf(given.toolTitle) || "the tool",
    titles: collectTitles(given.outputSchema),
    args: given.args,
    asked: given.args && (sessionOrNone()?.withoutSecrets(given.args) ?? given.args),
    value: (value, depth) => valueView(value, context, depth),
    text: (text, mimeType) => textView(text, context, mimeType)
  }
  return context
}

/** Pieces of a result as they stand in {@link resultView}, without its data and prose. */
export const attachmentsView = (parts: ReadonlyArray<ResultPart>, options: ResultViewOptions): HTMLElement =>
  piecesView(parts, contextOf(options), () => undefined)

/** A result as it came, or the data of one, as `ctx.call` answers with it. */
const asResult = (answer: unknown): CallToolResultLike =>
  isObject(answer) && (Array.isArray(answer.content) || "structuredContent" in answer)
    ? answer
    : {
        content:
          answer === undefined ? [] : [{ type: "text", text: typeof answer === "string" ? answer : jsonOf(answer) }]
      }

/**
 * Shows data as table, tree, fields, chart or text, and pictures, sound, files and links, in the order in which they
 * came. The raw JSON is one press away. A failed result shows its message and what was sent. Takes anything.
 */
export const resultView = (answer: unknown, options?: ResultViewOptions): HTMLElement => {
  const result = asResult(answer)
  return shapeView(resultShape(result), result, options)
}

/** The same for who has looked at the result already, which takes half as long as drawing it. */
export const shapeView = (shape: ResultShape, result: CallToolResultLike, options?: ResultViewOptions): HTMLElement => {
  const given = optionsOf<ResultViewOptions>(options)
  const context = contextOf(given)
  const { parts } = shape
  const raw = (): Node => json(result, { maxBytes: context.maxBytes })
  if (shape.isError) {
    const said = (part: ResultPart): Child =>
      part.kind === "data" ? valueView(part.value, context, 1) : part.kind === "prose" && proseView(part.text, context)
    return failedView(shape, context, given.actions ?? [], [
      piecesView(parts, context, said),
      disclosure("Raw JSON", raw)
    ])
  }

  const words = proseIn(shape)
  // Do not repeat structured content in prose: long prose waits under a tab.
  const isAside = shape.source === "structured" && (isLong(words) || (shape.isRetold && words.includes("\n")))
  const isDone = !shape.isRetold && !isLong(words) && (saysDone(words) || (words !== "" && isOnlyFine(shape.data)))
  // "Search succeeded" says nothing beside what was found.
  const isRitual =
    isDone && words.toLowerCase().startsWith(context.toolTitle.toLowerCase()) && !acts.test(labelOf(context.toolTitle))
  const said = (part: ResultPart): Child => {
    if (part.kind === "data")
      return part.value !== shape.data
        ? valueView(part.value, context, 1)
        : !isOnlyFine(part.value) || !isDone
          ? dataView(shape, context)
          : undefined
    if (part.kind !== "prose") return undefined
    if (isDone) return isRitual ? undefined : (subjectOfText(part.text, context) ?? hero(part.text))
    return (isAside || shape.isRetold) && textKind(part.text) !== "svg" ? undefined : proseView(part.text, context)
  }
  const main = parts.length === 0 ? emptyView(shape) : piecesView(parts, context, said)
  const { records, series } = shape
  const texts = shape.texts.join("\n\n")
  const asText = textTakeaway(texts, looksLikeMarkdown(texts))
  const asJson = jsonTakeaway(shape.source === "text" || shape.source === "none" ? result : shape.data)
  const isRead =
    shape.source === "json" ||
    (shape.source === "text" && (records ?? shape.single ?? shape.tree) !== undefined) ||
    (shape.source === "structured" && isReadString(shape))
  const isSubject = records !== undefined && main.querySelector(":scope .mg-table-block") === null
  const views: ReadonlyArray<View | false | undefined> = [
    {
      label:
        shape.tree !== undefined
          ? "Tree"
          : isSubject
            ? "Overview"
            : records !== undefined && records.rows.length > 1
              ? "Table"
              : "Result",
      content: main,
      takeaway:
        records === undefined ? (shape.source === "text" && !isRead ? asText : asJson) : tableTakeaway(records.rows)
    },
    records !== undefined &&
      (shape.tree !== undefined || isSubject) &&
      records.rows.length > 1 &&
      records.columns.length > 2 && {
        label: "Table",
        content: () => recordsView(records, context, true),
        takeaway: tableTakeaway(records.rows)
      },
    series !== undefined &&
      records !== undefined &&
      !isSubject && {
        label: "Chart",
        content: () => resultChart(records, series, context),
        takeaway: tableTakeaway(records.rows)
      }
  ]
  const asWords = (): Node => textView(isAside ? words : texts || textOf(unwrap(shape.data)), context)
  const shown = views.filter((view) => view !== undefined && view !== false)
  const frame = shown.length === 1 ? main : tabs(shown, { label: "Views of the result" })
  const chosen = (): Takeaway => {
    const label = frame.querySelector(":scope>[role=tablist]>[aria-selected=true]")?.textContent
    return (shown.find((view) => view.label === label) ?? shown[0])?.takeaway ?? asJson
  }
  return h(
    "div",
    { class: "mg-result mg-stack" },
    frame,
    h(
      "div",
      { class: "mg-result-foot" },
      h(
        "div",
        { class: "mg-grow mg-result-raw" },
        (isAside || isRead || isRitual) && disclosure("Text", asWords),
        disclosure("Raw JSON", raw),
        breaksSchema(result, given.outputSchema)
      ),
      resultTools(chosen, frame)
    )
  )
}

/** Structured content that is one text, which was read as records or an outline. */
const isReadString = ({ data, records, single, tree }: ResultShape): boolean => {
  const text = unwrap(data)
  return typeof text === "string" && jsonInText(text) === undefined && (records ?? single ?? tree) !== undefined
}

/** Nothing but `{success: true}`. */
const isOnlyFine = (data: unknown): boolean =>
  isObject(data) && Object.entries(data).every(([key, value]) => /^(ok|success)$/.test(key) && value === true)
