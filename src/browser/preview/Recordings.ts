import type { CallToolResult, Tool } from "@modelcontextprotocol/client"
import type { ViewDocument } from "./ViewFrame.ts"

/** A call that was answered. */
export interface Recording {
  readonly id: string
  readonly tool: string
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly values: Record<string, unknown>
  readonly result: CallToolResult
}

/** The newest are kept. */
const most = 30

/** What this tab has seen of a server, for as long as the tab lives: replaying it needs no server, also after a reload. */
export class Recordings {
  readonly #key: string

  constructor() {
    // Each preview has another token in its path.
    this.#key = `studio ${location.pathname}`
  }

  get calls(): ReadonlyArray<Recording> {
    return this.#read<ReadonlyArray<Recording>>("calls") ?? []
  }

  get tools(): ReadonlyArray<Tool> {
    return this.#read<ReadonlyArray<Tool>>("tools") ?? []
  }

  keepTools(tools: ReadonlyArray<Tool>): void {
    this.#write("tools", tools)
  }

  add(tool: string, values: Record<string, unknown>, result: CallToolResult): Recording {
    const at = Date.now()
    const recording = { id: `${at.toString(36)}-${this.calls.length}`, tool, at, values, result }
    this.#write("calls", [...this.calls, recording].slice(-most))
    return recording
  }

  documentOf(tool: string): ViewDocument | undefined {
    return this.#read<ViewDocument>(`document ${tool}`)
  }

  keepDocument(tool: string, document: ViewDocument): void {
    this.#write(`document ${tool}`, document)
  }

  #read<A>(name: string): A | undefined {
    const text = sessionStorage.getItem(`${this.#key} ${name}`)
    return text === null ? undefined : (JSON.parse(text) as A)
  }

  #write(name: string, value: unknown): void {
    try {
      sessionStorage.setItem(`${this.#key} ${name}`, JSON.stringify(value))
    } catch {
      // The storage is full. What was kept before stays.
    }
  }
}
