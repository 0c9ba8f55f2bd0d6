import { withoutEscapes } from "../../domain/results/ResultText.ts"
import { type Child, h } from "./dom.ts"

const classOf: Readonly<Record<string, (line: string) => string>> = {
  diff: (line) =>
    /^(\+\+\+|---|@@|diff |index |Index: |=====)/.test(line)
      ? "mg-muted"
      : line.startsWith("+")
        ? "mg-added"
        : line.startsWith("-")
          ? "mg-removed"
          : "",
  log: (line) => {
    const level = /\b(?:(FATAL|CRITICAL|ERROR|Error:|Exception)|(WARN(?:ING)?)|(DEBUG|TRACE)|^\s+at )\b/.exec(
      line.slice(0, 160)
    )
    if (level === null) return ""
    return level[1] !== undefined ? "mg-tone-danger" : level[2] !== undefined ? "mg-tone-warning" : "mg-muted"
  }
}

/** Preformatted text as nodes: the lines of diffs and logs by what they are, without the escapes of terminals. */
export const lines = (source: string, language: string): ReadonlyArray<Child> => {
  const text = withoutEscapes(source)
  const kind = Object.hasOwn(classOf, language) ? classOf[language] : undefined
  if (kind === undefined) return [text]
  return text.split("\n").map((line, index, all) => {
    const shown = index === all.length - 1 ? line : `${line}\n`
    const name = kind(line)
    return name === "" ? shown : h("span", { class: name }, shown)
  })
}

/** How many lines a diff adds and removes. */
export const changesIn = (diff: string): { readonly added: number; readonly removed: number } => ({
  added: diff.match(/^\+(?!\+\+ )/gm)?.length ?? 0,
  removed: diff.match(/^-(?!-- )/gm)?.length ?? 0
})
