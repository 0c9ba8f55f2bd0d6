import type { CallToolResult, Tool } from "@modelcontextprotocol/client"
import { declaredFileName, handMadeFileName } from "../../domain/tools/handMadeFileName.ts"
import { BehindPanel } from "./BehindPanel.ts"
import { ChangeBar } from "./ChangeBar.ts"
import type { ViewWriter } from "./HostTransport.ts"
import type { PageState } from "./PageState.ts"
import { messageOf } from "./texts.ts"
import { titleOf, type UiVersion, type UiWorkshop } from "./uiVersions.ts"
import { VersionComparison } from "./VersionComparison.ts"
import { VersionsPanel } from "./VersionsPanel.ts"
import type { ViewDocument, ViewFrame } from "./ViewFrame.ts"
import type { WritingNote } from "./WritingNote.ts"

/** The view on show, and what its versions are read with. */
export interface VersionedView {
  readonly tool: Tool
  readonly title: string
  /** What the view was given; not before a call. */
  readonly call: { readonly values: Record<string, unknown>; readonly answered: Promise<CallToolResult> } | undefined
  readonly view: ViewFrame
  /** `undefined`: the server has no wrapper, or one that keeps no versions. */
  readonly workshop: UiWorkshop | undefined
  readonly writer: ViewWriter | undefined
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

/** What can be done with the UI on show: change it, compare its versions, go back to one, look behind it. */
export class ViewVersions {
  readonly #panel = new VersionsPanel({
    onCompare: (version) => this.#compare(version),
    onRevert: (version) => void this.#revert(version)
  })
  readonly #comparison = new VersionComparison()
  readonly #bar: ChangeBar
  readonly #behind: BehindPanel
  readonly #events: ViewVersionsEvents
  #shown: VersionedView | undefined
  #versions: ReadonlyArray<UiVersion> = []
  /** Questions of the view for a newer version. */
  #questions = 0

  constructor(state: PageState, note: WritingNote, events: ViewVersionsEvents) {
    this.#events = events
    this.#bar = new ChangeBar(note, { onChanged: () => this.#changed(), onProblem: events.onProblem })
    this.#behind = new BehindPanel(state, () => this.#changed())
  }

  async show(shown: VersionedView): Promise<void> {
    this.#shown = shown
    await this.#refresh()
  }

  clear(): void {
    this.#shown = undefined
    this.#comparison.close()
    this.#bar.clear()
    this.#setVersions(undefined, [])
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

  /** The UI that is served is another one. */
  async #changed(): Promise<void> {
    const shown = this.#shown
    await this.#refresh()
    if (shown !== undefined && this.#shown === shown) await this.#lookAgain(shown)
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
    if (shown?.workshop === undefined) return this.#setVersions(undefined, [])
    try {
      const versions = await shown.workshop.versions()
      if (this.#shown === shown) this.#setVersions(shown, versions)
    } catch {
      // A tool whose UI is not made here has no history: there is nothing to list, and nothing to change.
      if (this.#shown === shown) this.#setVersions(undefined, [])
    }
  }

  #setVersions(shown: VersionedView | undefined, versions: ReadonlyArray<UiVersion>): void {
    this.#versions = versions
    this.#panel.show(versions)
    this.#behind.show(shown?.workshop, versions)
    if (shown?.workshop === undefined) this.#bar.clear()
    else this.#bar.show(shown.workshop, shown.writer, versions)
  }

  #compare(version: UiVersion): void {
    const shown = this.#shown
    const current = this.#versions.find(({ isCurrent }) => isCurrent)
    if (shown?.workshop === undefined || current === undefined) return
    const { call, frame, title, workshop } = shown
    this.#comparison.open(
      {
        title,
        versions: this.#versions,
        source: async (one) => (await workshop.source(one)) ?? "",
        view: async (one, width) => frame(await workshop.document(one), width),
        feed: async (view) => {
          await view.ready
          if (call === undefined) return
          await view.sendInput(call.values)
          await view.sendResult(await call.answered)
        },
        onRevert: (one) => void this.#revert(one)
      },
      version,
      current
    )
  }

  async #revert(version: UiVersion): Promise<void> {
    const workshop = this.#shown?.workshop
    if (workshop === undefined) return
    try {
      await workshop.revert(version.number)
      await this.#changed()
    } catch (error) {
      this.#events.onProblem(`“${titleOf(version)}” could not be brought back: ${messageOf(error)}`)
    }
  }
}
