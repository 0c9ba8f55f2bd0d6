/** Replaces `text.slice(start, end)`; an insertion has `start === end`. */
export interface TextEdit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Applies edits that were made against the same text; one that lies in an earlier one is dropped. */
export const applyEdits = (text: string, edits: ReadonlyArray<TextEdit>): string => {
  let result = ""
  let at = 0
  for (const edit of [...edits].sort((a, b) => a.start - b.start)) {
    if (edit.start < at) continue
    result += text.slice(at, edit.start) + edit.text
    at = edit.end
  }
  return result + text.slice(at)
}
