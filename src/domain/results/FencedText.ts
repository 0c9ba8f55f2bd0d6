/**
 * Text of others between two tags, as the servers of MongoDB and Supabase write it: `<untrusted-data-(id)>`, the data,
 * `</untrusted-data-(id)>`. Beside it stands a warning not to obey what the data says.
 */
export interface FencedText {
  readonly before: string
  readonly inner: string
  readonly after: string
  /** The paragraphs beside the data that are meant for a model. */
  readonly warning: string
}

/** Tags that stand alone on a line: warnings name them within sentences. */
const opening = /^[ \t]*<+([a-z][\w-]{5,99})( [^<>\n]{0,200})?>+[ \t]*$/gim

const mostTries = 4

export const fenceIn = (text: string): FencedText | undefined => {
  if (!text.includes("<")) return undefined
  const tags = [...text.matchAll(opening)].filter(([, name, more = ""]) => /untrusted|\d[\da-f]{5}/i.test(name + more))
  for (const { 0: tag, 1: name = "", index } of tags.slice(0, mostTries)) {
    const rest = text.slice(index + tag.length)
    const end = new RegExp(`^[ \\t]*<+(?:/|END_)${name}( [^<>\\n]*)?>+[ \\t]*$`, "im").exec(rest)
    if (end === null) continue
    const warnings: Array<string> = []
    const plain = (beside: string): string =>
      beside
        .split(/\n[ \t]*\n/)
        .filter((paragraph) => {
          const isPlain = !paragraph.includes(name) && !/untrusted|instructions/i.test(paragraph)
          if (!isPlain) warnings.push(paragraph.trim())
          return isPlain
        })
        .join("\n\n")
        .trim()
    return {
      before: plain(text.slice(0, index)),
      inner: rest.slice(0, end.index).trim(),
      after: plain(rest.slice(end.index + end[0].length)),
      warning: warnings.join("\n\n")
    }
  }
  return undefined
}
