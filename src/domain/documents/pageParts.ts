/**
 * Parts that stand in the page that imports them, so that no other document carries them, and that a page on screen can take
 * them over with a new version. They are built on the parts of the runtime.
 */
export const PAGE_PARTS = ["wizard"] as const

/** The page parts that a source names. */
export const pagePartsIn = (source: string): ReadonlyArray<string> => PAGE_PARTS.filter((part) => source.includes(part))

/** A source with the code of its page parts before its first script. */
export const withPageParts = (source: string, codes: ReadonlyArray<string>): string =>
  source.replace(/<script/i, (tag) => `${codes.map((code) => `<script>${code}</script>`).join("")}${tag}`)
