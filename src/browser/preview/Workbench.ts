import type { CallToolResult, Progress, Tool } from "@modelcontextprotocol/client"
import type { McpUiHostContext } from "@modelcontextprotocol/ext-apps/app-bridge"
import {
  getToolUiResourceUri,
  isToolVisibilityAppOnly,
  isToolVisibilityModelOnly
} from "@modelcontextprotocol/ext-apps/app-bridge"
import { formModel } from "../../domain/forms/FormModel.ts"
import { storable } from "../forms/formMemory.ts"
import { CallLine } from "./CallLine.ts"
import { Connection } from "./Connection.ts"
import { Elicitation } from "./Elicitation.ts"
import { byId, element, press } from "./element.ts"
import { fallbackIn } from "./fallbackIn.ts"
import { linkDocument } from "./linkDocument.ts"
import { ModelPanel } from "./ModelPanel.ts"
import { Notices } from "./Notices.ts"
import { PageState } from "./PageState.ts"
import { RecordedCalls } from "./RecordedCalls.ts"
import { type Recording, Recordings } from "./Recordings.ts"
import { messageOf, sentence } from "./texts.ts"
import { ToolList } from "./ToolList.ts"
import { factsOf, titleOf } from "./toolTexts.ts"
import { Traffic } from "./Traffic.ts"
import { TrafficPanel } from "./TrafficPanel.ts"
import { type CallTool, UiWorkshop, wrapperPrefix } from "./uiVersions.ts"
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

