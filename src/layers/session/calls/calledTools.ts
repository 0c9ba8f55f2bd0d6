import { Effect } from "effect"
import { closestOf } from "../../../domain/closestOf.ts"
import type { UiWriter } from "../../../domain/session/shortTools.ts"
import type { WrapperToolKind } from "../../../domain/session/WrapperTool.ts"
import { isForModels } from "../../../domain/tools/RelatedTools.ts"
import type { Tool } from "../../../domain/tools/Tool.ts"
import { type FallbackReason, NO_MODEL } from "../../../domain/tools/UiEntry.ts"
import type { ServerTools } from "../ServerTools.ts"
import { CallRefused } from "./toolAnswers.ts"

export type CalledTools = ReturnType<typeof makeCalledTools>

/** Which tool a call is about, and what an answer says of the wrapper's own tools. */
export const makeCalledTools = (serverTools: ServerTools, writer: UiWriter) => {
  const ownName = (kind: WrapperToolKind): string =>
    serverTools.known().wrapperTools.find((tool) => tool.kind === kind)?.name ?? kind

  /** Where the host's model writes, no model has to be configured. */
  const told = (reason: FallbackReason): FallbackReason => {
    if (writer !== "host" || reason.code !== NO_MODEL.code) return reason
    return {
      ...reason,
      message: `The assistant in this chat can write this UI: ask it for one (${ownName("refine")}).`
    }
  }

  const toolOf = (name: string): Effect.Effect<Tool, CallRefused> => {
    const { toolNamed, tools } = serverTools.known().catalog
    const tool = toolNamed(name)
    if (tool !== undefined) return Effect.succeed(tool)
    const close = closestOf(
      name,
      tools.map((known) => known.name)
    )
    const hint = close === undefined ? `${ownName("list")} names the tools there are.` : `Did you mean "${close}"?`
    return Effect.fail(new CallRefused({ detail: `There is no tool "${name}". ${hint}` }))
  }

  const servedToolOf = (name: string): Effect.Effect<Tool, CallRefused> =>
    Effect.filterOrFail(toolOf(name), serverTools.known().catalog.isServed, (tool) => {
      const other = isForModels(tool) ? "enabledTools in the configuration leaves it out" : "only pages may call it"
      const why = tool.hasOwnUi ? "it brings its own UI" : other
      return new CallRefused({ detail: `The UI of "${name}" is not made here: ${why}.` })
    })

  return { ownName, told, toolOf, servedToolOf }
}
