import { mountBuiltinView } from "../builtin/BuiltinView.ts"
import { schemaForm } from "../builtin/SchemaForm.ts"
import { App, attachedApps } from "./App.ts"
import { isObject } from "./Bridge.ts"
import type { Bridge } from "./Bridge.ts"
import { clearGeneratedPage } from "./generatedPage.ts"
import { replaySubject } from "./replaySubject.ts"
import type { ViewSession } from "./session.ts"
import type { CallToolResultLike, HostContext, JsonObject, PageData } from "./types.ts"

export interface RuntimeSession extends ViewSession {
  /** A view has asked for input or results, or has an `App` of its own. */
  readonly isStarted: boolean
  /** For the runtime itself: outlives views, and is not counted as one. */
  readonly observeResult: (listener: (result: CallToolResultLike) => void) => void
}

const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === "AbortError"

const argumentsOf = (params: JsonObject): JsonObject => (isObject(params.arguments) ? params.arguments : {})

/** The session of a page: what the bridge hears, as the views want it. */
export const createSession = (data: PageData, bridge: Bridge): RuntimeSession => {
  const app = new App({ name: `mcp-gen-ui ${data.tool.name}`, version: data.version }, {})
  const input = replaySubject<[JsonObject]>()
  const result = replaySubject<[CallToolResultLike, JsonObject]>()
  const cancelled = replaySubject<[string | undefined]>()
  const busy = replaySubject<[boolean]>()
  const failure = replaySubject<[unknown, JsonObject]>()
  const context = replaySubject<[HostContext]>()
  const replaced = replaySubject<[]>()
  const subjects = [input, result, cancelled, busy, failure, context, replaced]

  let inputIsPartial = false
  let isUsed = false
  let underWay = 0
  let hostIsCalling = false

  const takeInput = (args: JsonObject, partial: boolean): void => {
    inputIsPartial = partial
    cancelled.forget()
    failure.forget()
    input.emit(args)
  }

  bridge.onRecord(({ event, params, args }) => {
    switch (event) {
      case "toolinput":
      case "toolinputpartial":
        // Some hosts send the input of a call after its result: that is no new call.
        hostIsCalling = result.latest === undefined
        return takeInput(argumentsOf(params), event === "toolinputpartial" && hostIsCalling)
      case "toolresult":
        hostIsCalling = false
        inputIsPartial = false
        cancelled.forget()
        failure.forget()
        return result.emit(params, args ?? input.latest?.[0] ?? {})
      case "toolcancelled":
        hostIsCalling = false
        return cancelled.emit(typeof params.reason === "string" ? params.reason : undefined)
      case "hostcontextchanged":
        return context.emit(bridge.context ?? {})
    }
  })

  bridge.onOwnCall(({ args, outcome }) => {
    underWay++
    busy.emit(true)
    takeInput(args, false)
    const ended = (): void => busy.emit(--underWay > 0)
    outcome.then(ended, (error: unknown) => {
      ended()
      if (isAbort(error)) cancelled.emit(undefined)
      else failure.emit(error, args)
    })
  })

  const using = <F>(subscribe: F): F => {
    isUsed = true
    return subscribe
  }

  const session: RuntimeSession = {
    tool: data.tool,
    app,
    maxOutputDisplayBytes: data.limits.maxOutputDisplayBytes,
    onInput: (listener) => using(input).subscribe(listener),
    onResult: (listener) => using(result).subscribe(listener),
    onCancelled: cancelled.subscribe,
    onBusy: busy.subscribe,
    onContext: context.subscribe,
    onFailure: failure.subscribe,
    onReplaced: replaced.subscribe,
    get context() {
      return bridge.context
    },
    get inputIsPartial() {
      return inputIsPartial
    },
    get isRunning() {
      return hostIsCalling || underWay > 0
    },
    get isStarted() {
      return isUsed || attachedApps().size > 1
    },
    observeResult: (listener) => {
      bridge.onRecord(({ event, params }) => {
        if (event === "toolresult") listener(params)
      })
    },
    call: (args, options) => bridge.callTool({ name: data.tool.name, arguments: args }, options),
    callTool: (name, args) => bridge.request("tools/call", { name, arguments: args }),
    form: (options) => schemaForm(session, options),
    fallbackToBasic: (error) => {
      replaced.emit()
      for (const other of attachedApps()) if (other !== app) void other.close()
      for (const subject of subjects) subject.release()
      replaced.forget()
      clearGeneratedPage()
      mountBuiltinView(session, {
        fallback: data.fallback,
        ...(error === undefined ? {} : { pageError: error })
      })
    }
  }
  return session
}
