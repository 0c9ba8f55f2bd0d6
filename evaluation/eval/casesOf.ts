import type { Tool } from "../../src/domain/tools/Tool.ts"
import { seedOf } from "./Chance.ts"
import type { CorpusServer, RecordedCall } from "./corpus.ts"
import type { Theme } from "./Stage.ts"

/** A tool to try, or an answer to show. */
export interface Case {
  readonly id: string
  readonly tool: Tool
  readonly call: RecordedCall | undefined
  readonly theme: Theme
  /** CSS pixels of the frame. */
  readonly width: number
}

/** `*` stands for any characters; a pattern without `#` takes the answers of its tools along. */
const matcher = (pattern: string): ((id: string) => boolean) => {
  const source = pattern
    .split("*")
    .map((part) => part.replaceAll(/[^\w]/g, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`))
    .join(".*")
  const expression = new RegExp(`^${source}${pattern.includes("#") ? "" : "(?:#\\d+)?"}$`, "u")
  return (id) =>
    expression.test(id) || (!pattern.includes("*") && !pattern.includes("/") && id.split("/")[0] === pattern)
}

const lookOf = (id: string): { readonly theme: Theme; readonly width: number } => {
  const seed = seedOf(id)
  return { theme: seed % 2 === 0 ? "light" : "dark", width: (seed >> 1) % 2 === 0 ? 720 : 320 }
}

/** Every tool and every recorded answer, in a theme and a width that its name decides; of those, the ones that are asked for. */
export const casesOf = (servers: ReadonlyArray<CorpusServer>, only: ReadonlyArray<string>): ReadonlyArray<Case> => {
  const matchers = only.map(matcher)
  return servers
    .flatMap(({ calls, name, tools }) => [
      ...tools.map((tool) => ({ id: `${name}/${tool.name}`, tool, call: undefined })),
      ...calls.map((call) => ({ id: `${name}/${call.tool.name}#${call.index}`, tool: call.tool, call }))
    ])
    .filter(({ id }) => matchers.length === 0 || matchers.some((matches) => matches(id)))
    .map(({ call, id, tool }) => {
      const { theme, width } = lookOf(id)
      return { id, tool, call, theme, width }
    })
}
