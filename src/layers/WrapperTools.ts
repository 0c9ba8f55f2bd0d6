import { DateTime, Effect, Layer, Option, Schema } from "effect"
import type { Tool } from "../domain/tools/Tool.ts"
import { closestOf } from "../domain/closestOf.ts"
import { type UiEntry, UiType } from "../domain/documents/UiEntry.ts"
import {
  type KeptSelection,
  MAX_NOUN_LENGTH,
  MAX_SELECTED_ITEMS,
  MAX_SELECTION_BYTES,
  selectionText
} from "../domain/tools/KeptSelection.ts"
import type { WrapperToolKind } from "../domain/tools/WrapperTool.ts"
import { Selections, type SelectionTooLarge } from "../services/Selections.ts"
import type { ToolsUnavailable } from "../services/ServerTools.ts"
import { UiLibrary, type UiUnchanged } from "../services/UiLibrary.ts"
import { type ToolDirectory, type ToolResult, WrapperTools } from "../services/WrapperTools.ts"

const NoArguments = Schema.Struct({})
const ToolArguments = Schema.Struct({ toolName: Schema.NonEmptyString })
const RefineArguments = Schema.Struct({
  toolName: Schema.NonEmptyString,
  feedback: Schema.NonEmptyString.check(Schema.isMaxLength(4000))
})
const RegenerateArguments = Schema.Struct({
  toolName: Schema.NonEmptyString,
  clearRefinements: Schema.optionalKey(Schema.Boolean),
  uiType: Schema.optionalKey(UiType)
})

const SelectionArguments = Schema.Struct({ toolName: Schema.optionalKey(Schema.NonEmptyString) })
const SelectArguments = Schema.Struct({
  toolName: Schema.NonEmptyString,
  items: Schema.Array(Schema.Unknown).check(Schema.isMaxLength(MAX_SELECTED_ITEMS)),
  noun: Schema.optionalKey(Schema.NonEmptyString.check(Schema.isMaxLength(MAX_NOUN_LENGTH))),
  total: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)))
})

/** A call that can not be carried out; the message says what to do instead. */
class CallRefused extends Schema.TaggedError<CallRefused>()("CallRefused", { detail: Schema.String }) {
  override get message(): string {
    return this.detail
  }
}

const failure = (text: string): ToolResult => ({ content: [{ type: "text", text }], isError: true })

const success = (text: string, structuredContent: Readonly<Record<string, unknown>>): ToolResult => ({
  content: [{ type: "text", text }],
  structuredContent
})

const statusOf = (tool: Tool, served: boolean, entry: UiEntry | undefined): string => {
  if (tool.hasOwnUi) return "own-ui"
  if (!served) return "disabled"
  if (entry === undefined) return "not-generated"
  return entry.source === null ? "built-in" : "generated"
}

const decode = <S extends Schema.ConstraintDecoder<unknown>>(schema: S, args: unknown) =>
  Schema.decodeUnknownEffect(schema)(args, { onExcessProperty: "error", errors: "all" }).pipe(
    Effect.mapError((error) => new CallRefused({ detail: `The arguments do not fit: ${error.message}` }))
  )

const toolOf = (directory: ToolDirectory, name: string): Effect.Effect<Tool, CallRefused> => {
  const tool = directory.catalog.toolNamed(name)
  if (tool !== undefined) return Effect.succeed(tool)
  const close = closestOf(
    name,
    directory.catalog.tools.map((known) => known.name)
  )
  const hint = close === undefined ? "The list of UIs names the tools there are." : `Did you mean "${close}"?`
  return Effect.fail(new CallRefused({ detail: `There is no tool "${name}". ${hint}` }))
}

const servedToolOf = (directory: ToolDirectory, name: string): Effect.Effect<Tool, CallRefused> =>
  Effect.filterOrFail(toolOf(directory, name), directory.catalog.isServed, (tool) => {
    const why = tool.hasOwnUi ? "it brings its own UI" : "enabledTools in the configuration leaves it out"
    return new CallRefused({ detail: `The UI of "${name}" is not made here: ${why}.` })
  })

/** As many of the newest as fit into one answer (UTF-8 bytes of text), at least one. */
const fitting = (selections: ReadonlyArray<KeptSelection>): number => {
  let bytes = 0
  const over = selections.findIndex((selection, index) => {
    bytes += Buffer.byteLength(selectionText(selection))
    return index > 0 && bytes > MAX_SELECTION_BYTES
  })
  return over === -1 ? selections.length : over
}

