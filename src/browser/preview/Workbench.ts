import type { CallToolResult, Tool } from "@modelcontextprotocol/client"
import type { McpUiHostContext } from "@modelcontextprotocol/ext-apps/app-bridge"
import {
  getToolUiResourceUri,
  isToolVisibilityAppOnly,
  isToolVisibilityModelOnly
} from "@modelcontextprotocol/ext-apps/app-bridge"
import { Connection } from "./Connection.ts"
import { byId, element } from "./element.ts"
import { fallbackIn } from "./fallbackIn.ts"
import type { HostSession } from "./HostSession.ts"
import { linkDocument } from "./linkDocument.ts"
import { ModelPanel } from "./ModelPanel.ts"
import { Notices } from "./Notices.ts"
import { messageOf, sentence } from "./texts.ts"
import { ToolForm } from "./ToolForm.ts"
import { factsOf, progressText, titleOf } from "./toolTexts.ts"
import { Traffic } from "./Traffic.ts"
import { TrafficPanel } from "./TrafficPanel.ts"
import { versionToolsIn } from "./uiVersions.ts"
import { ViewFrame } from "./ViewFrame.ts"
import type { ViewDocument, ViewFrameOptions } from "./ViewFrame.ts"
import { ViewOffers } from "./ViewOffers.ts"
import { longestCall, serverOf } from "./viewServer.ts"
import { ViewSettings } from "./ViewSettings.ts"
import { ViewStage } from "./ViewStage.ts"
import { ViewVersions } from "./ViewVersions.ts"
import { WritingNote } from "./WritingNote.ts"

const patienceForView = 10_000

const resourceOf = (tool: Tool): string | undefined => {
  try {
    return getToolUiResourceUri(tool)
  } catch {
    return undefined
  }
}

/** A call and what its view shows, to show it once more. */
interface Shown {
  readonly session: HostSession
  readonly tool: Tool
  readonly values: Record<string, unknown>
  readonly answered: Promise<CallToolResult>
  readonly call: AbortController
}

/** The page: it joins the connection, the chosen tool, the call and its view. */
export class Workbench {
  readonly #filter = byId("filter", HTMLInputElement)
  readonly #list = byId("tools", HTMLUListElement)
  readonly #noTools = byId("no-tools", HTMLElement)
  readonly #run = byId("run", HTMLButtonElement)
  readonly #cancel = byId("cancel", HTMLButtonElement)
  readonly #callStatus = byId("call-status", HTMLElement)
  readonly #reopen = byId("reopen", HTMLButtonElement)
  readonly #uri = byId("view-uri", HTMLElement)

  readonly #notices = new Notices()
  readonly #offers = new ViewOffers(this.#notices)
  readonly #model = new ModelPanel()
  readonly #stage = new ViewStage(() => this.#contextChanged())
  readonly #settings = new ViewSettings((what) => this.#settingsChanged(what))
  readonly #writing = new WritingNote()

