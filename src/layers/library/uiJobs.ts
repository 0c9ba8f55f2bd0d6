import { Effect } from "effect"
import { createHash } from "node:crypto"
import { canonicalJson } from "../../domain/CanonicalJson.ts"
import type { Tool } from "../../domain/tools/Tool.ts"
import type { UiType } from "../../domain/tools/UiEntry.ts"
import { DocumentLinker } from "../../services/documents/DocumentLinker.ts"
import type { GenerationJob } from "../../services/generation/Generations.ts"
import { LanguageModel } from "../../services/generation/LanguageModel.ts"
import { PromptLibrary } from "../../services/generation/PromptLibrary.ts"
import { ToolMemory } from "../../services/library/ToolMemory.ts"
import type { Settings, ToolHints } from "../../services/settings/Settings.ts"

/** The settings for a session's UIs; the first four are part of the key. */
export interface UiLibraryOptions extends Pick<
  Settings["Service"]["generation"],
  "defaultTheme" | "limits" | "prompt" | "tools" | "timeoutMs" | "onTimeout" | "secondDraft" | "uiDirectory" | "library"
> {
  /** Of the model; part of the key, too. */
  readonly temperature: number | undefined
  /** Saves each page when it is first served. */
  readonly debug: boolean
}

export interface UiJob extends GenerationJob {
  /** Stands for the tool's definition: UIs of one definition can stand in for each other. */
  readonly toolHash: string
}

export const hashOf = (value: unknown): string => createHash("sha256").update(canonicalJson(value)).digest("hex")

const NO_HINTS: ToolHints = {}

/** Hashes once what does not change: a list of tools asks for every key, and a server may have thousands. */
const hashOnce = <Of extends object>(valueOf: (of: Of) => unknown): ((of: Of) => string) => {
  const known = new WeakMap<Of, string>()
  return (of) => {
    const hash = known.get(of) ?? hashOf(valueOf(of))
    known.set(of, hash)
    return hash
  }
}

/** What is asked for when a tool's UI is, and the key of that UI; for one session. */
export const makeUiJobs = Effect.fnUntraced(function* (options: UiLibraryOptions) {
  const model = yield* LanguageModel
  const prompts = yield* PromptLibrary
  const linker = yield* DocumentLinker
  const memory = yield* ToolMemory
  const forcedTypes = new Map<string, UiType>()
  const toolHashOf = hashOnce<Tool>(({ definition, extras, related }) =>
    extras?.records === undefined ? [definition, related] : [definition, related, extras.records]
  )
  /** The last key of each tool, and what it was made from. */
  const keys = new WeakMap<Tool, { readonly of: string; readonly key: string }>()
  let configured: { readonly versions: string; readonly hashOf: (hints: ToolHints) => string } | undefined

  const hintsOf = (toolName: string): ToolHints => {
    const hints = Object.hasOwn(options.tools, toolName) ? (options.tools[toolName] ?? NO_HINTS) : NO_HINTS
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
        temperature: options.temperature ?? null,
        prompt: options.prompt ?? null,
        theme: options.defaultTheme,
        limits: options.limits,
        hints
      }))
      configured = { versions, hashOf: ofHints }
    }
    return configured.hashOf(hints)
  })

  const keyOf = (tool: Tool, toolHash: string, refinements: ReadonlyArray<string>, configuration: string): string => {
    const of = JSON.stringify([configuration, refinements])
    const known = keys.get(tool)
    if (known?.of === of) return known.key
    const key = hashOf([tool.name, toolHash, hashOf(refinements), configuration])
    keys.set(tool, { of, key })
    return key
  }

  const othersOf = ({ related }: Tool): Readonly<Record<string, string>> =>
    Object.fromEntries(
      related.flatMap((signature) => {
        const name = signature.slice(0, signature.indexOf("("))
        const { shape } = memory.learned(name)
        return shape === null ? [] : [[name, shape]]
      })
    )

  return {
    /** `currentSource` is what the UI is to be made from; `null` for nothing. */
    of: Effect.fnUntraced(function* (tool: Tool, refinements: ReadonlyArray<string>, currentSource: string | null) {
      const hints = hintsOf(tool.name)
      const toolHash = toolHashOf(tool)
      const templateVersion = yield* linker.version
      const key = keyOf(tool, toolHash, refinements, yield* configurationHash(hints, templateVersion))
      const learned = { ...memory.learned(tool.name), others: othersOf(tool) }
      return { key, toolHash, tool, hints, refinements, currentSource, learned, templateVersion } satisfies UiJob
    }),
    /**
     * Overrides the configuration; `auto` leaves it to the configuration and the model again. Returns the type before.
     */
    forceType: (toolName: string, uiType: UiType | "auto"): UiType | "auto" => {
      const before = forcedTypes.get(toolName) ?? "auto"
      if (uiType === "auto") forcedTypes.delete(toolName)
      else forcedTypes.set(toolName, uiType)
      return before
    },
    forget: (toolName: string): void => {
      forcedTypes.delete(toolName)
    }
  }
})
