import { MAX_NOUN_LENGTH, MAX_SELECTED_ITEMS } from "./KeptSelection.ts"

/** The tools that the wrapper adds to a server's own (requirements section 6); `select` is for its UIs, not for the model. */
export type WrapperToolKind = "refine" | "list" | "inspect" | "regenerate" | "refresh_tools" | "selection" | "select"

export interface WrapperTool {
  readonly kind: WrapperToolKind
  readonly name: string
  /** As it stands in `tools/list`. */
  readonly definition: Readonly<Record<string, unknown>>
}

const text = { type: "string" } as const
const texts = { type: "array", items: text } as const
const nullableText = { type: ["string", "null"] } as const

const toolName = { type: "string", minLength: 1, description: "Name of a tool of this server" } as const
const uiType = { type: "string", enum: ["rich", "minimal"] } as const

const fallback = {
  type: ["object", "null"],
  description: "Why the built-in UI stands in for a generated one",
  properties: { code: text, message: text, transient: { type: "boolean" } }
} as const

const summary = {
  name: text,
  uri: nullableText,
  enabled: { type: "boolean", description: "Whether this wrapper serves a UI for the tool" },
  status: { type: "string", enum: ["own-ui", "disabled", "not-generated", "generated", "built-in"] },
  uiType: { type: ["string", "null"], enum: ["rich", "minimal", null] },
  cached: { type: "boolean" },
  refinements: { type: "integer" },
  fallbackReason: fallback
} as const

const object = (properties: Readonly<Record<string, unknown>>, required: ReadonlyArray<string>) => ({
  type: "object",
  properties,
  required
})

const input = (properties: Readonly<Record<string, unknown>>, required: ReadonlyArray<string>) => ({
  ...object(properties, required),
  additionalProperties: false
})

const outcome = object(
  { toolName: text, level: { type: "integer" }, uiType, durationMs: { type: "integer" }, refinements: texts },
  ["toolName", "level", "uiType", "durationMs", "refinements"]
)

