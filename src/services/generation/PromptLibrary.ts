import { Context, Schema } from "effect"
import type { Effect } from "effect"
import type { LearnedResults } from "../../domain/tools/LearnedResults.ts"
import type { Tool } from "../../domain/tools/Tool.ts"
import type { ToolHints } from "../settings/Settings.ts"

const NAME = /(?:^|[\\/])((?:partials[\\/])?[^\\/]+)[\\/]*$/

/** A prompt file is missing, does not parse, or uses a name that no one gives. */
export class PromptInvalid extends Schema.TaggedError<PromptInvalid>()("PromptInvalid", {
  /** Where it is, for those at this machine; the message has its name only, as it is shown in UIs. */
  file: Schema.String,
  detail: Schema.String
}) {
  override get message(): string {
    return `prompt ${NAME.exec(this.file)?.[1] ?? "file"}: ${this.detail}`
  }
}

export interface GenerateInput {
  readonly tool: Tool
  readonly hints: ToolHints
  /** All of them, oldest first; those that exceed the limit are left out with a note. */
  readonly refinements: ReadonlyArray<string>
  /** What real results have taught about the tool. */
  readonly learned: LearnedResults
  /** The source to start from when refining; `null` to start from nothing. */
  readonly currentSource: string | null
  /** Edits of `currentSource` were asked for and did not fit: the whole page is asked for. */
  readonly isWhole?: boolean
  /** Of several pages that are written side by side, the number of this one; the first is as if it were alone. */
  readonly variant?: number
  /** What the page told that `currentSource` makes: it failed on screen, and is to be mended. */
  readonly fault?: ReadonlyArray<string>
  /** Given, `currentSource` is a first draft, and a second one is asked for. */
  readonly secondDraft?: {
    /** The version of the document that the first draft is served as. */
    readonly of: string
    /** What its page said of itself, in words; empty if it said nothing. */
    readonly report: ReadonlyArray<string>
    /** The names of members of the result that its page shows, beside those that its source names. */
    readonly members: ReadonlyArray<string>
  }
}

export interface RepairInput extends GenerateInput {
  /** What the model answered; `problems` say what is wrong with it. */
  readonly answer: string
  readonly problems: ReadonlyArray<string>
}

export interface BriefInput extends GenerateInput {
  /** What the person asks for now. */
  readonly feedback: string
  /** The name of the wrapper's tool that takes the page. */
  readonly writeTool: string
}

export interface Prompt {
  readonly system: string
  readonly prompt: string
}

/** Owns what the model is told: the files in `prompts/`, their version, and the cutting and delimiting of tool data. */
export class PromptLibrary extends Context.Service<
  PromptLibrary,
  {
    /** A hash over the content of every prompt file in use: part of the cache key. */
    readonly version: Effect.Effect<string, PromptInvalid>
    /** Asks for a page, or, with a `currentSource`, for a change of it, or for its second draft. */
    readonly generate: (input: GenerateInput) => Effect.Effect<Prompt, PromptInvalid>
    /** Asks for the same page again, without what is wrong with the answer. */
    readonly repair: (input: RepairInput) => Effect.Effect<Prompt, PromptInvalid>
    /** Tells the model of a host how to write a page, or edits of `currentSource`; some 2,500 tokens at most. */
    readonly brief: (input: BriefInput) => Effect.Effect<string, PromptInvalid>
  }
>()("mcp-gen-ui/services/PromptLibrary") {}
