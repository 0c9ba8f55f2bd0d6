/** Who writes UIs: a provider of ours, the model that the host talks to, or nobody. */
export type UiWriter = "model" | "host" | "nobody"

/** Which of the wrapper's tools a host lists to its model; all of them work when they are called. */
export type WrapperListing = "all" | "few" | "none"

type Definition = Readonly<Record<string, unknown>>

const text = { type: "string" } as const
const reads = { readOnlyHint: true } as const
const changes = { destructiveHint: false } as const

const input = (properties: Definition, ...required: ReadonlyArray<string>) => ({
  type: "object",
  properties,
  ...(required.length === 0 ? {} : { required })
})

const undo = { type: "integer", description: "Show this version again; 0: built-in" } as const

/**
 * The few tools that a model sees, in the fewest words by which it finds the way: each model pays for them in each chat,
 * for each server. `docs/no-key.md` tells how the words were tried.
 */
export const shortTools = (prefix: string, writer: UiWriter): Readonly<Record<string, Definition>> => ({
  ...(writer === "nobody"
    ? {}
    : {
        refine: {
          description:
            writer === "host"
              ? `When the user asks to change how results of a tool of this server look (group, sort, nicer, undo): tells how to write that tool's page with ${prefix}write.`
              : "When the user asks to change how results of a tool of this server look (group, sort, nicer, undo): has that tool's page rewritten.",
          inputSchema: input({ toolName: text, feedback: text, version: undo }, "toolName"),
          annotations: changes
        }
      }),
  ...(writer === "host"
    ? {
        write: {
          description: `Shows \`source\` as the page of a tool, or answers what to mend. Only if the user asked, and after ${prefix}refine.`,
          inputSchema: input({ toolName: text, source: text }, "toolName", "source"),
          annotations: changes
        }
      }
    : {}),
  list: {
    description: 'What the user selected on screen ("these three"), and the pages of this server\'s tools.',
    inputSchema: input({ toolName: text }),
    annotations: reads
  }
})

/** What pages call, for hosts that show it to models all the same. */
export const shortPageTool: Definition = {
  description: "Not for the model: pages of this server call it.",
  inputSchema: { type: "object" },
  annotations: reads
}
