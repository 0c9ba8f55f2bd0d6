import type { Progress, Tool } from "@modelcontextprotocol/client"

export const titleOf = ({ annotations, name, title }: Tool): string => title ?? annotations?.title ?? name

export const progressText = ({ message, progress, total }: Progress): string => {
  const much = total === undefined ? progress.toLocaleString("en") : `${Math.round((100 * progress) / total)}%`
  return message === undefined ? `Calling… ${much}` : `Calling… ${much}, ${message}`
}

/** What a server says about a tool, in a few words each. The name comes first. */
export const factsOf = ({ name, annotations = {} }: Tool): ReadonlyArray<string> => [
  name,
  ...(annotations.readOnlyHint === true ? ["read-only"] : []),
  ...(annotations.readOnlyHint !== true && annotations.destructiveHint === true ? ["destructive"] : []),
  ...(annotations.idempotentHint === true ? ["idempotent"] : [])
]
