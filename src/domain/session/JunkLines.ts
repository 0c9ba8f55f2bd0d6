type Verdict = "pass" | "leave out" | "keep"

const MAX_LINES = 20
const LONGEST_SHOWN = 200

/**
 * Lines on a server's standard output that are no JSON-RPC messages. Hosts that render UIs do not get them, other hosts
 * do. Until we know the kind of host, we keep them.
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

  onLine(line: Uint8Array): Verdict {
    if (this.#isLeftOut === false) return "pass"
    if (this.#isLeftOut === undefined && this.#kept.length < MAX_LINES) {
      this.#kept.push(line.slice())
      return "keep"
    }
    this.#leftOut += 1
    return "leave out"
  }

  /** The log text for a line that was left out; none after the twentieth. */
  note(line: Uint8Array): string | undefined {
    if (this.#leftOut > MAX_LINES) return undefined
    const text = JSON.stringify(new TextDecoder().decode(line.subarray(0, LONGEST_SHOWN)))
    const last = this.#leftOut === MAX_LINES ? " (further ones are not logged)" : ""
    return `the server printed a line on stdout that is no JSON-RPC message; it is left out${last}: ${text}`
  }
}
