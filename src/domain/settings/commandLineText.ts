/** Words as a person types them in a shell. */
export const commandLineText = (words: ReadonlyArray<string>): string =>
  words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`)).join(" ")
