import type { App } from "./App.ts"
import type { CallToolResultLike, HostContext, JsonObject, ToolData } from "./types.ts"

/** Ends a subscription. Calling it twice does nothing. */
export type Unsubscribe = () => void

export interface FormOptions {
  /** How the form begins. Default `false`. */
  readonly collapsed?: boolean
  /** Whether it folds itself to one line when a call begins or brings a result. Default `true`. */
  readonly folds?: boolean
}

/**
 * What a view knows of the call it shows. There is one session for each page; it outlives a switch of views.
 * Every `on…` gives a late subscriber the latest value at once, so the order of registration does not matter.
 */
export interface ViewSession {
  readonly tool: ToolData
  readonly app: App
  /** UTF-8 bytes of a result that are drawn before "Show all" is asked for. */
  readonly maxOutputDisplayBytes: number
  /** Arguments of the call on screen: from the host, or from `call`. Partial while the model types (see `inputIsPartial`). */
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
   * Calls this tool; the result goes to `onResult` too. A tool that fails is a result with `isError`; the promise
   * rejects when the call itself did not happen (host refused, connection lost), and that reaches `onFailure` too.
   */
  readonly call: (args: JsonObject, options?: { readonly signal?: AbortSignal }) => Promise<CallToolResultLike>
  /** A call of this tool that did not happen. */
  readonly onFailure: (listener: (error: unknown, args: JsonObject) => void) => Unsubscribe
  /** Calls another tool of the same server; its result goes to nobody else. */
  readonly callTool: (name: string, args: JsonObject) => Promise<CallToolResultLike>
  /** The page is about to be taken over by another view: the time to stop timers. Subscriptions end by themselves. */
  readonly onReplaced: (listener: () => void) => Unsubscribe
  /** The schema form wired to `call`. */
  readonly form: (options?: FormOptions) => HTMLElement
  /** Replaces the page by the built-in view, keeping input and result. */
  readonly fallbackToBasic: (error?: unknown) => void
}

let current: ViewSession | undefined

/** Called once, by the runtime, before any view runs. */
export const openSession = (session: ViewSession): void => {
  current = session
}

/** The session of this page; throws before the runtime has opened it. */
export const currentSession = (): ViewSession => {
  if (current === undefined) throw new Error("the page runtime has not started")
  return current
}
