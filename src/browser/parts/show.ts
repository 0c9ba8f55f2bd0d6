import type { JsonRecord } from "../../domain/results/ResultColumn.ts"
import { resultShape, type ResultShape } from "../../domain/results/ResultShape.ts"
import type { ViewSession } from "../runtime/session.ts"
import type { CallToolResultLike, JsonObject } from "../runtime/types.ts"
import { button } from "./button.ts"
import { append, type Child, fragment, h, safeUrl } from "./dom.ts"
import { hostContext, hostTimeZone, sessionOrNone } from "./host.ts"
import { disclosure, errorBox, status } from "./layout.ts"
import { json } from "./media.ts"
import { resultView } from "./resultView.ts"
import { installStyles } from "./styles.ts"
import { attempt, cancellationText, messageOf, optionsOf, textOf } from "./values.ts"

export interface ShowOptions {
  /** The form for new input: "collapsed" unless told; "open" stays open. */
  readonly form: "open" | "collapsed" | "none"
  /** Where the view goes: an element or a selector; the body unless told. */
  readonly into: Element | string
}

/** What `render` gets beside the data. */
export interface ShowContext {
  /** The arguments of the call that made this result. */
  readonly args: JsonObject
  /** The result as it came. */
  readonly result: CallToolResultLike
  readonly texts: ReadonlyArray<string>
  /** Structured content or JSON found in the text; `undefined` when there is neither. */
  readonly json: unknown
  /**
   * Calls a tool of the same server and answers with its data. `call(args)` or the name of this tool calls this tool, and the
   * view is drawn again with the result. Rejects with the tool's message when the tool fails.
   */
  readonly call: (name: string | JsonObject, args?: JsonObject) => Promise<unknown>
  /** Opens an http, https or mailto address through the host. */
  readonly open: (url: string) => void
  /** Puts a message from the person into the conversation. */
  readonly say: (text: string) => Promise<void>
  /** Draws again with other data. */
  readonly update: (data: unknown) => void
  /** Runs `run` every so many seconds (at least 1) until stopped or drawn again; not while the page is hidden. */
  readonly every: (seconds: number, run: () => unknown) => () => void
  /** Runs before the view is drawn again. */
  readonly onCleanup: (run: () => void) => void
  readonly theme: "light" | "dark"
  readonly locale: string
  readonly timeZone: string
}

type Render = (data: never, context: ShowContext) => unknown

const themeNow = (): "light" | "dark" => {
  const told = document.documentElement.dataset.theme ?? hostContext().theme
  if (told === "dark" || told === "light") return told
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"
}

const NO_REASON = "No reason was given."

const target = (into: unknown): Element => {
  const found = typeof into === "string" ? attempt(() => document.querySelector(into)) : into
  return found instanceof Element ? found : document.body
}

const skeleton = (): HTMLElement =>
  h("div", { class: "mg-skeleton", "aria-hidden": "true" }, h("span"), h("span"), h("span"))

class ShownView {
  readonly #session: ViewSession
  readonly #render: Render
  readonly #root: HTMLElement
  readonly #title: HTMLElement
  readonly #live = h("div", { class: "mg-hidden", role: "status" })
  readonly #message = h("div", { class: "mg-stack" })
  readonly #content = h("div", { class: "mg-stack mg-content", tabindex: -1 })
  readonly #raw = h("div")
  #cleanups: Array<() => void> = []
  #hasResult = false
  #isReplaced = false
  #turn = 0

