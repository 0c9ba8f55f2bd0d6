import { type LearnedResults, NOTHING_LEARNED } from "../tools/LearnedResults.ts"
import { type Tool, toolFromDefinition } from "../tools/Tool.ts"

/** What a prompt is made of; `services/PromptLibrary` calls it `GenerateInput`. */
interface PromptProbe {
  readonly tool: Tool
  readonly hints: {
    readonly uiType?: "rich" | "minimal"
    readonly theme?: "light" | "dark"
    readonly interactivity?: "low" | "medium" | "high"
    readonly prompt?: string
    readonly examples?: ReadonlyArray<string>
  }
  readonly refinements: ReadonlyArray<string>
  readonly learned: LearnedResults
  readonly currentSource: string | null
  readonly secondDraft?: {
    readonly of: string
    readonly report: ReadonlyArray<string>
    readonly members: ReadonlyArray<string>
  }
}

const PLAIN = toolFromDefinition({ name: "sample", inputSchema: { type: "object" } })

const DEFINED = toolFromDefinition({
  name: "sample",
  title: "Sample",
  description: "A sample.",
  inputSchema: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
  outputSchema: { type: "object", properties: { name: { type: "string" } } },
  annotations: { readOnlyHint: true }
})
const FULL: Tool | undefined = DEFINED && {
  ...DEFINED,
  callable: ["sample", "other"],
  related: ["other(id)"],
  extras: { records: { noun: "sample", get: { name: "other", id: "id", scope: [] } } }
}

const plainProbe = (tool: Tool, currentSource: string | null): PromptProbe => ({
  tool,
  hints: {},
  refinements: [],
  learned: NOTHING_LEARNED,
  currentSource
})

const fullProbe = (tool: Tool, uiType: "rich" | "minimal", currentSource: string | null): PromptProbe => ({
  tool,
  hints: { uiType, theme: "dark", interactivity: "high", prompt: "request", examples: ["example"] },
  refinements: Array.from({ length: 200 }, (_, index) => `refinement ${index}`),
  learned: { shape: "{ name: string }", results: [{ args: { id: "1" }, data: { name: "a" } }] },
  currentSource
})

/** Inputs with only a tool, and with every value present: for a first page, a change, and a second draft. */
export const PROMPT_PROBES: ReadonlyArray<PromptProbe> =
  PLAIN === undefined || FULL === undefined
    ? []
    : [
        plainProbe(PLAIN, null),
        plainProbe(PLAIN, "source"),
        fullProbe(FULL, "rich", null),
        fullProbe(FULL, "minimal", null),
        fullProbe(FULL, "rich", "source"),
        { ...plainProbe(PLAIN, "source"), secondDraft: { of: "1", report: [], members: [] } },
        {
          ...fullProbe(FULL, "rich", "source"),
          secondDraft: { of: "1", report: ["text is cut off: td"], members: ["name"] }
        }
      ]