  readonly #versions = new ViewVersions({
    onProblem: (text) => this.#notices.show(text),
    onStale: () => void this.#reopenView(),
    onNews: (isComing, why) => {
      if (isComing) this.#writing.isComing()
      else this.#tellFallback(why)
    }
  })

  readonly #panel = new TrafficPanel(() => this.#model.clear())
  readonly #traffic = new Traffic((exchange, isNew) => this.#panel.show(exchange, isNew))
  readonly #form = new ToolForm(byId("arguments", HTMLElement))

  readonly #connection = new Connection({
    onFrame: (from, frame) => this.#traffic.record("server", from, frame),
    onLog: (line) => this.#panel.log("server", line),
    onUiFile: (file) => this.#versions.fileChanged(file),
    onTools: (tools) => this.#setTools(tools),
    onRestart: () => this.#restarted(),
    onConnected: () => this.#connected(),
    onLost: (reason) => this.#lost(reason)
  })

  /** For views, which outlive a connection that is lost and comes back. */
  readonly #server = serverOf(() => this.#connection.session)

  #listed: ReadonlyArray<Tool> = []
  /** Those of them that a model sees, and so a person here. */
  #tools: ReadonlyArray<Tool> = []
  #tool: Tool | undefined
  #view: ViewFrame | undefined
  #shown: Shown | undefined
  #call: AbortController | undefined

  constructor() {
    this.#reopen.addEventListener("click", () => void this.#reopenView())
    this.#filter.addEventListener("input", () => this.#renderTools())
    this.#cancel.addEventListener("click", () => this.#call?.abort("cancelled by the person"))
    byId("call", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault()
      void this.#callTool()
    })
  }

  start(): void {
    void this.#connection.restart()
  }

  async #restarted(): Promise<void> {
    this.#call?.abort("the connection was restarted")
    this.#call = undefined
    this.#model.clear()
    await this.#closeView()
  }

  #connected(): void {
    this.#updateControls()
    if (this.#shown !== undefined && this.#view !== undefined) void this.#showVersions(this.#shown, this.#view)
  }

  #lost(reason: string): void {
    this.#panel.log("preview", reason)
    this.#traffic.serverLost()
    this.#stage.setDisplayMode("inline")
    this.#versions.clear()
    this.#updateControls()
    if (this.#tools.length > 0) return
    this.#noTools.hidden = false
    this.#noTools.textContent = "There are no tools while the server is not connected."
  }

  /** What needs the server can be used while there is one. */
  #updateControls(): void {
    const isConnected = this.#connection.session !== undefined
    this.#run.disabled = !isConnected || this.#tool === undefined
    this.#reopen.disabled = !isConnected || this.#shown === undefined
    this.#settings.canReopen = isConnected
  }

  #setTools(tools: ReadonlyArray<Tool>): void {
    this.#listed = tools
    this.#tools = tools.filter((tool) => !isToolVisibilityAppOnly(tool))
    const same = this.#tools.find((tool) => tool.name === this.#tool?.name)
    this.#renderTools()
    if (same === undefined) this.#choose(this.#tools[0])
    else this.#tool = same
  }

  #renderTools(): void {
    const wanted = this.#filter.value.trim().toLowerCase()
    const shown = this.#tools.filter(({ name, title = "" }) => `${name} ${title}`.toLowerCase().includes(wanted))
    byId("tool-count", HTMLElement).textContent =
      shown.length === this.#tools.length ? String(shown.length) : `${shown.length} of ${this.#tools.length}`
    this.#noTools.hidden = shown.length > 0
    this.#noTools.textContent =
      this.#tools.length === 0 ? "The server lists no tools." : "No tool has this in its name."
    this.#list.replaceChildren(
      ...shown.map((tool) => {
        const button = element(
          "button",
          { class: "tool", type: "button", "data-tool": tool.name },
          element("span", { class: "tool-label" }, titleOf(tool)),
          element("span", { class: "tool-name" }, tool.name)
        )
        button.addEventListener("click", () => this.#choose(tool))
        return element("li", {}, button)
      })
    )
    this.#markChosen()
  }

  #markChosen(): void {
    for (const button of this.#list.querySelectorAll<HTMLElement>(".tool")) {
      button.setAttribute("aria-current", String(button.dataset["tool"] === this.#tool?.name))
    }
  }

  #choose(tool: Tool | undefined): void {
    this.#tool = tool
    this.#markChosen()
    this.#call?.abort("another tool was chosen")
    this.#call = undefined
    void this.#closeView()
    this.#updateControls()
    this.#callStatus.textContent = ""
    byId("tool-title", HTMLElement).textContent = tool === undefined ? "No tool chosen" : titleOf(tool)
    const description = byId("tool-description", HTMLElement)
    description.textContent = tool?.description ?? ""
    description.hidden = description.textContent === ""
    byId("tool-facts", HTMLElement).replaceChildren(
      ...(tool === undefined
        ? []
        : factsOf(tool).map((fact, index) => element(index === 0 ? "code" : "span", {}, fact)))
    )
    this.#uri.textContent = tool === undefined ? "" : (resourceOf(tool) ?? "this tool has no view")
    this.#form.show(tool?.inputSchema)
  }

  async #callTool(): Promise<void> {
    const [session, tool] = [this.#connection.session, this.#tool]
    if (session === undefined || tool === undefined) return
    const read = this.#form.read()
    if ("problem" in read) {
      this.#callStatus.textContent = read.problem
      return
    }
    this.#call?.abort("called again")
    await this.#closeView()
    const call = new AbortController()
    this.#call = call
    this.#callStatus.textContent = "Calling…"
    this.#cancel.hidden = false
    const began = performance.now()
    const answered = session.client.request(
      { method: "tools/call", params: { name: tool.name, arguments: read.values } },
      {
        signal: call.signal,
        timeout: longestCall,
        resetTimeoutOnProgress: true,
        onprogress: (progress) => {
          if (this.#call === call) this.#callStatus.textContent = progressText(progress)
        }
      }
    )
    const shown = this.#showView({ session, tool, values: read.values, answered, call })
    try {
      const result = await answered
      const took = Math.max(1, Math.round(performance.now() - began)).toLocaleString("en")
      this.#tellCall(
        call,
        result.isError === true ? `The tool reported an error after ${took} ms` : `Answered in ${took} ms`
      )
    } catch (error) {
      this.#tellCall(call, call.signal.aborted ? "Cancelled" : `Failed: ${messageOf(error)}`)
    }
    await shown
  }

  #tellCall(call: AbortController, text: string): void {
    if (this.#call !== call) return
    this.#callStatus.textContent = text
    this.#cancel.hidden = true
  }

  async #showView(shown: Shown): Promise<void> {
    const { answered, call, session, tool } = shown
    const uri = resourceOf(tool)
    const isCurrent = () => this.#call === call
    if (uri === undefined) {
      this.#stage.clear("Waiting for the answer…")
      const result: unknown = await answered.catch((error: unknown) => ({ error: messageOf(error) }))
      if (isCurrent())
        this.#stage.open(true).replaceChildren(element("pre", { tabindex: 0 }, JSON.stringify(result, undefined, 2)))
      return
    }
    this.#stage.clear("Opening the view…")
    this.#writing.begin(session.link.writer)
    try {
      const document = await this.#read(shown, uri, isCurrent)
      if (isCurrent()) await this.#view?.close()
      if (!isCurrent()) return
      this.#tellFallback(fallbackIn(document.html))
      const server = this.#server
      const view = new ViewFrame({
        ...this.#frameOptions(shown, document),
        server: {
          ...server,
          callTool: async (params, options) => {
            const result = await server.callTool(params, options)
            if (this.#view === view) this.#versions.answered(params.name, result)
            return result
          }
        },
        context: this.#context(tool),
        onMessage: (content) => this.#model.message(content),
        onModelContext: (context) => this.#model.update(context),
        onDisplayMode: (mode) => this.#stage.setDisplayMode(mode)
      })
      this.#shown = shown
      this.#updateControls()
      void this.#showVersions(shown, view)
      await this.#present(view, shown, document)
    } catch (error) {
      if (!isCurrent()) return
      this.#writing.clear()
      if (this.#view === undefined) this.#stage.clear("There is no view.")
      this.#notices.show(`The view could not be shown: ${messageOf(error)}`)
    }
  }

  /** Reads the document of a view. While it is written, the built-in view takes its place. */
  async #read(shown: Shown, uri: string, isCurrent: () => boolean): Promise<ViewDocument> {
    const { session, tool } = shown
    let state: "reading" | "writing" | "read" = "reading"
    const standIn = async (): Promise<void> => {
      const document = await linkDocument(tool, null)
      if (state === "read" || !isCurrent()) return
      const view = new ViewFrame({ ...this.#frameOptions(shown, document), context: this.#context(tool) })
      await this.#present(view, shown, document)
    }
    try {
      return await session.readDocument(uri, ({ message }) => {
        if (!isCurrent()) return
        this.#writing.tell(message)
        if (state === "reading") standIn().catch(() => undefined)
        state = "writing"
      })
    } finally {
      state = "read"
    }
  }

  /** Puts a view on the stage, and gives it what the call brings. */
  async #present(view: ViewFrame, { answered, call, values }: Shown, document: ViewDocument): Promise<void> {
    this.#view = view
    this.#stage.open(document.prefersBorder !== false).replaceChildren(view.frame)
    await view.open()
    await this.#waitFor(view)
    if (this.#view !== view) return
    await view.sendInput(values)
    await this.#sendOutcome(view, answered, call)
  }

  #tellFallback(reason: string | undefined): void {
    if (reason === undefined) this.#writing.clear()
    else this.#writing.isFallback(sentence(reason))
  }

  /** Options that the view on the stage shares with those that it is compared with. */
  #frameOptions({ session, tool }: Shown, document: ViewDocument): ViewFrameOptions {
    return {
      server: this.#server,
      tool,
      document,
      isRightToLeft: this.#settings.isRightToLeft,
      sandboxOrigin: session.link.sandboxOrigin,
      context: { toolInfo: { tool }, ...this.#settings.context },
      mayCall: (name) => !this.#listed.some((tool) => tool.name === name && isToolVisibilityModelOnly(tool)),
      onFrame: (from, frame) => this.#traffic.record("view", from, frame),
      onLog: (level, text) => this.#panel.log(`view ${level}`, text),
      onMessage: () => undefined,
      onModelContext: () => undefined,
      onOpenLink: (url) => this.#offers.link(url),
      onDownload: (contents) => this.#offers.files(contents),
      onDisplayMode: () => "inline"
    }
  }

  async #showVersions(shown: Shown, view: ViewFrame): Promise<void> {
    const { answered, tool, values } = shown
    await this.#versions.show({
      tool,
      title: titleOf(tool),
      values,
      result: answered,
      view,
      tools: versionToolsIn(this.#listed),
      call: (name, args) =>
        this.#server.callTool({ name, arguments: { ...args } }, { signal: new AbortController().signal }),
      frame: (document, width) => {
        const options = this.#frameOptions(shown, document)
        const context = { ...options.context, displayMode: "inline" as const, containerDimensions: { width } }
        return new ViewFrame({ ...options, context })
      }
    })
  }

  /** Takes the view down as a host does that needs its room, and brings it back. */
  async #reopenView(): Promise<void> {
    const [session, shown] = [this.#connection.session, this.#shown]
    if (session === undefined || shown === undefined || this.#view === undefined) return
    const isCalling = !this.#cancel.hidden
    await this.#closeView()
    if (this.#call !== shown.call) return
    this.#cancel.hidden = !isCalling
    await this.#showView({ ...shown, session })
  }

  async #waitFor(view: ViewFrame): Promise<void> {
    const timer = setTimeout(() => {
      const text = "The view has not initialised yet. A script of it may have failed: see the browser's console."
      if (this.#view === view) this.#notices.show(text)
    }, patienceForView)
    await view.ready
    clearTimeout(timer)
  }

  async #sendOutcome(view: ViewFrame, answered: Promise<CallToolResult>, call: AbortController): Promise<void> {
    try {
      await view.sendResult(await answered)
    } catch (error) {
      if (call.signal.aborted) return view.sendCancelled(String(call.signal.reason))
      await view.sendResult({ isError: true, content: [{ type: "text", text: messageOf(error) }] })
    }
  }

  async #closeView(): Promise<void> {
    const [call, view] = [this.#call, this.#view]
    this.#view = undefined
    this.#shown = undefined
    this.#updateControls()
    this.#versions.clear()
    this.#writing.clear()
    this.#notices.clear()
    this.#cancel.hidden = true
    await view?.close()
    if (this.#view === undefined && this.#call === call) this.#stage.clear()
  }

  #settingsChanged(what: "context" | "document" | "width"): void {
    if (what === "width") this.#stage.setWidth(this.#settings.width)
    else if (what === "document") void this.#reopenView()
    else this.#contextChanged()
  }

  #contextChanged(): void {
    if (this.#view !== undefined && this.#tool !== undefined) void this.#view.setContext(this.#context(this.#tool))
  }

  #context(tool: Tool): McpUiHostContext {
    return { toolInfo: { tool }, ...this.#settings.context, ...this.#stage.context }
  }
}
