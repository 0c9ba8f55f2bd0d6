import type { Progress, Tool } from "@modelcontextprotocol/client"

/** The name of a tool for people. */
export const titleOf = ({ annotations, name, title }: Tool): string => title ?? annotations?.title ?? name

/** How far a call is. */
export const progressText = ({ message, progress, total }: Progress): string => {
  const much = total === undefined ? progress.toLocaleString("en") : `${Math.round((100 * progress) / total)}%`
  return message === undefined ? `Calling… ${much}` : `Calling… ${much}, ${message}`
}

/** What a server says of a tool, in a few words each; its name is the first. */
export const factsOf = ({ name, annotations = {} }: Tool): ReadonlyArray<string> => [
  name,
  ...(annotations.readOnlyHint === true ? ["read-only"] : []),
  ...(annotations.readOnlyHint !== true && annotations.destructiveHint === true ? ["destructive"] : []),
  ...(annotations.idempotentHint === true ? ["idempotent"] : [])
]
