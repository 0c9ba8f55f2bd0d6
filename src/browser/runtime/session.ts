import type { UiExtras } from "../../domain/tools/UiExtras.ts"
import type { App } from "./App.ts"
import type { CallToolResultLike, HostContext, JsonObject, ToolData } from "./types.ts"

/** Ends a subscription. Calling it twice does nothing. */
type Unsubscribe = () => void

export interface FormOptions {
  /** How the form begins. Default `false`. */
  readonly collapsed?: boolean
  /** Whether it folds itself to one line when a call begins or brings a result. Default `true`. */
  readonly folds?: boolean
}

/** What a person has chosen in a view, as the model will hear it. */
export interface Selection {
  /** JSON values, in the order of the view. Empty: nothing is chosen now. */
  readonly items: ReadonlyArray<unknown>
  /** What they are, in a word or two, for the sentence to the model: "issues", "rows". */
  readonly noun?: string
  /** How many are chosen, where that is more than the items: all that match `filter`. */
  readonly total?: number
  /** The arguments of this tool that choose them. */
  readonly filter?: JsonObject
}

/** A file that a view offers. */
export interface DownloadFile {
  /** With its extension. */
  readonly name: string
  readonly mimeType: string
  /** Either text, or base64 of the bytes. */
  readonly text?: string
  readonly blob?: string
}

/** Progress of the call under way (`notifications/progress` of MCP). */
export interface CallProgress {
  readonly progress: number
  readonly total?: number
  readonly message?: string
}

/**
 * What a view remembers when the host takes the page down and brings it back: the order and page of a table, the tab,
 * what was typed. JSON values. The browser's storage keeps it where the sandbox has one; else it lasts as long as the
 * page.
 */
export interface ViewMemory {
  readonly get: (key: string) => unknown
  /** `undefined` forgets. */
  readonly set: (key: string, value: unknown) => void
}

/** How the host shows the page, and how to ask for another way. */
interface DisplayModes {
  readonly current: string
  /** What the host offers, and the current mode. Empty when the host does not say. */
  readonly available: ReadonlyArray<string>
  /** Asks the host. Answers with the mode that the host allowed. */
  readonly request: (mode: string) => Promise<string>
}

/**
 * What a view knows of the call it shows. There is one session for each page; it outlives a switch of views.
 * Every `on…` gives a late subscriber the latest value at once, so the order of registration does not matter.
 */
export interface ViewSession {
  readonly tool: ToolData
  /** What other tools add to the page; only pages with the wide runtime have any. */
  readonly extras: UiExtras | undefined
  readonly app: App
  /** UTF-8 bytes of a result that are drawn before "Show all" is asked for. */
  readonly maxOutputDisplayBytes: number
  /**
   * Arguments of the call on screen: from the host, or from `call`. Not complete while the model types (see
   * `inputIsPartial`).
   */
  readonly onInput: (listener: (args: JsonObject) => void) => Unsubscribe
  /** Every result for this tool: from the host, from `call`, and from `App.callServerTool` of this tool. */
  readonly onResult: (listener: (result: CallToolResultLike, args: JsonObject) => void) => Unsubscribe
  readonly onCancelled: (listener: (reason: string | undefined) => void) => Unsubscribe
  /** True while a call of this tool that the page itself made is under way. */
  readonly onBusy: (listener: (busy: boolean) => void) => Unsubscribe
  readonly onContext: (listener: (context: HostContext) => void) => Unsubscribe
  readonly context: HostContext | undefined
  /** True while the latest input came from `tool-input-partial`. */
  readonly inputIsPartial: boolean
  /** True from the input of a call until its result, its failure or its cancellation. */
  readonly isRunning: boolean
  /**
   * Calls this tool. The result goes to `onResult` too. When a tool fails, that is a result with `isError`. The promise
   * rejects when the call itself did not happen (host refused, connection lost), and `onFailure` hears that too.
   */
  readonly call: (args: JsonObject, options?: { readonly signal?: AbortSignal }) => Promise<CallToolResultLike>
  /** Ends the calls of this tool that `call` has under way. */
  readonly cancel: () => void
  /** A call of this tool that did not happen. */
  readonly onFailure: (listener: (error: unknown, args: JsonObject) => void) => Unsubscribe
  /**
   * Calls another tool of the same server. Nobody else gets its result. `isAgreed`: it is one of many that a trusted press
   * has asked for, and passes the gate.
   */
  readonly callTool: (name: string, args: JsonObject, isAgreed?: boolean) => Promise<CallToolResultLike>
  /**
   * Tells the host (`ui/update-model-context`) and the wrapper (`_ui_select`) what is chosen. Several in a row become
   * one.
   */
  readonly select: (selection: Selection) => void
  /**
   * Saves through the host (`ui/download-file`), else by a link where the sandbox lets it. Rejects with what to do
   * instead.
   */
  readonly download: (file: DownloadFile) => Promise<void>
  /** Puts text on the clipboard; rejects where neither the clipboard nor the old command works. */
  readonly copy: (text: string) => Promise<void>
  /** Why the host takes no such request of a view (its method, or the code that makes it); `undefined` if it may. */
  readonly refusal: (asked: string) => string | undefined
  readonly memory: ViewMemory
  /** For the call on screen. `undefined` when it is over. */
  readonly onProgress: (listener: (progress: CallProgress | undefined) => void) => Unsubscribe
  readonly displayModes: DisplayModes
  /** Another view, or the host, takes the page: stop timers now. Subscriptions end by themselves. */
  readonly onReplaced: (listener: () => void) => Unsubscribe
  /** Arguments of this tool for people to see: dots for passwords and keys. */
  readonly withoutSecrets: (args: JsonObject) => JsonObject
  /** The schema form wired to `call`. */
  readonly form: (options?: FormOptions) => HTMLElement
  /** The view could not draw: the version before, or the built-in view, takes its place. */
  viewFailed: (error: unknown) => void
  /** Replaces the page by the built-in view, keeping input and result. */
  readonly fallbackToBasic: (error?: unknown) => void
}

let current: ViewSession | undefined

/** Called by the runtime before any view runs; a dashboard gives each of its cards a session of its own. */
export const openSession = (session: ViewSession): void => {
  current = session
}

/** The session of this page; throws before the runtime has opened it. */
export const currentSession = (): ViewSession => {
  if (current === undefined) throw new Error("the page runtime has not started")
  return current
}
