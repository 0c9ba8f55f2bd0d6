const MAX_LINES = 20
const LONGEST_SHOWN = 200

/**
 * Lines on a server's standard output that are no JSON-RPC messages. Hosts that render UIs do not get them, other hosts
 * do. Until we know the kind of host, we keep a few; with more we stop waiting, and the host gets them all.
 */
export class JunkLines {
  #isLeftOut: boolean | undefined
  #kept: Array<Uint8Array> = []
  #leftOut = 0

  /** Tells the kind of host; returns the lines that were kept. */
  onHost(rendersUis: boolean): ReadonlyArray<Uint8Array> {
    this.#isLeftOut = rendersUis
    const kept = this.#kept
    this.#kept = []
    return kept
  }

  /** What the host gets now, and what the log says of a line that the host does not get. */
  onLine(line: Uint8Array): { readonly passed: ReadonlyArray<Uint8Array>; readonly note?: string | undefined } {
    if (this.#isLeftOut === false) return { passed: [line] }
    if (this.#isLeftOut === true) return { passed: [], note: this.#note(line) }
    this.#kept.push(line.slice())
    return { passed: this.#kept.length > MAX_LINES ? this.onHost(false) : [] }
  }

  /** Nothing after the twentieth. */
  #note(line: Uint8Array): string | undefined {
    this.#leftOut += 1
    if (this.#leftOut > MAX_LINES) return undefined
    const text = JSON.stringify(new TextDecoder().decode(line.subarray(0, LONGEST_SHOWN)))
    const last = this.#leftOut === MAX_LINES ? " (further ones are not logged)" : ""
    return `the server printed a line on stdout that is no JSON-RPC message; it is left out${last}: ${text}`
  }
}
