import { FAULT_KINDS, MAX_FAULT_MESSAGE, MAX_FAULT_PLACES, MAX_FAULT_SHAPE } from "../../tools/PageFault.ts"
import { MAX_FAULTS, MAX_MEMBERS, MAX_REPORT_CHARACTERS } from "../../tools/PageReport.ts"
import { MAX_NOUN_LENGTH, MAX_SELECTED_ITEMS } from "../KeptSelection.ts"
import type { WrapperToolKind } from "../WrapperTool.ts"
import {
  fallback,
  input,
  integer,
  level,
  nullableInteger,
  object,
  readOnly,
  text,
  texts,
  toolName,
  uiType,
  versionNumber
} from "./pieces.ts"

const token = { type: "string", minLength: 1, description: "Of the page that asks, as its document has it" } as const

const proof = { type: "string", description: "By this the page knows that the answer is ours" } as const

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

/** The tools that only pages call. */
export const pageTools = {
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
        opens: { type: "boolean", description: "It was opened just now; it asks again as soon as it has drawn" },
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
} as const satisfies Partial<Record<WrapperToolKind, object>>
