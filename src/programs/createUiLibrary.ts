import { Effect, Layer, ManagedRuntime } from "effect"
import { type Tool, toolFromDefinition } from "../domain/tools/Tool.ts"
import type { UiEntry } from "../domain/tools/UiEntry.ts"
import { UiEdits } from "../services/library/UiEdits.ts"
import { UiLibrary } from "../services/library/UiLibrary.ts"
import { layerUiLibrary } from "./layerUiLibrary.ts"
import { layerOfSetup, type UiLibrarySetup } from "./uiLibrarySetup.ts"
import { type SdkServer, wrapSharing } from "./wrapSdkServer.ts"

/**
 * The UI of a tool: a whole document, and what is known of it.
 *
 * @example
 * import type { PromisedUi } from "mcp-gen-ui"
 *
 * const isWritten = ({ entry, html }: PromisedUi) => entry.level < 2 && html !== ""
 */
export interface PromisedUi {
  readonly html: string
  readonly entry: UiEntry
}

/**
 * As `UiLibrary` and `UiEdits`, for programs without Effect. Tools are definitions as `tools/list` gives them.
 *
 * @example
 * import type { PromisedUiLibrary } from "mcp-gen-ui"
 *
 * const renamed = async ({ read, refine }: PromisedUiLibrary, tool: unknown) => {
 *   await refine(tool, "Call it Inventory")
 *   return (await read(tool)).html
 * }
 */
export interface PromisedUiLibrary {
  /** Waits until the UI is written. At worst it is the built-in one, with the reason in `entry`. */
  readonly read: (tool: unknown) => Promise<PromisedUi>
  /** Throws a `UiUnchanged` with the reason if the UI stays as it was. */
  readonly refine: (tool: unknown, text: string) => Promise<UiEntry>
  /** Throws a `VersionUnknown` with those that there are. */
  readonly revert: (tool: unknown, version: number) => Promise<void>
  /** As `wrapServer`, for any number of servers: what one of them wrote, and what its users asked for, is there for all. */
  readonly wrap: <Server extends SdkServer>(server: Server) => Server
  readonly close: () => Promise<void>
}

const toolOf = (definition: unknown): Tool => {
  const tool = toolFromDefinition(definition)
  if (tool !== undefined) return tool
  throw new TypeError(`a tool is an object with a name, as tools/list gives it; found ${JSON.stringify(definition)}`)
}

/**
 * UIs for tools, by promises.
 *
 * @example
 * import { createUiLibrary } from "mcp-gen-ui"
 *
 * const uis = createUiLibrary({ theme: "dark" })
 * const page = uis.read({ name: "list_stock", inputSchema: { type: "object" } })
 */
export const createUiLibrary = (setup: UiLibrarySetup = {}): PromisedUiLibrary => {
  const runtime = ManagedRuntime.make(Layer.provideMerge(layerUiLibrary(setup), layerOfSetup(setup)))
  return {
    read: async (definition) => {
      const tool = toolOf(definition)
      return runtime.runPromise(
        Effect.gen(function* () {
          const { entry, html } = yield* (yield* UiLibrary).read(tool)
          return { entry, html: yield* html }
        })
      )
    },
    refine: async (definition, text) => {
      const tool = toolOf(definition)
      return runtime.runPromise(Effect.flatMap(UiEdits, ({ refine }) => refine(tool, text)))
    },
    revert: async (definition, version) => {
      const tool = toolOf(definition)
      await runtime.runPromise(Effect.flatMap(UiEdits, ({ revert }) => revert(tool, version)))
    },
    wrap: (server) => wrapSharing(server, setup, Layer.effectContext(runtime.contextEffect)),
    close: () => runtime.dispose()
  }
}
