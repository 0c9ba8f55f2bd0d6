import { Effect, Layer } from "effect"
import { createHash } from "node:crypto"
import { canonicalJson } from "../../domain/CanonicalJson.ts"
import type { UiType } from "../../domain/tools/UiEntry.ts"
import { DocumentLinker } from "../../services/documents/DocumentLinker.ts"
import { LanguageModel } from "../../services/generation/LanguageModel.ts"
import { PromptLibrary } from "../../services/generation/PromptLibrary.ts"
import type { Tool } from "../../domain/tools/Tool.ts"
import { Settings, type ToolHints } from "../../services/settings/Settings.ts"
import { ToolMemory } from "../../services/library/ToolMemory.ts"
import { type UiJob, UiJobs } from "../../services/library/UiJobs.ts"

const hashOf = (value: unknown): string => createHash("sha256").update(canonicalJson(value)).digest("hex")

const NO_HINTS: ToolHints = {}

/** A server may have as many tools as it likes, and lists of them ask for each: what does not change is hashed once. */
const hashOnce = <Of extends object>(valueOf: (of: Of) => unknown): ((of: Of) => string) => {
  const known = new WeakMap<Of, string>()
  return (of) => {
    const hash = known.get(of) ?? hashOf(valueOf(of))
    known.set(of, hash)
    return hash
  }
}

export const layer: Layer.Layer<UiJobs, never, Settings | LanguageModel | PromptLibrary | DocumentLinker | ToolMemory> =
  Layer.effect(
    UiJobs,
    Effect.gen(function* () {
      const { generation, llm } = yield* Settings
      const model = yield* LanguageModel
      const prompts = yield* PromptLibrary
      const linker = yield* DocumentLinker
      const memory = yield* ToolMemory
      const forcedTypes = new Map<string, UiType>()
      const toolHashOf = hashOnce<Tool>(({ definition, related }) => [definition, related])
      /** The last key of each tool, and what it was made of. */
      const keys = new WeakMap<
        Tool,
        { readonly history: ReadonlyArray<string>; readonly configuration: string; readonly key: string }
      >()
      let configured: { readonly versions: string; readonly hashOf: (hints: ToolHints) => string } | undefined

      const hintsOf = (toolName: string): ToolHints => {
        const hints = Object.hasOwn(generation.tools, toolName) ? (generation.tools[toolName] ?? NO_HINTS) : NO_HINTS
        const uiType = forcedTypes.get(toolName)
        return uiType === undefined ? hints : { ...hints, uiType }
      }

      const configurationHash = Effect.fnUntraced(function* (hints: ToolHints, templateVersion: string) {
        const promptVersion =
          model.provider === "none" ? null : yield* prompts.version.pipe(Effect.orElseSucceed(() => null))
        const versions = `${promptVersion} ${templateVersion}`
        if (configured?.versions !== versions) {
          const ofHints = hashOnce<ToolHints>((hints) => ({
            promptVersion,
            templateVersion,
            provider: model.provider,
            model: model.model,
            temperature: llm.temperature ?? null,
            prompt: generation.prompt ?? null,
            theme: generation.defaultTheme,
            limits: generation.limits,
            hints
          }))
          configured = { versions, hashOf: ofHints }
        }
        return configured.hashOf(hints)
      })

      return UiJobs.of({
        of: Effect.fnUntraced(function* (tool, history, currentSource) {
          const hints = hintsOf(tool.name)
          const toolHash = toolHashOf(tool)
          const templateVersion = yield* linker.version
          const configuration = yield* configurationHash(hints, templateVersion)
          const known = keys.get(tool)
          const isKnown = known?.history === history && known.configuration === configuration
          const key = isKnown ? known.key : hashOf([tool.name, toolHash, hashOf(history), configuration])
          if (!isKnown) keys.set(tool, { history, configuration, key })
          const learned = memory.learned(tool.name)
          return {
            key,
            toolHash,
            tool,
            hints,
            refinements: history,
            currentSource,
            learned,
            templateVersion
          } satisfies UiJob
        }),
        forceType: (toolName, uiType) => {
          const before = forcedTypes.get(toolName) ?? "auto"
          if (uiType === "auto") forcedTypes.delete(toolName)
          else forcedTypes.set(toolName, uiType)
          return before
        },
        forget: (toolName) => void forcedTypes.delete(toolName)
      })
    })
  )
