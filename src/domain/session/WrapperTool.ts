import { FAULT_KINDS, MAX_FAULT_MESSAGE, MAX_FAULT_PLACES, MAX_FAULT_SHAPE } from "../tools/PageFault.ts"
import { MAX_FAULTS, MAX_MEMBERS, MAX_REPORT_CHARACTERS } from "../tools/PageReport.ts"
import type { DashboardPage } from "../tools/Dashboards.ts"
import { dashboardTool } from "./dashboardTool.ts"
import { MAX_NOUN_LENGTH, MAX_SELECTED_ITEMS } from "./KeptSelection.ts"
import { shortPageTool, shortTools, type UiWriter, type WrapperListing } from "./shortTools.ts"

/**
 * The tools that the wrapper adds to the server's (requirements section 6); `select` and `current` are for its UIs, not
 * for the model; `studio` is for the page of `mcp-gen-ui preview`, and no other host is offered it.
 */
export type WrapperToolKind =
  | "refine"
  | "write"
  | "list"
  | "inspect"
  | "regenerate"
  | "history"
  | "revert"
  | "refresh_tools"
  | "selection"
  | "select"
  | "current"
  | "studio"

/** Set by the studio for the wrapper that it starts. */
export const STUDIO_VARIABLE = "MCP_GEN_UI_STUDIO"

/** Of one refinement, after trimming. */
export const MAX_FEEDBACK_CHARACTERS = 4000

/** What a person can compare, and what is worth paying for. */
export const MAX_VARIANTS = 4

export interface WrapperTool {
  readonly kind: WrapperToolKind | "dashboard"
  readonly name: string
  /** Whether it stands in `tools/list`; it works in any case. */
  readonly isListed: boolean
  /** As it stands in `tools/list`. */
  readonly definition: Readonly<Record<string, unknown>>
  /** Of a dashboard: every call gets this. */
  readonly answer?: Readonly<Record<string, unknown>>
}

const text = { type: "string" } as const
const texts = { type: "array", items: text } as const
const nullableText = { type: ["string", "null"] } as const

const toolName = { type: "string", minLength: 1, description: "Name of a tool of this server" } as const
const uiType = { type: "string", enum: ["rich", "minimal"] } as const

const integer = { type: "integer" } as const
const nullableInteger = { type: ["integer", "null"] } as const
const nullableTime = { type: ["string", "null"], format: "date-time" } as const

const fallback = {
  type: ["object", "null"],
  description: "Why the built-in UI, or the last good one, stands in for what was asked for",
  properties: {
    code: text,
    message: text,
    transient: { type: "boolean", description: "It is tried again by itself" }
  },
  required: ["code", "message", "transient"]
} as const

const versionNumber = { type: "integer", minimum: 1, description: "Number of a version of its UI" } as const

const readOnly = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const
const changing = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false } as const

/** Hosts hide a tool from the model, or from pages (MCP Apps 2026-01-26, "Tool visibility"). */
const onlyForUis = { ui: { visibility: ["app"] } } as const
const onlyForModels = { ui: { visibility: ["model"] } } as const

const token = { type: "string", minLength: 1, description: "Of the page that asks, as its document has it" } as const
const proof = { type: "string", description: "By this the page knows that the answer is ours" } as const

const object = (properties: Readonly<Record<string, unknown>>, required: ReadonlyArray<string>) => ({
  type: "object",
  properties,
  required
})

