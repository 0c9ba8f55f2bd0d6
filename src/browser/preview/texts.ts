export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** What others say begins and ends as they like. */
export const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}.`.replace(/\.\.$/, ".")
