import { Schema } from "effect"
import { UiDeclaration } from "./UiDeclaration.ts"
import { ModelFailureCode } from "./ModelFailureCode.ts"

/**
 * `rich` was composed by the model; `minimal` is the built-in UI, chosen by the model or fallen back to.
 *
 * @example
 * import { UiType } from "mcp-gen-ui"
 *
 * const types: ReadonlyArray<UiType> = UiType.literals
 */
export const UiType = Schema.Literals(["rich", "minimal"])
export type UiType = typeof UiType.Type

/**
 * How far a UI is from what the model wrote: 0 as generated, 1 repaired, 2 the built-in UI, 3 plain HTML.
 *
 * @example
 * import type { UiEntry, UiLevel } from "mcp-gen-ui"
 *
 * const best: UiLevel = 0
 * const isAsGenerated = ({ level }: UiEntry) => level === best
 */
export const UiLevel = Schema.Literals([0, 1, 2, 3])
export type UiLevel = typeof UiLevel.Type

/**
 * Why the built-in UI replaces a generated one.
 *
 * @example
 * import type { FallbackReason } from "mcp-gen-ui"
 *
 * const advice = ({ message, transient }: FallbackReason) => (transient ? `${message} Try again later.` : message)
 */
export const FallbackReason = Schema.Struct({
  /** A code of {@link ModelFailureCode}, or of our own stages. */
  code: Schema.Literals([
    "NO_MODEL",
    ...ModelFailureCode.literals,
    "QUEUE_FULL",
    "PENDING",
    "REJECTED",
    "PROMPT_INJECTION",
    "FAILED_ON_SCREEN",
    "INTERNAL"
  ]),
  /** One sentence for people; never holds a key. */
  message: Schema.String,
  /** The same request may succeed later without any change. */
  transient: Schema.Boolean
})
export type FallbackReason = typeof FallbackReason.Type

/** Nobody writes UIs, unless the model of the host does. */
export const NO_MODEL: FallbackReason = {
  code: "NO_MODEL",
  message: "No language model is configured. Set ANTHROPIC_API_KEY or OPENAI_API_KEY, or --llm, to have UIs generated.",
  transient: false
}

/**
 * What one answer of a model cost, in tokens as the provider counts them.
 *
 * @example
 * import type { TokenUsage } from "mcp-gen-ui"
 *
 * const total = ({ inputTokens, outputTokens }: TokenUsage) => inputTokens + outputTokens
 */
export const TokenUsage = Schema.Struct({
  /** The whole prompt, including what the provider had cached. */
  inputTokens: Schema.Finite,
  outputTokens: Schema.Finite,
  /** How many of `inputTokens` came from the provider's prompt cache, if it reports any. */
  cachedInputTokens: Schema.optionalKey(Schema.Finite)
})
export type TokenUsage = typeof TokenUsage.Type

/** What became of the second draft of a UI; there is one ever, also if it failed. */
const SecondDraft = Schema.Struct({
  state: Schema.Literals(["asked", "dropped", "made"]),
  /** The version of the first draft's document, whose pages may keep it; `null` once somebody has asked for another UI. */
  of: Schema.NullOr(Schema.String)
})

/** Raised when the shape below changes, so that caches on disk skip older entries. */
export const UI_ENTRY_FORMAT = 2

/** The `provider` of a source in a person's file, which is served unchanged. */
export const HAND_MADE = "file"

/** The `provider` of a source that was made of a declared view. It stands behind the same walls as a model's. */
export const DECLARED = "view"

/** The `provider` of a source that the model of a host wrote. */
export const WRITTEN = "host"

/** The `provider` of a finished UI of the library that ships with the package. */
export const LIBRARY = "library"

/**
 * One UI of one tool as the cache keeps it: the source before linking, and where it came from.
 *
 * @example
 * import { Schema } from "effect"
 * import { UiEntry } from "mcp-gen-ui"
 *
 * const toText = Schema.encodeEffect(Schema.fromJsonString(UiEntry))
 */
export const UiEntry = Schema.Struct({
  format: Schema.Literal(UI_ENTRY_FORMAT),
  toolName: Schema.String,
  key: Schema.String,
  /** What the model wrote, after repair, unlinked. `null` is the built-in UI. */
  source: Schema.NullOr(Schema.String),
  uiType: UiType,
  level: UiLevel,
  repairs: Schema.Array(Schema.String),
  warnings: Schema.Array(Schema.String),
  fallback: Schema.NullOr(FallbackReason),
  /** When a read may try again, in milliseconds since the epoch; only for fallbacks whose reason may pass. */
  retryAt: Schema.optionalKey(Schema.Finite),
  provider: Schema.String,
  model: Schema.NullOr(Schema.String),
  promptVersion: Schema.NullOr(Schema.String),
  /** Of the document around the source. */
  templateVersion: Schema.String,
  /** How many real results the model was shown. */
  examples: Schema.Finite,
  usage: Schema.NullOr(TokenUsage),
  refinements: Schema.Array(Schema.String),
  /** Missing until one is asked for. */
  secondDraft: Schema.optionalKey(SecondDraft),
  /** Of a UI made by hand, what its author declares of it. */
  declared: Schema.optionalKey(UiDeclaration),
  requestId: Schema.String,
  /** Milliseconds since the epoch. */
  createdAt: Schema.Finite,
  /** Milliseconds that the generation took, queue not included. */
  durationMs: Schema.Finite
})
export type UiEntry = typeof UiEntry.Type

/** What replaces an entry under its key keeps the note of its second draft: there is one ever. */
export const withSecondDraft = (entry: UiEntry, before: UiEntry | undefined): UiEntry =>
  before?.secondDraft === undefined || entry.secondDraft !== undefined
    ? entry
    : { ...entry, secondDraft: { ...before.secondDraft, of: null } }
