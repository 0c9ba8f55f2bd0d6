import { Effect } from "effect"
import { isObject } from "../../domain/isObject.ts"
import { isUiResource } from "../../domain/results/UiResource.ts"
import { addContent, decodedAt } from "../../domain/wire/Rewrites.ts"
import type { UiEmbedding } from "../../services/library/UiEmbedding.ts"
import type { ServerTools } from "./ServerTools.ts"

/** The answer to a call of a tool with the tool's UI in it, or as it was. */
export type EmbeddedUis = (toolName: string, args: unknown, answer: Uint8Array) => Effect.Effect<Uint8Array>

/** What is asked of {@link ServerTools}. */
interface KnownCatalog extends Pick<ServerTools, "whenSettled"> {
  readonly known: () => Pick<ReturnType<ServerTools["known"]>, "catalog">
}

/** For hosts that show mcp-ui and not MCP Apps. A result that has a view already keeps it. */
export const makeEmbeddedUis =
  ({ augmentResultOf }: UiEmbedding["Service"], serverTools: KnownCatalog): EmbeddedUis =>
  (toolName, args, answer) =>
    Effect.gen(function* () {
      yield* serverTools.whenSettled
      const { catalog } = serverTools.known()
      const tool = catalog.uriOf(toolName) === undefined ? undefined : catalog.toolNamed(toolName)
      const result = decodedAt(answer, ["result"])
      if (tool === undefined || !isObject(result) || result.isError === true) return answer
      const content = Array.isArray(result.content) ? result.content : []
      if (content.some(isUiResource)) return answer
      const augmented = yield* augmentResultOf(tool, { ...result, content }, args)
      return augmented.content.length === content.length ? answer : addContent(augmented.content.at(-1))(answer)
    })