export const layer: Layer.Layer<WrapperTools, never, UiLibrary | Selections> = Layer.effect(
  WrapperTools,
  Effect.gen(function* () {
    const library = yield* UiLibrary
    const selections = yield* Selections

    const summaryOf = Effect.fnUntraced(function* (tool: Tool, directory: ToolDirectory) {
      const served = directory.catalog.isServed(tool)
      const entry = served ? Option.getOrUndefined(yield* library.peek(tool)) : undefined
      const history = yield* library.history(tool.name)
      const summary = {
        name: tool.name,
        uri: directory.catalog.uriOf(tool.name) ?? null,
        enabled: served,
        status: statusOf(tool, served, entry),
        uiType: entry?.uiType ?? null,
        cached: entry !== undefined,
        refinements: history.length,
        fallbackReason: entry?.fallback ?? null
      }
      return { summary, entry, history }
    })

    const outcomeOf = (entry: UiEntry, did: string): ToolResult => {
      const seconds = (entry.durationMs / 1000).toFixed(1)
      const text = `${did} the UI of "${entry.toolName}" in ${seconds} s (${entry.uiType}, level ${entry.level}).`
      return success(text, {
        toolName: entry.toolName,
        level: entry.level,
        uiType: entry.uiType,
        durationMs: entry.durationMs,
        refinements: entry.refinements
      })
    }

    const announced = (tool: Tool, directory: ToolDirectory) =>
      Effect.suspend(() => {
        const uri = directory.catalog.uriOf(tool.name)
        return uri === undefined ? Effect.void : directory.announce(uri)
      })

    const refine = Effect.fnUntraced(function* (args: unknown, directory: ToolDirectory) {
      const { toolName, feedback } = yield* decode(RefineArguments, args)
      const tool = yield* servedToolOf(directory, toolName)
      const entry = yield* library.refine(tool, feedback)
      yield* announced(tool, directory)
      return outcomeOf(entry, "Refined")
    })

    const regenerate = Effect.fnUntraced(function* (args: unknown, directory: ToolDirectory) {
      const { toolName, clearRefinements = false, uiType } = yield* decode(RegenerateArguments, args)
      const tool = yield* servedToolOf(directory, toolName)
      const entry = yield* library.regenerate(tool, { clearRefinements, uiType })
      yield* announced(tool, directory)
      return outcomeOf(entry, "Regenerated")
    })

    const list = Effect.fnUntraced(function* (args: unknown, directory: ToolDirectory) {
      yield* decode(NoArguments, args)
      const tools = yield* Effect.forEach(directory.catalog.tools, (tool) =>
        Effect.map(summaryOf(tool, directory), ({ summary }) => summary)
      )
      const lines = tools.map((tool) => `${tool.name}: ${tool.status}${tool.refinements > 0 ? ", refined" : ""}`)
      return success(lines.length === 0 ? "The server has no tools." : lines.join("\n"), { tools })
    })

    const inspect = Effect.fnUntraced(function* (args: unknown, directory: ToolDirectory) {
      const { toolName } = yield* decode(ToolArguments, args)
      const tool = yield* toolOf(directory, toolName)
      const { summary, entry, history } = yield* summaryOf(tool, directory)
      const details = {
        ...summary,
        level: entry?.level ?? null,
        repairs: entry?.repairs ?? [],
        warnings: entry?.warnings ?? [],
        cacheKey: entry?.key ?? null,
        createdAt: entry === undefined ? null : DateTime.formatIso(DateTime.makeUnsafe(entry.createdAt)),
        durationMs: entry?.durationMs ?? null,
        provider: entry?.provider ?? null,
        model: entry?.model ?? null,
        promptVersion: entry?.promptVersion ?? null,
        history,
        tokens: entry?.usage ?? null,
        inputSchema: tool.inputSchema ?? null
      }
      return success(JSON.stringify(details, null, 2), details)
    })

    const refresh = Effect.fnUntraced(function* (args: unknown, directory: ToolDirectory) {
      yield* decode(NoArguments, args)
      const changes = yield* directory.refresh
      const count = (what: keyof typeof changes) => `${changes[what].length} ${what}`
      return success(`Tools: ${count("added")}, ${count("removed")}, ${count("changed")}, ${count("unchanged")}.`, {
        ...changes
      })
    })

    const select = Effect.fnUntraced(function* (args: unknown, directory: ToolDirectory) {
      const { items, noun = "items", toolName, total = 0 } = yield* decode(SelectArguments, args)
      yield* toolOf(directory, toolName)
      yield* selections.keep({
        toolName,
        items,
        noun: noun.replaceAll(/\s+/gu, " "),
        total: Math.max(total, items.length)
      })
      const text =
        items.length === 0
          ? `Nothing is selected in ${toolName} any more.`
          : `The selection in ${toolName} is kept (${items.length}).`
      return success(text, { toolName, kept: items.length })
    })

    const selection = Effect.fnUntraced(function* (args: unknown, directory: ToolDirectory) {
      const { toolName } = yield* decode(SelectionArguments, args)
      if (toolName !== undefined) yield* toolOf(directory, toolName)
      const all = yield* selections.all
      const asked = toolName === undefined ? all : all.filter((kept) => kept.toolName === toolName)
      if (asked.length === 0) {
        const where = toolName === undefined ? "in the UIs of this server" : `in the UI of ${toolName}`
        const elsewhere = all.length === 0 ? "" : ` There is a selection in ${all[0]?.toolName}.`
        return success(`The user has selected nothing ${where}.${elsewhere}`, { selections: [] })
      }
      const count = fitting(asked)
      const others = asked.slice(count).map((kept) => kept.toolName)
      const texts = asked.slice(0, count).map(selectionText)
      if (others.length > 0) texts.push(`There is more, to be asked for by toolName: ${others.join(", ")}.`)
      return success(texts.join("\n\n"), {
        selections: asked.slice(0, count).map(({ items, noun, selectedAt, toolName, total }) => ({
          toolName,
          noun,
          items,
          total,
          selectedAt: DateTime.formatIso(DateTime.makeUnsafe(selectedAt))
        })),
        ...(others.length === 0 ? {} : { others })
      })
    })

    const handlers: Readonly<
      Record<
        WrapperToolKind,
        (
          args: unknown,
          directory: ToolDirectory
        ) => Effect.Effect<ToolResult, CallRefused | UiUnchanged | ToolsUnavailable | SelectionTooLarge>
      >
    > = { refine, list, inspect, regenerate, refresh_tools: refresh, selection, select }

    return WrapperTools.of({
      call: Effect.fn("WrapperTools.call")(function* (kind, args, directory) {
        return yield* handlers[kind](args === undefined ? {} : args, directory).pipe(
          Effect.catchTag(["CallRefused", "UiUnchanged", "ToolsUnavailable", "SelectionTooLarge"], (error) =>
            Effect.succeed(failure(error.message))
          )
        )
      })
    })
  })
)
