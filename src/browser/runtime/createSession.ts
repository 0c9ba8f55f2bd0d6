import { isObject } from "../../domain/isObject.ts"
import { mountBuiltinView } from "../builtin/BuiltinView.ts"
import type { BuiltinViewOptions } from "../builtin/BuiltinView.ts"
import { formModel } from "../../domain/forms/FormModel.ts"
import { masked } from "../forms/formMemory.ts"
import { schemaForm } from "../forms/schemaForm.ts"
import { attempt } from "../parts/values.ts"
import { App, attachedApps } from "./App.ts"
import type { Bridge } from "./Bridge.ts"
import { copyText } from "./copyText.ts"
import { downloadFile } from "./downloadFile.ts"
import { clearGeneratedPage } from "./generatedPage.ts"
import type { Fault } from "./pageFault.ts"
import { showPlainView } from "./plainView.ts"
import { replaySubject } from "./replaySubject.ts"
import { selectionUpdates } from "./selectionUpdates.ts"
import type { CallProgress, ViewSession } from "./session.ts"
import type { CallToolResultLike, FallbackData, HostContext, JsonObject, PageData } from "./types.ts"
import { endViewEffects } from "./viewEffects.ts"
import { type RuntimeMemory, viewMemory } from "./viewMemory.ts"

export interface RuntimeSession extends ViewSession {
  readonly memory: RuntimeMemory
  /** A view has asked for input or results, or has an `App` of its own. */
  readonly isStarted: boolean
  /** For the runtime itself: the listener outlives views, and does not count as one. */
  readonly observeResult: (listener: (result: CallToolResultLike) => void) => void
  /** For the runtime itself: a view leaves, whatever replaces it. */
  readonly observeLeave: (listener: () => void) => void
  /** Ends the view on screen: its subscriptions, `App`s, timers and listeners. Its elements stay. */
  readonly leaveView: () => void
  /** Puts the built-in view on screen, at worst as plain text; never throws. */
  showBasic: (options: BuiltinViewOptions) => void
  /** Why the view on screen is not the one that was asked for. */
  fallback: FallbackData | null
  /** Whether the runtime handles a fault of a view itself: a new version is on trial. */
  intercept: (fault: Fault) => boolean
  /** The last level: text, now and for every result to come. */
  readonly showPlain: (error: unknown) => void
}

const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === "AbortError"

const argumentsOf = (params: JsonObject): JsonObject => (isObject(params.arguments) ? params.arguments : {})

