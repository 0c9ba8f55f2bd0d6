export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Makes a sentence of what others say: they may leave out the capital and the full stop. */
export const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}.`.replace(/\.\.$/, ".")
