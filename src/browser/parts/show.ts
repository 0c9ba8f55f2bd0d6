import type { Context, ShowOptions } from "../../../types/parts.d.ts"
import type { JsonRecord } from "../../domain/results/ResultColumn.ts"
import { resultContent, type ResultContent, unwrap } from "../../domain/results/ResultContent.ts"
import { type TextPieces, textPieces } from "../../domain/results/TextPieces.ts"
import type { DownloadFile, ViewSession } from "../runtime/session.ts"
import { toolTitle } from "../builtin/toolTitle.ts"
import type { CallToolResultLike, JsonObject } from "../runtime/types.ts"
import { breaksSchema } from "./breaksSchema.ts"
import { type Attachment, attachmentsOf } from "./attachments.ts"
import { callFailure, callStatus, type CallStatus } from "./callStatus.ts"
import { setAccent } from "./accent.ts"
import { append, type Child, fragment, h, safeUrl } from "./dom.ts"
import { fullscreenButton } from "./fullscreenButton.ts"
import { hostContext, hostTimeZone, placeNow, sessionOrNone } from "./host.ts"
import { disclosure, empty, errorBox, row, status } from "./layout.ts"
import { json } from "./media.ts"
import { resultView } from "./resultView.ts"
import { installStyles } from "./styles.ts"
import { saysArguments, untold } from "./told.ts"
import { attempt, cancellationText, jsonOf, listOf, optionsOf, textOf } from "./values.ts"

type Render = (data: never, context: Context) => unknown

const themeNow = (): "light" | "dark" => {
  const told = document.documentElement.dataset.theme ?? hostContext().theme
  if (told === "dark" || told === "light") return told
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"
}

const target = (into: unknown): Element => {
  const found = typeof into === "string" ? attempt(() => document.querySelector(into)) : into
  return found instanceof Element ? found : document.body
}

const MIME_TYPES: Readonly<Record<string, string>> = { csv: "text/csv", json: "application/json", html: "text/html" }

