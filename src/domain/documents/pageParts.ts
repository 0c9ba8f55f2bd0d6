/**
 * Parts that stand in the page that imports them, so that no other document carries them, and that a page on screen can take
 * them over with a new version. They are built on the parts of the runtime, and no built-in UI needs them.
 */
export const PAGE_PARTS = [
  "anatomy",
  "bar",
  "card",
  "cells",
  "compare",
  "copy",
  "facts",
  "form",
  "frame",
  "input",
  "pager",
  "rating",
  "request",
  "scale",
  "wizard"
] as const

/** What a source names in its imports of parts; all of it where it imports them as one object. */
const importedIn = (source: string): string => {
  const before = source.split("mcp-gen-ui/parts").slice(0, -1)
  const clauses = before.map((text) => text.slice(text.lastIndexOf("import")))
  return clauses.some((clause) => clause.includes("*")) ? source : clauses.join()
}

/** The page parts that a source imports. */
export const pagePartsIn = (source: string): ReadonlyArray<string> => {
  const names = new Set(importedIn(source).match(/\w+/g))
  return PAGE_PARTS.filter((part) => names.has(part))
}

/** A source with the code of its page parts before its first script. */
export const withPageParts = (source: string, codes: ReadonlyArray<string>): string =>
  source.replace(/<script/i, (tag) => `${codes.map((code) => `<script>${code}</script>`).join("")}${tag}`)

/** The code that lends a page the drawings whose names stand in its texts; nothing where it imports no part that draws them. */
export const drawingsFor = (source: string, paths: Readonly<Record<string, string>>): ReadonlyArray<string> => {
  const names = new Set(Array.from(source.matchAll(/["'`]([a-z][a-z0-9-]*)["'`]/g), ([, name = ""]) => name))
  const lent = Object.fromEntries(
    [...names].flatMap((name) => (Object.hasOwn(paths, name) ? [[name, paths[name]]] : []))
  )
  return Object.keys(lent).length === 0 ? [] : [`mcpGenUi.lend(${JSON.stringify(lent)})`]
}
