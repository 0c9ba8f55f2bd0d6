/**
 * Text of others between two tags, as the servers of MongoDB and Supabase write it: `<untrusted-data-(id)>`, the data,
 * `</untrusted-data-(id)>`. Beside it stands a warning not to obey what the data says.
 */
export interface FencedText {
  readonly name: string
  readonly before: string
  readonly inner: string
  readonly after: string
}

/** Tags that stand alone on a line: warnings name them within sentences. */
const opening = /^[ \t]*<+([a-z][\w-]{5,99})( [^<>\n]{0,200})?>+[ \t]*$/gim

const closing = /^[ \t]*<+(?:\/|END_)([a-z][\w-]{5,99})(?: [^<>\n]{0,200})?>+[ \t]*$/gim

/** The first fence in a text. */
export const fenceIn = (text: string): FencedText | undefined => {
  let tries = 4
  for (const { 0: tag, 1: name = "", 2: more = "", index } of text.includes("<") ? text.matchAll(opening) : []) {
    if (!/untrusted|\d[\da-f]{5}/i.test(name + more)) continue
    const rest = text.slice(index + tag.length)
    const end = [...rest.matchAll(closing)].find(([, closed]) => closed === name)
    if (end !== undefined)
      return {
        name,
        before: text.slice(0, index),
        inner: rest.slice(0, end.index).trim(),
        after: rest.slice(end.index + end[0].length)
      }
    if (--tries === 0) return undefined
  }
  return undefined
}

/** The paragraphs beside a fence that are for people; `notes` gets those that warn a model. */
export const withoutWarnings = (beside: string, name: string, notes: Array<string>): string =>
  beside
    .split(/\n[ \t]*\n/)
    .filter((paragraph) => {
      const isPlain = !paragraph.includes(name) && !/untrusted|instructions/i.test(paragraph)
      if (!isPlain) notes.push(paragraph.trim())
      return isPlain
    })
    .join("\n\n")
    .trim()
