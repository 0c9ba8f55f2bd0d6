import { join } from "node:path"
import type { Tool } from "../../src/domain/tools/Tool.ts"
import type { CaseReport, Check, FilledReport, Problem } from "./CaseReport.ts"
import type { ServedDocument } from "./documentOf.ts"
import type { Stage, Theme } from "./Stage.ts"

const MOST_SAME = 5

/** One case under way: the stage it has, and what was found so far. */
export class CaseRun {
  readonly stage: Stage
  readonly theme: Theme
  readonly width: number
  private readonly id: string
  private readonly kind: CaseReport["kind"]
  private readonly documentOf: (tool: Tool) => Promise<ServedDocument>
  private readonly folder: string | undefined
  private readonly problems: Array<Problem> = []
  private readonly start = performance.now()
  private document: ServedDocument | undefined
  private openMs = 0
  private shotFile: string | undefined
  private filledReport: FilledReport | undefined
  private inViewShare: number | undefined
  private overflow = 0
  readonly notes: Array<string> = []

  constructor(props: {
    readonly id: string
    readonly kind: CaseReport["kind"]
    readonly stage: Stage
    readonly theme: Theme
    readonly width: number
    readonly documentOf: (tool: Tool) => Promise<ServedDocument>
    /** Where pictures go; none are taken without. */
    readonly folder: string | undefined
  }) {
    this.id = props.id
    this.kind = props.kind
    this.stage = props.stage
    this.theme = props.theme
    this.width = props.width
    this.documentOf = props.documentOf
    this.folder = props.folder
  }

  problem(check: Check, message: string): void {
    if (this.problems.filter((other) => other.check === check).length < MOST_SAME)
      this.problems.push({ check, message })
  }

  /** Something that is no failure of ours. */
  note(text: string): void {
    this.notes.push(text)
  }

  async open(tool: Tool): Promise<void> {
    this.document ??= await this.documentOf(tool)
    this.openMs = await this.stage.show({
      html: this.document.html,
      toolName: tool.name,
      theme: this.theme,
      width: this.width
    })
  }

  /** Looks for errors and violations of the view that is open. */
  async faults(): Promise<void> {
    const { errors, violations } = await this.stage.faults()
    for (const error of new Set(errors)) this.problem("console", error.slice(0, 400))
    for (const violation of new Set(violations)) this.problem("csp", violation)
  }

  async axe(state: string, rules: "all" | "colours" = "all"): Promise<void> {
    for (const violation of await this.stage.axe(rules)) this.problem("axe", `${state}: ${violation}`)
  }

  async shot(): Promise<void> {
    if (this.folder === undefined) return
    this.shotFile = join("shots", `${this.id.replaceAll(/[^\w.#-]+/g, "__").replaceAll("#", "-")}.jpg`)
    await this.stage.shot(join(this.folder, this.shotFile))
  }

  filled(report: FilledReport | undefined): void {
    this.filledReport = report
  }

  shown(inViewShare: number, overflow: number): void {
    this.inViewShare = inViewShare
    this.overflow = overflow
  }

  report(): CaseReport {
    return {
      id: this.id,
      kind: this.kind,
      problems: this.problems,
      bytes: this.document?.bytes ?? 0,
      gzipBytes: this.document?.gzipBytes ?? 0,
      openMs: Math.round(this.openMs),
      ms: Math.round(performance.now() - this.start),
      shot: this.shotFile,
      theme: this.theme,
      width: this.width,
      filled: this.filledReport,
      inViewShare: this.inViewShare,
      overflow: this.overflow,
      notes: this.notes
    }
  }
}
