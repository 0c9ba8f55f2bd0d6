import {
  integer,
  level,
  nullableInteger,
  nullableText,
  nullableTime,
  object,
  text,
  texts,
  uiType,
  fallback
} from "./pieces.ts"

/* What the tools for models answer with: the state of a UI, its versions, what is selected in it. */

export const rejected = {
  type: "array",
  description:
    "Refinements that failed for good, oldest first: the model is asked for one again when the user says it once more",
  items: object({ text, code: text, message: text, at: { type: "string", format: "date-time" } }, [
    "text",
    "code",
    "message",
    "at"
  ])
} as const

export const summary = {
  name: text,
  uri: nullableText,
  enabled: { type: "boolean", description: "Whether this wrapper serves a UI for the tool" },
  status: {
    type: "string",
    enum: ["own-ui", "disabled", "not-generated", "generating", "generated", "library", "built-in"]
  },
  uiType: { type: ["string", "null"], enum: ["rich", "minimal", null] },
  cached: { type: "boolean" },
  refinements: { ...integer, description: "How many refinements it is made with" },
  rejected,
  version: { ...nullableInteger, description: "Number of the accepted version that is served, if there is one" },
  versions: { ...integer, description: "Accepted versions that are kept" },
  failed: {
    type: "array",
    description: "Versions among them that failed on screen",
    items: object({ version: integer, at: { type: "string", format: "date-time" } }, ["version", "at"])
  },
  fallbackReason: fallback
} as const

export const details = {
  level: { ...nullableInteger, ...level },
  repairs: texts,
  warnings: texts,
  cacheKey: nullableText,
  createdAt: nullableTime,
  retryAt: { ...nullableTime, description: "When the next read tries again, if this stands in for a generated UI" },
  durationMs: { ...nullableInteger, description: "Milliseconds that the generation took" },
  provider: nullableText,
  model: nullableText,
  promptVersion: nullableText,
  templateVersion: nullableText,
  history: { ...texts, description: "The refinements that it is made with, oldest first" },
  tokens: {
    type: ["object", "null"],
    properties: { inputTokens: integer, outputTokens: integer, cachedInputTokens: integer },
    required: ["inputTokens", "outputTokens"]
  },
  secondDraft: {
    type: ["string", "null"],
    enum: ["asked", "dropped", "made", null],
    description:
      "What became of its second draft: asked for, made (the tokens are those of the version that is served), or dropped, because it failed or lost data"
  },
  declared: {
    type: ["object", "null"],
    description: "What the file beside a UI made by hand declares: csp, permissions, prefersBorder, displayModes, title"
  },
  examples: { ...integer, description: "Real results of the tool that the next generation can learn from" },
  examplesShown: { ...nullableInteger, description: "Real results that the model was shown for this UI" },
  faults: {
    type: "array",
    description: "How versions failed on screen: what their pages told, without data",
    items: object({ version: integer, kind: text, message: text, line: nullableText, shape: nullableText }, [
      "version",
      "kind",
      "message",
      "line",
      "shape"
    ])
  },
  lastError: {
    type: ["object", "null"],
    description: "The last change that was asked for, if it failed",
    properties: { code: text, message: text, at: { type: "string", format: "date-time" } },
    required: ["code", "message", "at"]
  },
  fields: {
    type: "array",
    description: "Fields of the input that have another control than their schema alone asks for",
    items: object(
      {
        field: { ...text, description: "Its path: names, joined by dots" },
        from: { ...text, description: "The tool that lists its values, asked when a person opens the field" },
        value: { ...text, description: "The member of a row that is sent" },
        label: { ...text, description: "The member that is shown" },
        search: { ...text, description: "The argument of that tool that searches" },
        color: { ...text, description: "The member that is its color" },
        by: {
          type: "string",
          enum: ["configuration", "hint", "name", "members", "results"],
          description: "What told that the tool lists its values"
        },
        file: {
          type: "string",
          enum: ["base64", "base64url", "data-url"],
          description: "How a file is written into it"
        }
      },
      ["field"]
    )
  },
  inputSchema: { description: "As the server gave it" },
  outputSchema: { description: "As the server gave it; null if it gave none" }
} as const

export const outcome = object(
  {
    toolName: text,
    level: { ...integer, ...level },
    uiType,
    durationMs: { ...integer, description: "Milliseconds from the call to the answer" },
    refinements: texts
  },
  ["toolName", "level", "uiType", "durationMs", "refinements"]
)

export const variants = {
  type: "array",
  items: integer,
  description: "Versions that were written side by side and that the user is to choose among; the page shows them"
} as const

export const version = {
  number: integer,
  current: { type: "boolean", description: "Whether this is the one that is served" },
  parent: { ...nullableInteger, description: "The version that it was made from; null for one made from nothing" },
  origin: {
    type: "string",
    enum: [
      "generated",
      "refined",
      "regenerated",
      "reset",
      "variant",
      "redrafted",
      "repaired",
      "imported",
      "written",
      "library"
    ]
  },
  feedback: { ...nullableText, description: "The refinement that it is the answer to" },
  createdAt: { type: "string", format: "date-time" },
  failedAt: { ...nullableTime, description: "When it failed on screen: it threw in its first second there" },
  model: nullableText,
  level: { ...integer, ...level },
  uiType,
  bytes: { ...integer, description: "UTF-8 bytes of its source; none for the built-in UI" }
} as const

export const selections = {
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
      filter: {
        type: "object",
        description: "The arguments of the tool that choose all that are selected: ask it with them for the others"
      },
      selectedAt: { type: "string", format: "date-time" }
    },
    ["toolName", "noun", "items", "total", "selectedAt"]
  )
} as const

export const others = {
  ...texts,
  description: "Tools with a selection that did not fit into this answer: ask for one by name"
} as const
