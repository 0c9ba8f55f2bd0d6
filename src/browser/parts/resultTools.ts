import type { JsonRecord } from "../../domain/results/ResultColumn.ts"
import type { ViewSession } from "../runtime/session.ts"
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

/** Offers it as a file that is named after `title`. */
export const saved = (
  session: ViewSession | undefined,
  title: string,
  { extension, mimeType, text }: Takeaway
): Promise<void> | undefined => session?.download({ name: fileNameOf(title, extension), mimeType, text: text() })

/** Copies and downloads what is on screen at that time. Downloads need the session. */
export const resultTools = (chosen: () => Takeaway, shown: Node): HTMLElement => {
  const session = sessionOrNone()
  const save = (): unknown => saved(session, session?.tool.name ?? "", chosen())
  const copied = (): string => {
    const { copied, text } = chosen()
    return (copied ?? text)()
  }
  return h(
    "div",
    { class: "mg-result-tools" },
    copyButton(copied, shown),
    session !== undefined &&
      button("Download", save, { small: true, kind: "plain", icon: "down", needs: "ui/download-file" })
  )
}
