import { Effect } from "effect"
import { schemaDocument } from "../../domain/forms/JsonSchema.ts"
import { schemaProblems } from "../../domain/forms/SchemaValidation.ts"
import type { Tool } from "../../domain/tools/Tool.ts"
import { isObject } from "../../domain/isObject.ts"
import { decodedAt } from "../../domain/wire/Rewrites.ts"

/** A longer answer is not read: messages wait meanwhile. */
const MAX_BYTES = 131_072
/** How many faults are told of in one session. */
const MAX_TOLD = 200

/** Warns of structured content that breaks its tool's `outputSchema`: of each tool and keyword once, and never with a value. */
export const makeOutputFaults = (say: (line: Effect.Effect<void>) => void) => {
  const told = new Set<string>()
  return ({ name, outputSchema }: Pick<Tool, "name" | "outputSchema">, frame: Uint8Array): void => {
    if (outputSchema === undefined || frame.length > MAX_BYTES || told.size >= MAX_TOLD) return
    const content = decodedAt(frame, ["result", "structuredContent"])
    if (content === undefined || decodedAt(frame, ["result", "isError"]) === true) return
    const declared = isObject(outputSchema) && isObject(outputSchema.properties) ? outputSchema.properties : {}
    for (const { keyword, path } of schemaProblems(outputSchema, content, schemaDocument(outputSchema))) {
      const key = `${keyword} ${name}`
      const member = String(path[0])
      if (told.has(key)) continue
      told.add(key)
      say(
        Effect.logWarning("a result breaks the output schema of its tool; it is shown as it is").pipe(
          Effect.annotateLogs({ tool: name, keyword, ...(Object.hasOwn(declared, member) ? { member } : {}) })
        )
      )
    }
  }
}
