import { Effect, Layer } from "effect"
import { createHash } from "node:crypto"
import { canonicalJson } from "../domain/CanonicalJson.ts"
import type { UiType } from "../domain/documents/UiEntry.ts"
import { DocumentLinker } from "../services/DocumentLinker.ts"
import { LanguageModel } from "../services/LanguageModel.ts"
import { PromptLibrary } from "../services/PromptLibrary.ts"
import { Settings, type ToolHints } from "../services/Settings.ts"
import { ToolMemory } from "../services/ToolMemory.ts"
import { type UiJob, UiJobs } from "../services/UiJobs.ts"

const hashOf = (value: unknown): string => createHash("sha256").update(canonicalJson(value)).digest("hex")

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

      const hintsOf = (toolName: string): ToolHints => {
        const hints = Object.hasOwn(generation.tools, toolName) ? (generation.tools[toolName] ?? {}) : {}
        const uiType = forcedTypes.get(toolName)
        return uiType === undefined ? hints : { ...hints, uiType }
      }

      const configurationHash = Effect.fnUntraced(function* (hints: ToolHints, templateVersion: string) {
        const promptVersion =
          model.provider === "none" ? null : yield* prompts.version.pipe(Effect.orElseSucceed(() => null))
        return hashOf({
          promptVersion,
          templateVersion,
          provider: model.provider,
          model: model.model,
          temperature: llm.temperature ?? null,
          prompt: generation.prompt ?? null,
          theme: generation.defaultTheme,
          limits: generation.limits,
          hints
        })
      })

      return UiJobs.of({
        of: Effect.fnUntraced(function* (tool, history, currentSource) {
          const hints = hintsOf(tool.name)
          const toolHash = hashOf([tool.definition, tool.related])
          const templateVersion = yield* linker.version
          const key = hashOf([tool.name, toolHash, hashOf(history), yield* configurationHash(hints, templateVersion)])
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