const objectIn = (text: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

interface Call {
  readonly values: Record<string, unknown>
  readonly answered: Promise<CallToolResult>
  readonly control: AbortController
}

/** What is on the stage: a tool, and the call that its view was given, once there is one. */
interface Shown {
  readonly tool: Tool
  call: Call | undefined
}

/** The page: it joins the connection, the chosen tool, the call and its view. */
export class Workbench {
  readonly #reopen = press("reopen", () => void this.#reopenView())

  readonly #state = new PageState()
  readonly #recordings = new Recordings()
  readonly #recorded = new RecordedCalls((recording) => this.#replay(recording))
  readonly #notices = new Notices()
  readonly #offers = new ViewOffers(this.#notices)
  readonly #model = new ModelPanel()
  readonly #stage = new ViewStage(() => this.#contextChanged())
  readonly #settings = new ViewSettings(this.#state, (what) => this.#settingsChanged(what))
  readonly #writing = new WritingNote()
  readonly #elicitation = new Elicitation()
  readonly #list = new ToolList((tool) => this.#choose(tool))
  readonly #line = new CallLine({
    onCall: (values) => void this.#callTool(values),
    onCancel: () => this.#shown?.call?.control.abort("cancelled by the person")
  })

  readonly #versions = new ViewVersions(this.#state, this.#writing, {
    onProblem: (text) => this.#notices.show(text),
    onStale: () => void this.#reopenView(),
    onNews: (isComing, why) => {
      if (isComing) this.#writing.isComing()
      else this.#tellFallback(why)
    }
  })

  readonly #panel = new TrafficPanel(this.#state, {
    onClearModel: () => this.#model.clear(),
    onClearTraffic: () => this.#traffic.clear(),
    onExport: () => JSON.stringify(this.#traffic.exchanges, undefined, 2),
    onSend: (method, params) => void this.#connection.session?.sendAgain(method, params)
  })
  readonly #traffic: Traffic = new Traffic((exchange, isNew) => this.#panel.show(exchange, isNew))

  readonly #connection: Connection = new Connection(this.#state, {
    onFrame: (from, frame) => this.#traffic.record("server", from, frame),
    onLog: (line) => this.#panel.log("server", line),
    onUiFile: (file) => this.#versions.fileChanged(file),
    onTools: (tools) => this.#setTools(tools),
    onElicit: (params, signal) => this.#elicitation.ask(params, signal),
    onRestart: () => this.#restarted(),
    onConnected: (isNewCode) => this.#connected(isNewCode),
    onLost: (reason) => this.#lost(reason)
  })

  /** For views, which outlive a connection that is lost and comes back. */
  readonly #server = serverOf(() => this.#connection.session)

  #listed: ReadonlyArray<Tool> = []
  /** Those of them that a model sees, and so a person here. */
  #tools: ReadonlyArray<Tool> = []
  #tool: Tool | undefined
  #view: ViewFrame | undefined
  /** Takes the place of a view that is written. */
  #standIn: ViewFrame | undefined
  #shown: Shown | undefined
  /** Counts what a person wants on the stage: only the last counts. */
  #turn = 0
  /** Views that were given the call. */
  readonly #fed = new WeakSet<ViewFrame>()

  start(): void {
    this.#stage.setHost(this.#settings.width, this.#settings.profile)
    void this.#connection.restart()
    // A link that somebody puts into the address of this very page.
    addEventListener("hashchange", () => location.reload())
  }

  async #restarted(): Promise<void> {
    this.#shown?.call?.control.abort("the connection was restarted")
    this.#model.clear()
    await this.#closeView()
    this.#tool = undefined
  }

  #connected(isNewCode: boolean): void {
    this.#updateControls()
    // The tool may be another one now: its form, and its view.
    if (isNewCode) this.#restore(this.#tool)
    else if (this.#shown !== undefined && this.#view !== undefined) void this.#showVersions(this.#shown, this.#view)
  }

  #lost(reason: string): void {
    this.#panel.log("preview", reason)
    this.#traffic.serverLost()
    this.#stage.setDisplayMode("inline")
    this.#versions.clear()
    this.#updateControls()
    // What was recorded can be looked at without the server.
    if (this.#tools.length === 0 && this.#recordings.tools.length > 0) this.#setTools(this.#recordings.tools)
    this.#list.tellNone("There are no tools while the server is not connected.")
  }

  /** What needs the server can be used while there is one. */
  #updateControls(): void {
    const isConnected = this.#connection.session !== undefined
    this.#line.canCall = isConnected && this.#tool !== undefined
    this.#reopen.disabled = !isConnected || this.#view === undefined || this.#view === this.#standIn
    this.#settings.canReopen = isConnected
  }

  #setTools(tools: ReadonlyArray<Tool>): void {
    this.#listed = tools
    this.#tools = tools.filter((tool) => !isToolVisibilityAppOnly(tool))
    this.#recordings.keepTools(tools)
    const prefix = wrapperPrefix(tools)
    this.#list.show(this.#tools, prefix)
    const named = (name: string | undefined): Tool | undefined => this.#tools.find((tool) => tool.name === name)
    const same = named(this.#tool?.name)
    if (same !== undefined) this.#tool = same
    else this.#restore(named(this.#state.get("tool")) ?? this.#tools[0])
  }

  /** Chooses a tool as the page's address has it: with its arguments, and with the call that was answered. */
  #restore(tool: Tool | undefined): void {
    const { calls } = this.#recordings
    const recording = calls.find(({ id, tool: of }) => id === this.#state.get("call") && of === tool?.name)
    const text = tool?.name === this.#state.get("tool") ? this.#state.get("args") : undefined
    const values = text === undefined ? undefined : objectIn(text)
    this.#choose(tool, values, recording)
    if (text !== undefined && values === undefined)
      this.#notices.show("The arguments in the address of this page are no JSON object, so they are left out.")
  }

  #choose(tool: Tool | undefined, values?: Record<string, unknown>, recording?: Recording): void {
    this.#tool = tool
    this.#state.set("tool", tool?.name)
    this.#state.set("args", values === undefined ? undefined : JSON.stringify(values))
    this.#state.set("call", recording?.id)
    this.#list.mark(tool)
    this.#shown?.call?.control.abort("another tool was chosen")
    byId("tool-title", HTMLElement).textContent = tool === undefined ? "No tool chosen" : titleOf(tool)
    const description = byId("tool-description", HTMLElement)
    description.textContent = tool?.description ?? ""
    description.hidden = description.textContent === ""
    byId("tool-facts", HTMLElement).replaceChildren(
      ...(tool === undefined
        ? []
        : factsOf(tool).map((fact, index) => element(index === 0 ? "code" : "span", {}, fact)))
    )
    this.#line.show(tool, values)
    this.#recorded.show(this.#recordings.calls, tool?.name)
    this.#updateControls()
    const turn = (this.#turn += 1)
    const call = recording && this.#callOf(recording)
    void this.#closeView().then(() =>
      tool === undefined || this.#turn !== turn ? undefined : this.#showView({ tool, call })
    )
  }

  #callOf({ result, values }: Recording): Call {
    return { values, answered: Promise.resolve(result), control: new AbortController() }
  }

  /** Shows a call that was answered before. Nobody is called. */
  #replay(recording: Recording): void {
    const tool = this.#tools.find(({ name }) => name === recording.tool)
    if (tool !== undefined) this.#choose(tool, recording.values, recording)
  }

  async #callTool(values: Record<string, unknown>): Promise<void> {
    const [session, tool] = [this.#connection.session, this.#tool]
    if (session === undefined || tool === undefined) return
    this.#shown?.call?.control.abort("called again")
    const kept = storable(values, formModel(tool.inputSchema).root)
    this.#state.set("args", kept)
    this.#state.set("call", undefined)
    const control = new AbortController()
    const tell = this.#line.begin()
    const answered = session.client.request(
      { method: "tools/call", params: { name: tool.name, arguments: values } },
      {
        signal: control.signal,
        timeout: longestCall,
        resetTimeoutOnProgress: true,
        onprogress: (progress: Progress) => tell.progress(progress)
      }
    )
    const call = { values, answered, control }
    const shown = this.#giveCall({ tool, call })
    try {
      const result = await answered
      tell.answered(result.isError === true)
      const recording = kept === undefined ? undefined : this.#recordings.add(tool.name, values, result)
      if (recording !== undefined && this.#tool === tool) {
        this.#state.set("call", recording.id)
        this.#recorded.show(this.#recordings.calls, tool.name)
      }
    } catch (error) {
      tell.failed(control.signal.aborted ? "Cancelled" : `Failed: ${messageOf(error)}`)
    }
    await shown
  }

  /** To the view that stands there without a call, else to a new one: hosts open one for each call. */
  async #giveCall(next: Required<Shown>): Promise<void> {
    const turn = (this.#turn += 1)
    const shown = this.#shown
    if (shown !== undefined && shown.tool === next.tool && shown.call === undefined) {
      shown.call = next.call
      if (this.#view !== undefined) await this.#feed(this.#view, shown)
      return
    }
    await this.#closeView()
    if (this.#turn === turn) await this.#showView(next)
  }

  async #showView(shown: Shown): Promise<void> {
    this.#shown = shown
    const { tool } = shown
    const uri = resourceOf(tool)
    const isCurrent = () => this.#shown === shown
    if (uri === undefined) return this.#showAnswer(shown)
    this.#stage.clear("Opening the view…")
    this.#writing.begin(this.#connection.link?.writer)
    try {
      const document = await this.#read(shown, uri, isCurrent)
      if (isCurrent()) await this.#view?.close()
      if (!isCurrent()) return
      this.#tellFallback(fallbackIn(document.html))
      const server = this.#server
      const view: ViewFrame = new ViewFrame({
        ...this.#frameOptions(tool, document),
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
      void this.#showVersions(shown, view)
      await this.#present(view, shown, document)
    } catch (error) {
      if (!isCurrent()) return
      this.#writing.clear()
      if (this.#view === undefined) this.#stage.clear("There is no view.")
      this.#notices.show(`The view could not be shown: ${messageOf(error)}`)
    }
  }

  /** The answer itself, of a tool without a view. */
  async #showAnswer(shown: Shown): Promise<void> {
    if (shown.call === undefined) {
      this.#stage.clear("This tool has no view: call it to see what it answers.")
      this.#shown = undefined
      return
    }
    this.#stage.clear("Waiting for the answer…")
    const result: unknown = await shown.call.answered.catch((error: unknown) => ({ error: messageOf(error) }))
    if (this.#shown === shown)
      this.#stage.open(true).replaceChildren(element("pre", { tabindex: 0 }, JSON.stringify(result, undefined, 2)))
  }

  /** Reads the document of a view. While it is written, the built-in view takes its place. */
  async #read(shown: Shown, uri: string, isCurrent: () => boolean): Promise<ViewDocument> {
    const { tool } = shown
    const { session } = this.#connection
    if (session === undefined) return this.#recordings.documentOf(tool.name) ?? linkDocument(tool, null)
    let state: "reading" | "writing" | "read" = "reading"
    const standIn = async (): Promise<void> => {
      const document = await linkDocument(tool, null)
      if (state === "read" || !isCurrent()) return
      const view = new ViewFrame({ ...this.#frameOptions(tool, document), context: this.#context(tool) })
      this.#standIn = view
      await this.#present(view, shown, document)
    }
    try {
      const document = await session.readDocument(uri, ({ message }) => {
        if (!isCurrent()) return
        this.#writing.tell(message)
        if (state === "reading") standIn().catch(() => undefined)
        state = "writing"
      })
      this.#recordings.keepDocument(tool.name, document)
      return document
    } finally {
      state = "read"
    }
  }

  /** Puts a view on the stage, and gives it what the call brings. */
  async #present(view: ViewFrame, shown: Shown, document: ViewDocument): Promise<void> {
    this.#view = view
    this.#updateControls()
    this.#stage.open(document.prefersBorder !== false).replaceChildren(view.frame)
    await view.open()
    await this.#waitFor(view)
    await this.#feed(view, shown)
  }

  async #feed(view: ViewFrame, { call }: Shown): Promise<void> {
    await view.ready
    if (call === undefined || this.#view !== view || this.#fed.has(view)) return
    this.#fed.add(view)
    await view.sendInput(call.values)
    try {
      await view.sendResult(await call.answered)
    } catch (error) {
      if (call.control.signal.aborted) return view.sendCancelled(String(call.control.signal.reason))
      await view.sendResult({ isError: true, content: [{ type: "text", text: messageOf(error) }] })
    }
  }

  #tellFallback(reason: string | undefined): void {
    if (reason === undefined) this.#writing.clear()
    else this.#writing.isFallback(sentence(reason))
  }

  /** Options that the view on the stage shares with those that it is compared with. */
  #frameOptions(tool: Tool, document: ViewDocument): ViewFrameOptions {
    return {
      server: this.#server,
      tool,
      document,
      isRightToLeft: this.#settings.isRightToLeft,
      sandboxOrigin: this.#connection.link?.sandboxOrigin ?? "",
      offers: this.#settings.profile.offers,
      context: { toolInfo: { tool }, ...this.#settings.context },
      mayCall: (name) => !this.#listed.some((tool) => tool.name === name && isToolVisibilityModelOnly(tool)),
      onFrame: (from, frame) => this.#traffic.record("view", from, frame),
      onLog: (level, text) => this.#panel.log(`view ${level}`, text),
      onConsole: (line) => this.#panel.console(line),
      onMessage: () => undefined,
      onModelContext: () => undefined,
      onOpenLink: (url) => this.#offers.link(url),
      onDownload: (contents) => this.#offers.files(contents),
      onDisplayMode: () => "inline"
    }
  }

  async #showVersions(shown: Shown, view: ViewFrame): Promise<void> {
    const { tool } = shown
    const prefix = wrapperPrefix(this.#listed)
    const call: CallTool = (name, args, watch = {}) =>
      this.#server.callTool({ name, arguments: { ...args } }, { signal: new AbortController().signal, ...watch })
    await this.#versions.show({
      tool,
      title: titleOf(tool),
      get call() {
        return shown.call
      },
      view,
      workshop: prefix === undefined ? undefined : new UiWorkshop(tool, prefix, call),
      writer: this.#connection.link?.writer,
      frame: (document, width) => {
        const options = this.#frameOptions(tool, document)
        const context = { ...options.context, displayMode: "inline" as const, containerDimensions: { width } }
        return new ViewFrame({ ...options, context })
      }
    })
  }

  /** Takes the view down as a host does that needs its room, and brings it back. */
  async #reopenView(): Promise<void> {
    const shown = this.#shown
    if (this.#connection.session === undefined || shown === undefined || this.#view === undefined) return
    await this.#closeView()
    const tool = this.#tools.find(({ name }) => name === shown.tool.name) ?? shown.tool
    if (this.#tool?.name === tool.name) await this.#showView({ ...shown, tool })
  }

  async #waitFor(view: ViewFrame): Promise<void> {
    const timer = setTimeout(() => {
      const text = "The view has not initialised yet. A script of it may have failed: the console below may say why."
      if (this.#view === view) this.#notices.show(text)
    }, patienceForView)
    await view.ready
    clearTimeout(timer)
  }

  async #closeView(): Promise<void> {
    const view = this.#view
    this.#view = undefined
    this.#shown = undefined
    this.#updateControls()
    this.#versions.clear()
    this.#writing.clear()
    this.#notices.clear()
    await view?.close()
    if (this.#view === undefined && this.#shown === undefined) this.#stage.clear()
  }

  #settingsChanged(what: "context" | "document" | "width"): void {
    if (what === "width") this.#stage.setHost(this.#settings.width, this.#settings.profile)
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
