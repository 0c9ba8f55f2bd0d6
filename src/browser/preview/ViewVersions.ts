import type { CallToolResult, Tool } from "@modelcontextprotocol/client"
import { declaredFileName, handMadeFileName } from "../../domain/tools/handMadeFileName.ts"
import { messageOf } from "./texts.ts"
import {
  type CallTool,
  readVersion,
  readVersions,
  revertTo,
  titleOf,
  type UiVersion,
  type VersionTools
} from "./uiVersions.ts"
import { VersionComparison } from "./VersionComparison.ts"
import { VersionsPanel } from "./VersionsPanel.ts"
import type { ViewDocument, ViewFrame } from "./ViewFrame.ts"

/** The view on show, and what its versions are read with. */
export interface VersionedView {
  readonly tool: Tool
  readonly title: string
  readonly values: Record<string, unknown>
  readonly result: Promise<CallToolResult>
  readonly view: ViewFrame
  /** `undefined`: the server has no wrapper, or one that keeps no versions. */
  readonly tools: VersionTools | undefined
  readonly call: CallTool
  /** A view of another document of the same tool, for a place of this width in pixels. */
  readonly frame: (document: ViewDocument, width: number) => ViewFrame
}

export interface ViewVersionsEvents {
  readonly onProblem: (text: string) => void
  /** The view does not look for a newer version by itself. */
  readonly onStale: () => void
  /** The view was told whether one is written for it, or else why not. */
  readonly onNews: (isComing: boolean, why: string | undefined) => void
}

/** Milliseconds that a view may take to ask for a newer version; it asks twice a second at most. */
const PATIENCE = 2_000

/** The versions of the UI on show: lists them, compares two, goes back to one, and has the view look for a newer one. */
export class ViewVersions {
  readonly #panel = new VersionsPanel({
    onCompare: (version) => this.#compare(version),
    onRevert: (version) => void this.#revert(version)
  })
  readonly #comparison = new VersionComparison()
  readonly #events: ViewVersionsEvents
  #shown: VersionedView | undefined
  #versions: ReadonlyArray<UiVersion> = []
  /** Questions of the view for a newer version. */
  #questions = 0

  constructor(events: ViewVersionsEvents) {
    this.#events = events
  }

  async show(shown: VersionedView): Promise<void> {
    this.#shown = shown
    await this.#refresh()
  }

  clear(): void {
    this.#shown = undefined
    this.#versions = []
    this.#comparison.close()
    this.#panel.show([])
  }

  /** A call of the view was answered: it may have been told of a newer version. */
  answered(name: string, { structuredContent }: CallToolResult): void {
    const told = (member: string): unknown => Reflect.get(Object(structuredContent), member)
    const [state, note] = [told("state"), told("note")]
    if (!name.endsWith("current") || state === undefined) return
    this.#questions += 1
    this.#events.onNews(state === "generating", typeof note === "string" ? note : undefined)
    if (state === "changed") void this.#refresh()
  }

  /** A file with a UI made by hand has changed. */
  fileChanged(file: string): void {
    const shown = this.#shown
    const isOf = ({ tool }: { readonly tool: { readonly name: string } }): boolean =>
      [handMadeFileName(tool.name), declaredFileName(tool.name)].includes(file)
    if (shown !== undefined && isOf(shown)) void this.#lookAgain(shown)
  }

  /** Has the view look for a newer version now, which then takes its place with all that was typed. */
  async #lookAgain(shown: VersionedView): Promise<void> {
    const before = this.#questions
    await shown.view.tellOfChange()
    await new Promise((resolve) => setTimeout(resolve, PATIENCE))
    if (this.#shown === shown && this.#questions === before) this.#events.onStale()
  }

  async #refresh(): Promise<void> {
    const shown = this.#shown
    if (shown?.tools === undefined) return
    try {
      const versions = await readVersions(shown.call, shown.tools, shown.tool.name)
      if (this.#shown !== shown) return
      this.#versions = versions
      this.#panel.show(versions)
    } catch {
      // A tool whose UI is not made here has no history: there is nothing to list.
      if (this.#shown === shown) this.#panel.show([])
    }
  }

  #compare(version: UiVersion): void {
    const shown = this.#shown
    const current = this.#versions.find(({ isCurrent }) => isCurrent)
    if (shown?.tools === undefined || current === undefined) return
    const { call, frame, result, title, tool, tools, values } = shown
    this.#comparison.open(
      {
        title,
        versions: this.#versions,
        view: async (one, width) => frame(await readVersion(call, tools, tool, one), width),
        feed: async (view) => {
          await view.ready
          await view.sendInput(values)
          await view.sendResult(await result)
        },
        onRevert: (one) => void this.#revert(one)
      },
      version,
      current
    )
  }

  async #revert(version: UiVersion): Promise<void> {
    const shown = this.#shown
    if (shown?.tools === undefined) return
    try {
      await revertTo(shown.call, shown.tools, shown.tool.name, version.number)
      await this.#refresh()
      if (this.#shown === shown) await this.#lookAgain(shown)
    } catch (error) {
      this.#events.onProblem(`“${titleOf(version)}” could not be brought back: ${messageOf(error)}`)
    }
  }
}
