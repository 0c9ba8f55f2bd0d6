import type { ViewSession } from "../runtime/session.ts"

/** What a form needs of the call it is for: a page's session has it, and so has a host with a form of its own. */
export type FormSession = Pick<
  ViewSession,
  | "tool"
  | "extras"
  | "memory"
  | "isRunning"
  | "inputIsPartial"
  | "call"
  | "callTool"
  | "cancel"
  | "onInput"
  | "onResult"
  | "onBusy"
  | "onContext"
  | "onReplaced"
>
