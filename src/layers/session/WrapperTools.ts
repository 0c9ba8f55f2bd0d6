import { Effect } from "effect"
import type { PageCheck } from "../../adapters/session/pageTokens.ts"
import type { UiWriter } from "../../domain/session/shortTools.ts"
import type { WrapperToolKind } from "../../domain/session/WrapperTool.ts"
import type { ToolMemory } from "../../services/library/ToolMemory.ts"
import type { UiEdits, UiUnchanged, VersionUnknown } from "../../services/library/UiEdits.ts"
import type { UiLibrary } from "../../services/library/UiLibrary.ts"
import { makeCalledTools } from "./calls/calledTools.ts"
import { makeChangeCalls } from "./calls/changeCalls.ts"
import { makePageCalls } from "./calls/pageCalls.ts"
import { makeReportCalls } from "./calls/reportCalls.ts"
import { type CallRefused, failure, type ToolResult } from "./calls/toolAnswers.ts"
import type { HungPages } from "./hungPages.ts"
import type { Recall } from "./Recall.ts"
import { makeSelections, type SelectionTooLarge } from "./Selections.ts"
import type { ServerTools, ToolsUnavailable } from "./ServerTools.ts"
import type { Announce } from "./UiChanges.ts"

/** Answers calls of the wrapper's own tools. Bad arguments and unknown tools are results with `isError`. */
export interface WrapperTools {
  readonly call: (kind: WrapperToolKind, args: unknown) => Effect.Effect<ToolResult>
  /** Drops what is remembered of a tool that the server no longer has. */
  readonly forget: (toolName: string) => void
}

export const makeWrapperTools = (
  library: UiLibrary["Service"],
  edits: UiEdits["Service"],
  memory: ToolMemory["Service"],
  serverTools: ServerTools,
  pageAt: PageCheck,
  announce: Announce,
  {
    writer,
    hungPages,
    isCalling,
    recall
  }: {
    readonly writer: UiWriter
    readonly recall: Recall | undefined
    readonly hungPages: HungPages
    readonly isCalling: (toolName: string) => boolean
  }
): WrapperTools => {
  const selections = makeSelections()
  const called = makeCalledTools(serverTools, writer)
  const { forget, isBeingWritten, lastErrorOf, ...changes } = makeChangeCalls(library, edits, called, announce, writer)
  const reports = makeReportCalls(library, memory, serverTools, called, selections, lastErrorOf)
  const ofPages = makePageCalls(library, called, { pageAt, selections, recall, isCalling, hungPages, isBeingWritten })
  const handlers: Readonly<
    Record<
      WrapperToolKind,
      (
        args: unknown
      ) => Effect.Effect<ToolResult, CallRefused | ToolsUnavailable | SelectionTooLarge | VersionUnknown | UiUnchanged>
    >
  > = { ...changes, ...reports, ...ofPages }

  return {
    call: Effect.fn("WrapperTools.call")(function* (kind, args) {
      return yield* handlers[kind](args === undefined ? {} : args).pipe(
        Effect.catchTag("VersionUnknown", ({ message }) => Effect.succeed(failure(`${message.replace(/^t/, "T")}.`))),
        Effect.catchTag(["CallRefused", "ToolsUnavailable", "SelectionTooLarge", "UiUnchanged"], (error) =>
          Effect.succeed(failure(error.message))
        )
      )
    }),
    forget: (toolName) => {
      forget(toolName)
      selections.forget(toolName)
    }
  }
}
