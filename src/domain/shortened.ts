/** A text of at most so many characters; the ellipsis says that there was more. */
export const shortened = (text: string, longest: number): string =>
  text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text
