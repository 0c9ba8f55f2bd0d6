import { Effect, Schema } from "effect"

/** A `CallToolResult` (MCP 2025-11-25, "Tools") as we write it ourselves. */
export interface ToolResult {
  readonly content: ReadonlyArray<{ readonly type: "text"; readonly text: string }>
  readonly structuredContent?: Readonly<Record<string, unknown>>
  readonly isError?: true
}

/** A call that cannot be carried out; the message says what to do instead. */
export class CallRefused extends Schema.TaggedError<CallRefused>()("CallRefused", { detail: Schema.String }) {
  override get message(): string {
    return this.detail
  }
}

export const failure = (text: string): ToolResult => ({ content: [{ type: "text", text }], isError: true })

export const success = (text: string, structuredContent: Readonly<Record<string, unknown>>): ToolResult => ({
  content: [{ type: "text", text }],
  structuredContent
})

export const decode = <S extends Schema.ConstraintDecoder<unknown>>(schema: S, args: unknown) =>
  Schema.decodeUnknownEffect(schema)(args, { onExcessProperty: "error", errors: "all" }).pipe(
    Effect.mapError((error) => new CallRefused({ detail: `The arguments do not fit: ${error.message}` }))
  )

/** An empty struct of the schema library takes everything. */
export const decodeNothing = (args: unknown): Effect.Effect<void, CallRefused> => {
  const given = typeof args === "object" && args !== null ? Object.keys(args).slice(0, 5) : [String(args)]
  const detail = `The arguments do not fit: none are taken, and there is ${given.map((name) => `"${name}"`).join(", ")}`
  return given.length === 0 ? Effect.void : Effect.fail(new CallRefused({ detail }))
}
