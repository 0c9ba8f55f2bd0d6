/** Nothing of a server reaches a terminal but what shows on one line. */
export const shownText = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}]/gu, " ").slice(0, 200)

/** The name of a tool in a table: the start of a long one. */
export const shownName = (name: string): string => {
  const characters = [...shownText(name)]
  return characters.length > 60 ? `${characters.slice(0, 59).join("")}…` : characters.join("")
}

/** Columns as wide as their widest cell; the last one as it is. */
export const tableText = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)))
  const line = (row: ReadonlyArray<string>) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ")
  return rows.map((row) => line(row).trimEnd()).join("\n")
}