  constructor(session: ViewSession, render: Render, options: Partial<ShowOptions>) {
    this.#session = session
    this.#render = render
    const isOpen = options.form === "open"
    const form = options.form === "none" ? undefined : session.form({ collapsed: !isOpen, folds: !isOpen })
    if (form === undefined) this.#content.append(skeleton())
    this.#title = h("h1", { class: "mg-hidden" }, session.tool.title ?? session.tool.name)
    this.#root = h(
      "main",
      { class: "mg-app mg-stack" },
      this.#title,
      form,
      this.#live,
      this.#message,
      this.#content,
      this.#raw
    )
    target(options.into).appendChild(this.#root)
    session.onInput(() => this.#wait())
    session.onBusy((busy) => this.#busy(busy))
    session.onResult((result, args) => this.#receive(result, args))
    session.onCancelled((reason) => this.#cancelled(reason))
    session.onFailure((error, args) => this.#failed(error, args))
    session.onReplaced(() => {
      this.#isReplaced = true
      this.#turn++
      this.#cleanUp()
    })
  }

  #say(text: string): void {
    this.#live.textContent = text
  }

  #wait(): void {
    if (this.#hasResult || this.#message.childNodes.length > 0) return
    this.#say("Waiting for the result")
    this.#content.replaceChildren(skeleton())
  }

  #busy(busy: boolean): void {
    this.#root.toggleAttribute("data-busy", busy)
    this.#content.setAttribute("aria-busy", String(busy))
    if (!busy) return
    this.#say("Loading")
    this.#message.replaceChildren()
    if (!this.#hasResult) this.#content.replaceChildren(skeleton())
  }

  #clearSkeleton(): void {
    if (!this.#hasResult) this.#content.replaceChildren()
  }

  #retry(args: JsonObject): HTMLElement {
    return button("Try again", () => this.#session.call(args).then(() => undefined), { kind: "primary" })
  }

  #cancelled(reason: string | undefined): void {
    this.#clearSkeleton()
    this.#message.replaceChildren(status(cancellationText(reason), "warning"))
  }

  #failed(error: unknown, args: JsonObject): void {
    this.#clearSkeleton()
    this.#message.replaceChildren(
      errorBox({
        title: "The tool could not be called",
        message: messageOf(error, NO_REASON),
        actions: [this.#retry(args)]
      })
    )
  }

  #receive(result: CallToolResultLike, args: JsonObject): void {
    const shape = resultShape(result)
    this.#raw.replaceChildren(
      disclosure("Raw JSON", () => json(result, { maxBytes: this.#session.maxOutputDisplayBytes }))
    )
    if (shape.isError) {
      this.#clearSkeleton()
      this.#say("")
      const detail = shape.texts.join("\n\n").trim()
      this.#message.replaceChildren(
        errorBox({
          title: "The tool reported an error",
          message: shape.message.slice(0, 2000),
          ...(detail.includes(shape.message) && shape.message.length <= 2000 ? {} : { detail }),
          actions: [this.#retry(args)]
        })
      )
      return
    }
    this.#hasResult = true
    this.#message.replaceChildren()
    this.#draw(shape.data ?? {}, shape, result, args)
  }

  #draw(data: unknown, shape: ResultShape, result: CallToolResultLike, args: JsonObject): void {
    if (this.#isReplaced) return
    this.#cleanUp()
    const turn = ++this.#turn
    const place = (child: Child): void => {
      if (turn !== this.#turn) return
      const node = fragment(child)
      const hadFocus = this.#content.contains(document.activeElement)
      this.#content.replaceChildren(node)
      this.#title.hidden = this.#content.querySelector("h1") !== null
      if (hadFocus) this.#content.focus({ preventScroll: true })
      this.#say("Result shown")
    }
    const fail = (error: unknown): void => {
      if (turn !== this.#turn) return
      this.#cleanUp()
      place([
        errorBox({
          title: "This view could not show the result",
          message: messageOf(error, NO_REASON),
          actions: [button("Switch to basic view", () => this.#session.fallbackToBasic(error))]
        }),
        resultView(result, { toolTitle: this.#session.tool.title ?? this.#session.tool.name })
      ])
    }
    try {
      const drawn = this.#render(data as never, this.#context(shape, result, args))
      if (drawn instanceof Promise) void drawn.then(place).catch(fail)
      else place(drawn)
    } catch (error) {
      fail(error)
    }
  }

  #cleanUp(): void {
    const runs = this.#cleanups
    this.#cleanups = []
    for (const run of runs) attempt(run)
  }

  #context(shape: ResultShape, result: CallToolResultLike, args: JsonObject): ShowContext {
    const session = this.#session
    return {
      args,
      result,
      texts: shape.texts,
      json: shape.source === "structured" || shape.source === "json" ? shape.data : undefined,
      call: async (name, more) => {
        const tool = typeof name === "string" ? name : session.tool.name
        const given: JsonRecord = (typeof name === "string" ? more : name) ?? {}
        const answer =
          tool === session.tool.name ? await session.call({ ...given }) : await session.callTool(tool, { ...given })
        const read = resultShape(answer)
        if (read.isError) throw new Error(read.message)
        return read.data ?? {}
      },
      open: (url) => {
        const address = safeUrl(url)
        // The host may refuse: the address stays readable.
        if (address !== undefined) void session.app.openLink({ url: address }).catch(() => undefined)
      },
      say: async (text) => {
        await session.app.sendMessage({ role: "user", content: [{ type: "text", text: textOf(text) }] })
      },
      update: (data) => this.#draw(data, shape, result, args),
      every: (seconds, run) => this.#every(seconds, run),
      onCleanup: (run) => {
        if (typeof run !== "function") return
        if (this.#isReplaced) attempt(run)
        else this.#cleanups.push(run)
      },
      theme: themeNow(),
      locale: hostContext().locale ?? new Intl.DateTimeFormat().resolvedOptions().locale,
      timeZone: hostTimeZone()
    }
  }

  #every(seconds: number, run: () => unknown): () => void {
    if (this.#isReplaced) return () => undefined
    let isRunning = false
    const tick = async (): Promise<void> => {
      if (isRunning || document.hidden) return
      isRunning = true
      try {
        await run()
      } catch {
        // The next round may work; a failed call of this tool is on screen already.
      }
      isRunning = false
    }
    const pause = Number.isFinite(seconds) ? Math.min(86_400, Math.max(1, seconds)) * 1000 : 60_000
    const timer = setInterval(() => {
      if (this.#root.isConnected) void tick()
      else stop()
    }, pause)
    const stop = (): void => clearInterval(timer)
    this.#cleanups.push(stop)
    return stop
  }
}

/**
 * Shows the results of this page's tool. `render(data, ctx)` is called for every result that is not an error, and answers with
 * nodes (or a promise of them). Form, waiting, errors with a retry, and the raw JSON are taken care of.
 */
export const show = (render: Render, options?: Partial<ShowOptions>): void => {
  installStyles()
  const session = sessionOrNone()
  if (session === undefined) {
    append(
      document.body,
      errorBox({ title: "This page has not started", message: "It needs the page runtime that it is served with." })
    )
    return
  }
  void new ShownView(session, typeof render === "function" ? render : () => render, optionsOf<ShowOptions>(options))
}
