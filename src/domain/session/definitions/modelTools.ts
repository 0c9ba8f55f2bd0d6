import { MAX_FEEDBACK_CHARACTERS, MAX_VARIANTS } from "../wrapperToolArguments.ts"
import type { WrapperToolKind } from "../WrapperTool.ts"
import {
  changing,
  input,
  integer,
  level,
  nullableInteger,
  nullableText,
  object,
  readOnly,
  text,
  texts,
  toolName,
  uiType,
  versionNumber
} from "./pieces.ts"
import { details, others, outcome, rejected, selections, summary, variants, version } from "./uiFacts.ts"

const summaryNames = Object.keys(summary)

/** The tools for models, in full: what each does, takes and answers with. */
export const modelTools = {
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
  }
} as const satisfies Partial<Record<WrapperToolKind, object>>
