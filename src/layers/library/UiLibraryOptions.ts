import type { Limits, Theme, ToolHints } from "../../services/settings/Settings.ts"

export interface UiLibraryOptions {
  readonly theme: Theme
  readonly limits: Limits
  /** What is asked of every view. */
  readonly prompt: string | undefined
  /** What is asked of the views of single tools, by their names. */
  readonly tools: Readonly<Record<string, ToolHints>>
  /** The temperature that the model is set to. */
  readonly temperature: number | undefined
  /** Milliseconds that one generation may take, as its readers see it. */
  readonly timeoutMs: number
  readonly onTimeout: "abort" | "continue"
  /** A folder with UIs made by hand. */
  readonly uiDirectory: string | undefined
  /** Saves each page that is served for the first time. */
  readonly debug: boolean
}