/** The session of a page: what the bridge hears, as the views want it. */
export const createSession = (data: PageData, bridge: Bridge): RuntimeSession => {
  const app = new App(
    { name: `mcp-gen-ui ${data.tool.name}`, version: data.version },
    { availableDisplayModes: data.displayModes ?? ["inline", "fullscreen", "pip"] }
  )
  const input = replaySubject<[JsonObject]>()
  const result = replaySubject<[CallToolResultLike, JsonObject]>()
  const cancelled = replaySubject<[string | undefined]>()
  const busy = replaySubject<[boolean]>()
  const failure = replaySubject<[unknown, JsonObject]>()
  const context = replaySubject<[HostContext]>()
  const progress = replaySubject<[CallProgress | undefined]>()
  const replaced = replaySubject<[]>()
  const subjects = [input, result, cancelled, busy, failure, context, progress, replaced]
  const memory = viewMemory(data.tool.name)
  const selection = selectionUpdates(data, app, bridge)

  let inputIsPartial = false
  let isUsed = false
  let underWay = 0
  let hostIsCalling = false
  const ownCalls = new Set<AbortController>()
  const leaving = new Set<() => void>()

  const takeProgress = ({ progress: done, total, message }: JsonObject): void => {
    if (typeof done !== "number") return
    progress.emit({
      progress: done,
      ...(typeof total === "number" ? { total } : {}),
      ...(typeof message === "string" ? { message } : {})
    })
  }

  const endCall = (): void => {
    if (progress.latest?.[0] !== undefined) progress.emit(undefined)
  }

  const takeInput = (args: JsonObject, partial: boolean): void => {
    inputIsPartial = partial
    cancelled.forget()
    failure.forget()
    endCall()
    if (!partial) memory.open(args)
    input.emit(args)
  }

  bridge.onRecord(({ event, params, args }) => {
    switch (event) {
      case "toolinput":
      case "toolinputpartial": {
        const isPartial = event === "toolinputpartial"
        // Partial input says nothing new after the whole input or the result.
        if (isPartial && (result.latest !== undefined || (hostIsCalling && !inputIsPartial))) return
        // Some hosts send the input of a call after its result: that is not a new call.
        hostIsCalling = result.latest === undefined
        return takeInput(argumentsOf(params), isPartial)
      }
      case "toolresult":
        hostIsCalling = false
        inputIsPartial = false
        cancelled.forget()
        failure.forget()
        endCall()
        memory.open(bridge.context?.toolInfo?.id)
        // The rows of the old result are gone, so nothing is selected any more.
        selection.select({ items: [] })
        return result.emit(params, args ?? input.latest?.[0] ?? {})
      case "toolcancelled":
        hostIsCalling = false
        endCall()
        return cancelled.emit(typeof params.reason === "string" ? params.reason : undefined)
      case "hostcontextchanged":
        return context.emit(bridge.context ?? {})
    }
  })

  bridge.onOwnCall(({ args, outcome }) => {
    underWay++
    busy.emit(true)
    takeInput(args, false)
    const ended = (): void => {
      if (--underWay === 0) endCall()
      busy.emit(underWay > 0)
    }
    outcome.then(ended, (error: unknown) => {
      ended()
      if (isAbort(error)) cancelled.emit(undefined)
      else failure.emit(error, args)
    })
  })

  bridge.onNotification((method, params) => {
    const isOfHost = method === "notifications/progress" && !bridge.isAwaited(params.progressToken)
    if (isOfHost && hostIsCalling) takeProgress(params)
  })

  bridge.onTeardown(() => {
    replaced.emit()
    memory.flush()
    return selection.flush()
  })

  const using = <F>(subscribe: F): F => {
    isUsed = true
    return subscribe
  }

  const session: RuntimeSession = {
    tool: data.tool,
    extras: data.extras,
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
    call: async (args, options) => {
      const controller = new AbortController()
      const { signal } = controller
      const given = options?.signal
      const abort = (): void => controller.abort(given?.reason)
      if (given?.aborted === true) abort()
      given?.addEventListener("abort", abort)
      ownCalls.add(controller)
      try {
        return await bridge.callTool({ name: data.tool.name, arguments: args }, { signal, onprogress: takeProgress })
      } finally {
        ownCalls.delete(controller)
        given?.removeEventListener("abort", abort)
      }
    },
    cancel: () => {
      for (const controller of ownCalls) controller.abort()
    },
    callTool: (name, args, isAgreed) => bridge[isAgreed ? "ask" : "request"]("tools/call", { name, arguments: args }),
    select: selection.select,
    download: (file) => downloadFile(app, file),
    copy: copyText,
    refusal: (asked) => bridge.refusal(asked),
    memory,
    onProgress: progress.subscribe,
    displayModes: {
      get current() {
        return bridge.context?.displayMode ?? "inline"
      },
      get available() {
        return bridge.context?.availableDisplayModes ?? []
      },
      request: async (mode) => {
        const granted = String((await app.requestDisplayMode({ mode })).mode ?? mode)
        if (granted !== bridge.context?.displayMode) bridge.changeContext({ displayMode: granted })
        return granted
      }
    },
    withoutSecrets: (args) => masked(args, formModel(data.tool.inputSchema).root) as JsonObject,
    form: (options) => schemaForm(session, options),
    fallback: data.fallback,
    intercept: () => false,
    viewFailed: (error) => session.fallbackToBasic(error),
    observeLeave: (listener) => void leaving.add(listener),
    leaveView: () => {
      replaced.emit()
      for (const other of attachedApps()) if (other !== app) attempt(() => other.close())
      for (const subject of subjects) subject.release()
      replaced.forget()
      selection.select({ items: [] })
      endViewEffects()
      for (const listener of leaving) listener()
    },
    showBasic: (options) => {
      const failed = (error: unknown): void => session.showPlain(options.pageError ?? error)
      try {
        clearGeneratedPage()
        mountBuiltinView(session, { onError: failed, ...options })
      } catch (error) {
        failed(error)
      }
    },
    showPlain: (error) => {
      const draw = (result?: JsonObject): void => showPlainView(data.tool.name, error, result)
      draw(bridge.recorded.get("toolresult")?.params)
      session.observeResult(draw)
    },
    fallbackToBasic: (error) => {
      session.leaveView()
      session.showBasic({ fallback: session.fallback, ...(error === undefined ? {} : { pageError: error }) })
    }
  }
  return session
}
