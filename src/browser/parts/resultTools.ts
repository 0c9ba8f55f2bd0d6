import type { JsonRecord } from "../../domain/results/ResultColumn.ts"
import { button } from "./button.ts"
import { copyButton } from "./copyButton.ts"
import { h } from "./dom.ts"
import { sessionOrNone } from "./host.ts"
import { fileNameOf, separatedText } from "./tableText.ts"
import { jsonOf } from "./values.ts"

/** One way in which a result can be taken along. */
export interface Takeaway {
  readonly extension: string
  readonly mimeType: string
  readonly text: () => string
  /** For the clipboard, when that is another text than the file's. */
  readonly copied?: () => string
}

export const jsonTakeaway = (value: unknown): Takeaway => ({
  extension: "json",
  mimeType: "application/json",
  text: () => jsonOf(value, 2)
})

export const textTakeaway = (text: string, isMarkdown: boolean): Takeaway => ({
  extension: isMarkdown ? "md" : "txt",
  mimeType: isMarkdown ? "text/markdown" : "text/plain",
  text: () => text
})

/** Rows as a CSV file, and as what spreadsheets take from the clipboard. */
export const tableTakeaway = (rows: ReadonlyArray<JsonRecord>): Takeaway => ({
  extension: "csv",
  mimeType: "text/csv",
  text: () => separatedText(rows),
  copied: () => separatedText(rows, "\t")
})

/** Copy and download of what is on screen at the time. Downloads need the session. */
export const resultTools = (chosen: () => Takeaway, shown: Node): HTMLElement => {
  const session = sessionOrNone()
  const save = async (): Promise<void> => {
    const { extension, mimeType, text } = chosen()
    await session?.download({ name: fileNameOf(session.tool.name, extension), mimeType, text: text() })
  }
  const copied = (): string => {
    const { copied, text } = chosen()
    return (copied ?? text)()
  }
  return h(
    "div",
    { class: "mg-result-tools" },
    copyButton(copied, shown),
    session !== undefined && button("Download", save, { small: true, kind: "plain", icon: "down" })
  )
}