const definitions: Readonly<Record<WrapperToolKind, Readonly<Record<string, unknown>>>> = {
  refine: {
    title: "Refine a UI",
    description:
      "Changes the interactive UI of one tool as the user asks, for example: make the table sortable. Earlier requests are kept.",
    inputSchema: input(
      {
        toolName,
        feedback: { type: "string", minLength: 1, maxLength: 4000, description: "What the user wants to be different" }
      },
      ["toolName", "feedback"]
    ),
    outputSchema: outcome,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false }
  },
  list: {
    title: "List UIs",
    description: "Lists the tools of this server with the state of their interactive UIs.",
    inputSchema: input({}, []),
    outputSchema: object({ tools: { type: "array", items: object(summary, ["name", "enabled", "status"]) } }, [
      "tools"
    ]),
    annotations: { readOnlyHint: true, openWorldHint: false }
  },
  inspect: {
    title: "Inspect a UI",
    description: "Shows how the interactive UI of one tool came about: model, versions, repairs, history and key.",
    inputSchema: input({ toolName }, ["toolName"]),
    outputSchema: object(
      {
        ...summary,
        level: { type: ["integer", "null"] },
        repairs: texts,
        warnings: texts,
        cacheKey: nullableText,
        createdAt: nullableText,
        durationMs: { type: ["integer", "null"] },
        provider: nullableText,
        model: nullableText,
        promptVersion: nullableText,
        history: texts,
        tokens: { type: ["object", "null"] },
        inputSchema: {}
      },
      ["name", "enabled", "status", "history"]
    ),
    annotations: { readOnlyHint: true, openWorldHint: false }
  },
  regenerate: {
    title: "Regenerate a UI",
    description: "Makes the interactive UI of one tool anew, from nothing.",
    inputSchema: input(
      {
        toolName,
        clearRefinements: { type: "boolean", default: false, description: "Forget what was asked for earlier" },
        uiType: { ...uiType, description: "Ask for a rich UI, or take the built-in one" }
      },
      ["toolName"]
    ),
    outputSchema: outcome,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false }
  },
  refresh_tools: {
    title: "Refresh tools",
    description: "Reads the tool list of the server again and reports what changed.",
    inputSchema: input({}, []),
    outputSchema: object({ added: texts, removed: texts, changed: texts, unchanged: texts }, [
      "added",
      "removed",
      "changed",
      "unchanged"
    ]),
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false }
  },
  selection: {
    title: "Get the selection",
    description:
      "Answers with what the user has selected in the interactive UIs of this server's tools, the latest first. Call it when the user speaks of something chosen on screen, for example: delete these three.",
    inputSchema: input({ toolName: { ...toolName, description: "Only what is selected in the UI of this tool" } }, []),
    outputSchema: object(
      {
        selections: {
          type: "array",
          items: object(
            {
              toolName: text,
              noun: { type: "string", description: "What the items are" },
              items: { type: "array", items: {} },
              total: {
                type: "integer",
                description: "How many are selected; more than the items when some are left out"
              },
              selectedAt: { type: "string", format: "date-time" }
            },
            ["toolName", "noun", "items", "total", "selectedAt"]
          )
        },
        others: {
          ...texts,
          description: "Tools with a selection that did not fit into this answer: ask for one by name"
        }
      },
      ["selections"]
    ),
    annotations: { readOnlyHint: true, openWorldHint: false }
  },
  select: {
    title: "Keep a selection",
    description:
      "Not for the model: interactive UIs of this server call it when the user selects something on screen, so that it can be asked for afterwards. Calling it changes nothing on screen.",
    inputSchema: input(
      {
        toolName,
        items: {
          type: "array",
          items: {},
          maxItems: MAX_SELECTED_ITEMS,
          description: "What is selected, as JSON values; none when nothing is selected any more"
        },
        noun: {
          type: "string",
          minLength: 1,
          maxLength: MAX_NOUN_LENGTH,
          description: "What the items are, in the plural"
        },
        total: { type: "integer", minimum: 0, description: "How many are selected, if that is more than the items" }
      },
      ["toolName", "items"]
    ),
    outputSchema: object({ toolName: text, kept: { type: "integer", description: "Items that are kept" } }, [
      "toolName",
      "kept"
    ]),
    // It only notes what is on screen anyway; hosts ask a person before every call of a tool that is not read-only.
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    _meta: { ui: { visibility: ["app"] } }
  }
}

const KINDS = ["refine", "list", "inspect", "regenerate", "refresh_tools", "selection", "select"] as const

/** The prefix after `attempt - 1` that clashed: `_ui_`, `_ui2_`, `_ui3_`; the last separator stays at the end. */
const prefixAt = (prefix: string, attempt: number): string =>
  attempt === 1 ? prefix : prefix.replace(/([_-]?)$/, `${attempt}$1`)

/**
 * The wrapper's tools under a prefix such as `_ui_`, or under the first of `_ui2_`, `_ui3_` … that clashes with no
 * tool of the server: the server's name wins.
 */
export const wrapperTools = (prefix: string, isTaken: (name: string) => boolean): ReadonlyArray<WrapperTool> => {
  for (let attempt = 1; ; attempt += 1) {
    const tried = prefixAt(prefix, attempt)
    if (KINDS.some((kind) => isTaken(`${tried}${kind}`))) continue
    return KINDS.map((kind) => {
      const name = `${tried}${kind}`
      return { kind, name, definition: { name, ...definitions[kind] } }
    })
  }
}

/** Whether a tool's name may be one of the wrapper's own, under whichever prefix they ended up. */
export const mayBeWrapperTool = (prefix: string, name: string): boolean =>
  name.startsWith(prefix.replace(/[_-]$/, "")) && KINDS.some((kind) => name.endsWith(kind))