const rejected = {
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

const summary = {
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

const input = (properties: Readonly<Record<string, unknown>>, required: ReadonlyArray<string>) => ({
  ...object(properties, required),
  additionalProperties: false
})

const summaryNames = Object.keys(summary)

const level = {
  minimum: 0,
  maximum: 3,
  description: "0 as generated, 1 repaired, 2 the built-in UI in its place, 3 plain HTML"
} as const

const details = {
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

const outcome = object(
  {
    toolName: text,
    level: { ...integer, ...level },
    uiType,
    durationMs: { ...integer, description: "Milliseconds from the call to the answer" },
    refinements: texts
  },
  ["toolName", "level", "uiType", "durationMs", "refinements"]
)

const variants = {
  type: "array",
  items: integer,
  description: "Versions that were written side by side and that the user is to choose among; the page shows them"
} as const

const version = {
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

const linkedUi = {
  description: "The newer UI, ready to be set into the page",
  ...object(
    {
      view: { type: "string", enum: ["builtin", "generated"] },
      uiType,
      level: { ...integer, ...level },
      fallback,
      version: text,
      byHand: { type: "boolean", description: "A person wrote it into a file" },
      readOnlyTools: { ...texts, description: "Of the tools that it names, those that only read" },
      htmlAttributes: text,
      bodyAttributes: text,
      head: text,
      body: text
    },
    ["view", "uiType", "level", "fallback", "version", "htmlAttributes", "bodyAttributes", "head", "body"]
  )
} as const

const selections = {
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

const others = {
  ...texts,
  description: "Tools with a selection that did not fit into this answer: ask for one by name"
} as const

const definitions: Readonly<Record<WrapperToolKind, Readonly<Record<string, unknown>>>> = {
  refine: {
    title: "Refine a UI",
    description:
      "Changes the interactive UI of one tool as the user asks, for example: make the table sortable. Earlier requests are kept. When it fails, the previous UI stays; a request that fails for good is rejected, and tried again when it is made again.",
    inputSchema: input(
      {
        toolName,
        feedback: {
          type: "string",
          minLength: 1,
          maxLength: MAX_FEEDBACK_CHARACTERS,
          description: "What the user wants to be different"
        },
        view: {
          type: "object",
          description:
            'Serves a declared view at once, without a model writing a UI. For other columns, order or filter: {"kind": "table", "columns": ["name", {"key": "price", "type": "money"}], "sort": "-price", "filter": true}'
        },
        version: {
          type: "integer",
          minimum: 0,
          description: "Instead of feedback: shows this version again; 0 is the built-in UI"
        }
      },
      ["toolName"]
    ),
    outputSchema: outcome,
    annotations: changing
  },
  write: {
    title: "Write a UI",
    description:
      "Serves the source of a UI that the host's model wrote because the user asked for it, as a new version: a whole page, or edits of the one that is served (blocks of <<<<<<< SEARCH, =======, >>>>>>> REPLACE). Answers with the problems of a source that cannot be served.",
    inputSchema: input({ toolName, source: { ...text, minLength: 1, description: "The page, or edits of it" } }, [
      "toolName",
      "source"
    ]),
    outputSchema: { ...outcome, properties: { ...outcome.properties, version: versionNumber } },
    annotations: changing
  },
  list: {
    title: "List UIs",
    description:
      "Lists the tools of this server with the state of their interactive UIs, and what the user has selected in them. With a tool, its versions too.",
    inputSchema: input({ toolName }, []),
    outputSchema: object(
      {
        tools: { type: "array", items: object(summary, summaryNames) },
        versions: { type: "array", items: object(version, Object.keys(version)) },
        selections,
        others
      },
      ["tools"]
    ),
    annotations: readOnly
  },
  inspect: {
    title: "Inspect a UI",
    description: "Shows how the interactive UI of one tool came about: model, versions, repairs, history and key.",
    inputSchema: input({ toolName }, ["toolName"]),
    outputSchema: object({ ...summary, ...details }, [...summaryNames, ...Object.keys(details)]),
    annotations: readOnly
  },
  regenerate: {
    title: "Regenerate a UI",
    description: "Makes the interactive UI of one tool anew, from nothing.",
    inputSchema: input(
      {
        toolName,
        clearRefinements: { type: "boolean", default: false, description: "Forget what was asked for earlier" },
        uiType: {
          type: "string",
          enum: ["rich", "minimal", "auto"],
          description:
            "rich asks for a generated UI even where the model would not write one, minimal takes the built-in one; either holds for this session. auto leaves it to the configuration and the model again."
        },
        variants: {
          type: "integer",
          minimum: 2,
          maximum: MAX_VARIANTS,
          description:
            "Write so many different ones side by side. The first is served, and the user chooses in the page; the others stay as versions."
        }
      },
      ["toolName"]
    ),
    outputSchema: { ...outcome, properties: { ...outcome.properties, variants } },
    annotations: changing
  },
  history: {
    title: "List the versions of a UI",
    description:
      "Lists the versions of the interactive UI of one tool, oldest first: what was asked for, which one each was made from, and which one is served; and what was asked for and rejected. With a version, answers with its source too.",
    inputSchema: input(
      { toolName, version: { ...versionNumber, description: "Also answer with the source of this version" } },
      ["toolName"]
    ),
    outputSchema: object(
      {
        toolName: text,
        current: { ...nullableInteger, description: "The version that is served, if there is one" },
        versions: { type: "array", items: object(version, Object.keys(version)) },
        variants,
        rejected,
        source: { ...nullableText, description: "Of the version that was asked for; null for the built-in UI" }
      },
      ["toolName", "current", "versions", "rejected"]
    ),
    annotations: readOnly
  },
  revert: {
    title: "Go back to a version of a UI",
    description:
      "Makes an earlier version of the interactive UI of one tool the one that is served, with the refinements that it had. Nothing is lost: the later ones stay.",
    inputSchema: input({ toolName, version: versionNumber }, ["toolName", "version"]),
    outputSchema: object(
      { toolName: text, version: integer, level: { ...integer, ...level }, uiType, refinements: texts },
      ["toolName", "version", "level", "uiType", "refinements"]
    ),
    annotations: { ...changing, idempotentHint: true }
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
    annotations: readOnly
  },
  selection: {
    title: "Get the selection",
    description:
      "Answers with what the user has selected in the interactive UIs of this server's tools, the latest first. Call it when the user speaks of something chosen on screen, for example: delete these three.",
    inputSchema: input({ toolName: { ...toolName, description: "Only what is selected in the UI of this tool" } }, []),
    outputSchema: object(
      {
        selections,
        others
      },
      ["selections"]
    ),
    annotations: readOnly
  },
  select: {
    title: "Keep a selection",
    description:
      "Not for the model: interactive UIs of this server call it when the user selects something on screen, so that it can be asked for afterwards. Calling it changes nothing on screen.",
    inputSchema: input(
      {
        toolName,
        token,
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
        total: { type: "integer", minimum: 0, description: "How many are selected, if that is more than the items" },
        filter: { type: "object", description: "The arguments of the tool, where all that match them are selected" }
      },
      ["toolName", "token", "items"]
    ),
    outputSchema: object({ toolName: text, proof, kept: { type: "integer", description: "Items that are kept" } }, [
      "toolName",
      "proof",
      "kept"
    ]),
    // It only records what is on screen; hosts ask a person before every call of a tool that is not read-only.
    annotations: readOnly
  },
  studio: {
    title: "Look behind a UI",
    description:
      "Answers with what the model is told for the UI of one tool. With a source, inspects that and serves it as a new version.",
    inputSchema: input(
      { toolName, source: { ...text, description: "The whole source of a UI, as a person has edited it" } },
      ["toolName"]
    ),
    outputSchema: object(
      {
        toolName: text,
        prompt: { ...nullableText, description: "What the model is told; null if the prompt files are broken" },
        version: { ...nullableInteger, description: "Number of the version that the source has become" }
      },
      ["toolName", "prompt", "version"]
    ),
    annotations: changing
  },
  current: {
    title: "Ask for a newer UI",
    description:
      "Not for the model: an interactive UI of this server that is on screen asks whether there is a newer version of it, and gets it. What is missing is generated meanwhile.",
    inputSchema: input(
      {
        toolName,
        token,
        version: { ...text, description: "What the document on screen carries" },
        failed: {
          type: "string",
          minLength: 1,
          description:
            "The version of a document that failed there: if it is the current one, the last good one before it is served again, and one repair is asked for"
        },
        fault: {
          description: "What went wrong, without values of the data",
          ...object(
            {
              kind: { type: "string", enum: FAULT_KINDS },
              message: { ...text, maxLength: MAX_FAULT_MESSAGE },
              places: { ...texts, maxItems: MAX_FAULT_PLACES, description: "line:column, innermost first" },
              shape: { ...text, maxLength: MAX_FAULT_SHAPE, description: "Names and types of the result" },
              isInPlace: { type: "boolean", description: "The version was taken over by an open page" }
            },
            ["kind", "message", "places", "shape"]
          )
        },
        touched: { type: "boolean", description: "Somebody has pressed, typed or scrolled there" },
        pick: { ...versionNumber, description: "The variant that the person wants to see" },
        chosen: { type: "boolean", description: "The person keeps the variant that is served" },
        shows: {
          type: "object",
          description: "The arguments and the digest of the result on screen, to get back what was lost of it",
          properties: { args: { type: "object" }, got: { type: "object" } }
        },
        view: {
          type: "object",
          description: "How the person has left the view of these arguments; without values, to get them back",
          properties: { args: { type: "object" }, values: { type: "object" } },
          required: ["args"]
        },
        report: {
          description: "What the page found when it looked at itself after it had drawn a result",
          ...object(
            {
              width: { type: "number", description: "Of the frame, in CSS pixels" },
              faults: {
                type: "array",
                maxItems: MAX_FAULTS,
                items: object(
                  {
                    fault: { type: "string", enum: ["cut", "wide", "empty", "wrapped"] },
                    element: { ...text, maxLength: MAX_REPORT_CHARACTERS },
                    text: { ...text, maxLength: MAX_REPORT_CHARACTERS }
                  },
                  ["fault", "element", "text"]
                )
              },
              members: {
                type: "array",
                maxItems: MAX_MEMBERS,
                items: { ...text, maxLength: MAX_REPORT_CHARACTERS },
                description: "Names of members of the result that it shows"
              }
            },
            ["width", "faults", "members"]
          )
        }
      },
      ["toolName", "token", "version"]
    ),
    outputSchema: object(
      {
        proof,
        version: { ...text, description: "Of the document that reading the UI would get" },
        state: {
          type: "string",
          enum: ["current", "generating", "changed"],
          description: "changed: the page shows an older one; generating: a newer one is on its way"
        },
        note: { ...text, description: "Why there is nothing better" },
        retryAfterMs: { ...integer, description: "When to ask again, at the earliest" },
        document: linkedUi,
        ifUntouched: { type: "boolean", description: "Not if somebody has touched the page meanwhile" },
        variants: {
          description: "Versions that the person may choose among",
          ...object(
            {
              choices: { type: "array", items: object({ value: integer, label: text }, ["value", "label"]) },
              current: nullableInteger
            },
            ["choices", "current"]
          )
        }
      },
      ["proof", "version", "state"]
    ),
    // As for a selection: it only records what was on screen.
    annotations: readOnly
  }
}

const KINDS = [
  "refine",
  "write",
  "list",
  "inspect",
  "regenerate",
  "history",
  "revert",
  "refresh_tools",
  "selection",
  "select",
  "current",
  "studio"
] as const satisfies ReadonlyArray<WrapperToolKind>

/** Whether UIs call the tool, and not the model. */
export const isForPages = (kind: WrapperTool["kind"]): kind is "select" | "current" =>
  kind === "select" || kind === "current"

/** Which of the tools for UIs has this name, with any prefix. */
export const pageToolKind = (name: string): WrapperToolKind | undefined =>
  KINDS.find((kind) => isForPages(kind) && name.endsWith(kind))

/** The prefix for this attempt: `_ui_`, `_ui2_`, `_ui3_`; the last separator stays at the end. */
const prefixAt = (prefix: string, attempt: number): string =>
  attempt === 1 ? prefix : prefix.replace(/([_-]?)$/, `${attempt}$1`)

const DASHBOARD = "dashboard_"

export interface WrapperToolSet {
  /** Such as `_ui_`. */
  readonly prefix: string
  readonly isTaken: (name: string) => boolean
  readonly dashboards?: ReadonlyArray<DashboardPage>
  /** The studio gets one tool more, and the list of all. */
  readonly isStudio?: boolean | undefined
  /** `few` unless set. */
  readonly listing?: WrapperListing | undefined
  /** `model` unless set. */
  readonly writer?: UiWriter | undefined
}

/** The host's model gets a brief from `refine`, which is text: it has no structure to promise. */
const inFull = (kind: WrapperToolKind, writer: UiWriter): Readonly<Record<string, unknown>> => {
  if (kind !== "refine" || writer !== "host") return definitions[kind]
  const { outputSchema: _, ...refine } = definitions[kind]
  return refine
}

const toolOf = (kind: WrapperToolKind, prefix: string, listing: WrapperListing, writer: UiWriter): WrapperTool => {
  const name = `${prefix}${kind}`
  const isOfPages = isForPages(kind)
  const short = isOfPages ? shortPageTool : shortTools(prefix, writer)[kind]
  const isListed = isOfPages || listing === "all" || (listing === "few" && short !== undefined)
  const definition = listing === "all" ? inFull(kind, writer) : (short ?? definitions[kind])
  return { kind, name, isListed, definition: { name, ...definition, _meta: isOfPages ? onlyForUis : onlyForModels } }
}

/**
 * The wrapper's tools under a prefix, and one for each dashboard. If a name clashes with a tool of the server, the server's
 * wins, and the next prefix (`_ui2_`, `_ui3_` …) is tried.
 */
export const wrapperTools = ({
  dashboards = [],
  isStudio = false,
  isTaken,
  listing = "few",
  prefix,
  writer = "model"
}: WrapperToolSet): ReadonlyArray<WrapperTool> => {
  const kinds = KINDS.filter((kind) => isStudio || kind !== "studio")
  for (let attempt = 1; ; attempt += 1) {
    const tried = prefixAt(prefix, attempt)
    const tools = [
      ...kinds.map((kind) => toolOf(kind, tried, isStudio ? "all" : listing, writer)),
      ...dashboards.map((page) => dashboardTool(`${tried}${DASHBOARD}${page.name}`, page))
    ]
    if (!tools.some(({ name }) => isTaken(name))) return tools
  }
}

/** Whether this may be the name of a wrapper's tool, under any of the tried prefixes. */
export const mayBeWrapperTool = (prefix: string, name: string): boolean =>
  name.startsWith(prefix.replace(/[_-]$/, "")) &&
  (name.includes(DASHBOARD) || KINDS.some((kind) => name.endsWith(kind)))
