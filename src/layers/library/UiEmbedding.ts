import { Cause, Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { isObject } from "../../domain/isObject.ts"
import { renderDataProblem } from "../../domain/results/renderDataProblem.ts"
import { resultContent } from "../../domain/results/ResultContent.ts"
import { uiResource } from "../../domain/results/UiResource.ts"
import { type Tool, toolFromDefinition } from "../../domain/tools/Tool.ts"
import type { Delivery } from "../../domain/wire/KnownHosts.ts"
import {
  AddressRejected,
  type EmbeddableResult,
  type EmbeddingOptions,
  UiEmbedding
} from "../../services/library/UiEmbedding.ts"
import { UiLibrary } from "../../services/library/UiLibrary.ts"

const reasonOf = (cause: Cause.Cause<string>): string => {
  const reason = Cause.squash(cause)
  return typeof reason === "string" ? reason : Cause.pretty(cause)
}

/** The address in the words of mcp-ui: its page waits for the data. */
const waiting = (address: string): string => {
  const url = new URL(address)
  url.searchParams.set("waitForRenderData", "true")
  return url.href
}

const makeUiEmbedding = (
  library: UiLibrary["Service"],
  tools: ReadonlyMap<string, Tool>,
  delivery: Delivery
): UiEmbedding["Service"] => {
  const addresses = new Map<string, string>()

  const view = Effect.fnUntraced(function* (tool: Tool | undefined, options: EmbeddingOptions) {
    const { toolInput, toolName } = options
    // What the page will get: a value that JSON cannot write would fail the call later.
    const renderData: unknown = JSON.parse(JSON.stringify(options.renderData) ?? "null")
    const address = addresses.get(toolName)
    const problem = renderDataProblem(tool?.outputSchema, renderData)
    if (problem !== undefined) return yield* Effect.fail(problem)
    const uri = `ui://${encodeURIComponent(toolName)}/${randomUUID()}`
    if (address !== undefined) return uiResource(uri, "text/uri-list", address, renderData)
    if (tool === undefined) return yield* Effect.fail("neither a UI nor an address is known for it")
    const { html } = yield* library.read(tool, { delivery, extras: { embedded: { toolInput } } })
    return uiResource(uri, "text/html", yield* html, renderData)
  })

  const augment = <Result extends EmbeddableResult>(
    result: Result,
    tool: Tool | undefined,
    options: EmbeddingOptions
  ): Effect.Effect<Result> =>
    Effect.suspend(() => (result.isError === true ? Effect.fail("the call failed") : view(tool, options))).pipe(
      Effect.map((block) => ({ ...result, content: [...(result.content ?? []), block] })),
      Effect.catchCause((cause) =>
        Effect.as(Effect.logWarning(`a result is left without its UI: ${reasonOf(cause)}`), result)
      ),
      Effect.annotateLogs({ component: "UiEmbedding", tool: options.toolName })
    )

  return {
    augmentWithUI: (result, options) => augment(result, tools.get(options.toolName), options),
    augmentResultOf: (tool, result, toolInput) =>
      Effect.suspend(() => {
        const { data } = resultContent(result)
        const renderData = isObject(data) ? data : { result: data ?? null }
        return augment(result, tool, { toolName: tool.name, toolInput, renderData })
      }),
    registerExternalToolMapping: (toolName, address) =>
      /^https?:\/\//i.test(address) && URL.canParse(address)
        ? Effect.sync(() => void addresses.set(toolName, waiting(address)))
        : Effect.fail(new AddressRejected({ toolName, address }))
  }
}

/**
 * `tools` are the tools of a server, as `tools/list` defines them. `blocking` waits for a UI that is being written.
 *
 * @example
 * import { Layer } from "effect"
 * import { layerUiEmbedding, layerUiLibrary } from "mcp-gen-ui"
 *
 * const embedding = layerUiEmbedding([{ name: "list_stock", inputSchema: { type: "object" } }]).pipe(
 *   Layer.provide(layerUiLibrary())
 * )
 */
export const layer = (
  tools: ReadonlyArray<unknown>,
  delivery: Delivery = "blocking"
): Layer.Layer<UiEmbedding, never, UiLibrary> =>
  Layer.effect(
    UiEmbedding,
    Effect.map(UiLibrary, (library) => {
      const named = new Map(
        tools.flatMap((definition) => {
          const tool = toolFromDefinition(definition)
          return tool === undefined ? [] : [[tool.name, tool] as const]
        })
      )
      return UiEmbedding.of(makeUiEmbedding(library, named, delivery))
    })
  )
