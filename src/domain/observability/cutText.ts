/** Stands at the end of a text that was cut. */
export const cutNote = (length: number): string => `… (cut, ${length} characters)`

/** At most so many characters, and the note. A text that was cut before keeps its note. */
export const cutText = (text: string, longest: number): string => {
  if (text.length <= longest) return text
  const note = /… \(cut, \d+ characters\)$/.exec(text.slice(-40))?.[0] ?? cutNote(text.length)
  return `${text.slice(0, longest).toWellFormed()}${note}`
}