const fileOf = (name: unknown, content: unknown, mimeType: unknown): DownloadFile => {
  const named = textOf(name) || "download.txt"
  const kind = textOf(mimeType) || MIME_TYPES[(named.split(".").at(-1) ?? "").toLowerCase()] || "text/plain"
  const bytes = content instanceof ArrayBuffer ? new Uint8Array(content) : content
  if (bytes instanceof Uint8Array)
    return { name: named, mimeType: kind, blob: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")) }
  return { name: named, mimeType: kind, text: typeof content === "string" ? content : jsonOf(content, 2) }
}

const skeleton = (): HTMLElement =>
  h("div", { class: "mg-skeleton", "aria-hidden": "true" }, h("span"), h("span"), h("span"))

/** Buttons one after the other stand in a row. */
const withRows = (drawn: DocumentFragment): DocumentFragment => {
  let line: HTMLElement | undefined
  // Copied, because the list changes as they move.
  const children = [...drawn.children]
  for (const child of children) {
    if (!child.matches(".mg-button")) line = undefined
    else if (line === undefined) child.before((line = row()))
    line?.append(child)
  }
  return drawn
}

class ShownView {
  readonly #session: ViewSession
  readonly #render: Render
  readonly #root: HTMLElement
  readonly #title: HTMLElement
  readonly #call: CallStatus
  readonly #message = h("div", { class: "mg-stack" })
  readonly #content = h("div", { class: "mg-stack mg-content", tabindex: -1 })
  /** The view's own heading, above what was asked. */
  readonly #head = h("div")
  /** What the view leaves out of a small answer. */
  readonly #left = h("div", { class: "mg-left" })
  readonly #raw = h("div", { class: "mg-grow" })
  #redraw: (() => void) | undefined
  #place = ""
  #cleanups: Array<() => void> = []
  #hasResult = false
  #isReplaced = false
  #turn = 0

  constructor(session: ViewSession, render: Render, options: Partial<ShowOptions>) {
    this.#session = session
    this.#render = render
    const isOpen = options.form === "open"
    const own = typeof options.form === "function" ? options.form : undefined
    const form = own
      ? h("div", { class: "mf-form" })
      : options.form === "none"
        ? undefined
        : session.form({ collapsed: !isOpen, folds: !isOpen })
    const drawForm = (args: JsonObject): void => {
      if (own && !isAsked) form?.replaceChildren(fragment(own(args, ask)))
    }
    let isAsked = false
    const ask = (args: JsonObject): Promise<unknown> => {
      isAsked = true
      return this.#call.call(args)
    }
    this.#content.append(skeleton())
    this.#call = callStatus(session, {
      title: toolTitle(session.tool),
      form,
      hasResult: () => this.#hasResult,
      onQuiet: () => {
        if (form !== undefined && this.#message.childElementCount === 0)
          this.#content.replaceChildren(empty("The result will appear here."))
      }
    })
    setAccent(options.accent, session.tool)
    this.#title = h("h1", { class: "mg-hidden" }, toolTitle(session.tool))
    this.#root = h(
      "main",
      { class: "mg-app mg-stack" },
      this.#title,
      h("div", { class: "mg-top mg-quiet" }, this.#head, form),
      this.#call.element,
      this.#message,
      this.#content,
      this.#left,
      h("div", { class: "mg-foot" }, this.#raw, fullscreenButton(session))
    )
    target(options.into).appendChild(this.#root)
    drawForm({})
    session.onInput((args) => {
      drawForm(args)
      this.#wait()
    })
    session.onBusy((busy) => this.#busy(busy))
    session.onResult((result, args) => this.#receive(result, args))
    session.onContext(() => {
      // The locale or time zone has changed: draw dates and numbers again.
      if (this.#place === placeNow() || this.#redraw === undefined) return
      session.select({ items: [] })
      this.#redraw()
    })
    session.onCancelled((reason) => this.#cancelled(reason))
    session.onFailure((error, args) => this.#failed(error, args))
    session.onReplaced(() => {
      this.#isReplaced = true
      this.#turn++
      this.#cleanUp()
    })
  }

  #wait(): void {
    if (!this.#session.isRunning) return
    this.#message.replaceChildren()
    if (!this.#hasResult) this.#content.replaceChildren(skeleton())
  }

  #busy(busy: boolean): void {
    this.#root.toggleAttribute("data-busy", busy)
    this.#content.setAttribute("aria-busy", String(busy))
  }

  #clearSkeleton(): void {
    if (!this.#hasResult) this.#content.replaceChildren()
  }

  #cancelled(reason: string | undefined): void {
    this.#clearSkeleton()
    this.#message.replaceChildren(status(cancellationText(reason), "neutral"))
  }

  #failed(error: unknown, args: JsonObject): void {
    this.#clearSkeleton()
    this.#message.replaceChildren(callFailure(this.#session, error, args, this.#call.retry(args)))
  }

  #receive(result: CallToolResultLike, args: JsonObject): void {
    const shape = resultContent(result)
    if (shape.isError) {
      this.#clearSkeleton()
      this.#message.replaceChildren(this.#basic(result, args))
      return
    }
    this.#hasResult = true
    this.#message.replaceChildren()
    this.#raw.replaceChildren(
      disclosure("Raw JSON", () => json(result, { maxBytes: this.#session.maxOutputDisplayBytes })),
      fragment(breaksSchema(result, this.#session.tool.outputSchema))
    )
    this.#draw(shape.data ?? {}, shape, result, args)
  }

  #basic(result: CallToolResultLike, args: JsonObject): HTMLElement {
    const actions = [this.#call.retry(args)]
    const options = { toolTitle: toolTitle(this.#session.tool), args, actions }
    return resultView(result, options)
  }

  #draw(data: unknown, shape: ResultContent, result: CallToolResultLike, args: JsonObject): void {
    if (this.#isReplaced) return
    this.#cleanUp()
    const turn = ++this.#turn
    const elsewhere = this.#elsewhere()
    const attachments = attachmentsOf(shape.parts, toolTitle(this.#session.tool))
    this.#place = placeNow()
    this.#redraw = () => this.#draw(data, shape, result, args)
    const place = (child: Child): void => {
      if (turn !== this.#turn) return
      const drawn = withRows(fragment(child))
      const isNothing = drawn.childNodes.length === 0 && this.#elsewhere() === elsewhere
      const node = isNothing ? this.#basic(result, args) : drawn
      const hadFocus = this.#content.contains(document.activeElement)
      this.#content.replaceChildren(node)
      const [first] = this.#content.children
      this.#head.replaceChildren(first?.matches("header.mg-header") === true ? first : "")
      const missing = isNothing ? [] : attachments.filter(({ isShownIn }) => !isShownIn(this.#root))
      this.#content.prepend(...missing.map(({ node }) => node))
      this.#left.replaceChildren()
      const links = Array.from(this.#root.querySelectorAll("a"), (link) => link.href)
      const shown = [this.#root.textContent, ...links].join(" ")
      this.#head.classList.toggle("mg-told", saysArguments(args, this.#session.tool.inputSchema, shown))
      // What is not drawn yet may say it.
      const waits = this.#content.querySelector(".mg-disclosed:empty,[role=tab][aria-selected=false]") !== null
      if (!isNothing && !waits) this.#left.replaceChildren(untold(shape, shown))
      this.#title.hidden = this.#root.querySelectorAll("h1").length > 1
      if (hadFocus) this.#content.focus({ preventScroll: true })
    }
    const fail = (error: unknown): void => {
      if (turn !== this.#turn) return
      this.#cleanUp()
      this.#session.viewFailed(error)
    }
    try {
      const drawn = this.#render(data as never, this.#context(shape, result, args, attachments))
      if (drawn instanceof Promise) void drawn.then(place).catch(fail)
      else place(drawn)
    } catch (error) {
      fail(error)
    }
  }

  /** How much text the page has beside this view. */
  #elsewhere(): number {
    return (document.body.textContent ?? "").length - (this.#root.textContent ?? "").length
  }

  #cleanUp(): void {
    const runs = this.#cleanups
    this.#cleanups = []
    for (const run of runs) attempt(run)
  }

  #context(
    shape: ResultContent,
    result: CallToolResultLike,
    args: JsonObject,
    attachments: ReadonlyArray<Attachment>
  ): Context {
    const session = this.#session
    const text = shape.texts.join("\n\n") || textOf(shape.source === "structured" ? unwrap(shape.data) : "")
    let pieces: TextPieces | undefined
    const piece = <K extends keyof TextPieces>(name: K): TextPieces[K] => (pieces ??= textPieces(text))[name]
    return {
      args,
      result,
      text,
      texts: shape.texts,
      get lines() {
        return piece("lines")
      },
      get pairs() {
        return piece("pairs")
      },
      get tables() {
        return piece("tables")
      },
      get sections() {
        return piece("sections")
      },
      get files() {
        return piece("files")
      },
      get links() {
        return piece("links")
      },
      media: attachments.map(({ node }) => node),
      json: shape.source === "structured" || shape.source === "json" ? shape.data : undefined,
      call: async (name: string | JsonObject, more?: JsonObject) => {
        const tool = typeof name === "string" ? name : session.tool.name
        const given: JsonRecord = (typeof name === "string" ? more : name) ?? {}
        const answer =
          tool === session.tool.name ? await this.#call.call({ ...given }) : await session.callTool(tool, { ...given })
        const read = resultContent(answer)
        if (read.isError) throw Object.assign(new Error(read.message), { name: "CallFailed" })
        return read.data ?? {}
      },
      open: (url) => {
        const address = safeUrl(url)
        // If the host refuses, the page says so.
        if (address !== undefined) void session.app.openLink({ url: address })
      },
      say: async (text) => {
        await session.app.sendMessage({ role: "user", content: [{ type: "text", text: textOf(text) }] })
      },
      select: (items, noun) => {
        const list = listOf(items)
        session.select(typeof noun === "string" ? { items: list, noun } : { items: list })
      },
      download: (name, content, mimeType) => session.download(fileOf(name, content, mimeType)),
      copy: (text) => session.copy(typeof text === "object" ? jsonOf(text, 2) : textOf(text)),
      update: (data) => this.#draw(data, shape, result, args),
      every: (seconds, run) => this.#every(seconds, run),
      onCleanup: (run) => {
        if (typeof run !== "function") return
        if (this.#isReplaced) attempt(run)
        else this.#cleanups.push(run)
      },
      get theme() {
        return themeNow()
      },
      locale: hostContext().locale ?? new Intl.DateTimeFormat().resolvedOptions().locale,
      timeZone: hostTimeZone()
    }
  }

  #every(seconds: number, run: () => unknown): () => void {
    if (this.#isReplaced) return () => undefined
    let isRunning = false
    const tick = async (): Promise<void> => {
      if (!this.#root.isConnected) stop()
      else if (!isRunning && !document.hidden) {
        isRunning = true
        try {
          await run()
        } catch {
          // The next round may work; a failed call of this tool is on screen already.
        }
        isRunning = false
      }
    }
    const timer = setInterval(() => void tick(), Math.min(86_400, Math.max(1, Number(seconds) || 60)) * 1000)
    const stop = (): void => clearInterval(timer)
    this.#cleanups.push(stop)
    return stop
  }
}

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
