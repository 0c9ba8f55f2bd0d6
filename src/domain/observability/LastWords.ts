import { shortened } from "../shortened.ts"
import { withoutEscapes } from "../results/ResultText.ts"

/** How many of the last characters are looked at. */
const MAX_LOOKED_AT = 8192
const MAX_LINES = 5
/** How many of the last lines may hold the reason: a program may print details after it. */
const MAX_AFTER_REASON = 20
const MAX_LINE = 300
const MAX_TEXT = 1000

/** Control characters, and what turns the direction of a text. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu
/** Lines that say nothing by themselves: stack frames, and what is printed around them. */
const NO_REASON = /^(?:at .*\d\)?(?: \{)?|Node\.js v[\d.]+|[\s^~{}[\]()]*)$/
const REASON = /(?:Error|Exception)\b[^:]{0,40}:/

/** The last lines that a process wrote on standard error, for a message to people. */
export class LastWords {
  readonly #decoder = new TextDecoder()
  #text = ""
  #isCut = false

  push(chunk: Uint8Array): void {
    const text = this.#text + this.#decoder.decode(chunk.subarray(-MAX_LOOKED_AT), { stream: true })
    this.#isCut ||= chunk.length > MAX_LOOKED_AT || text.length > MAX_LOOKED_AT
    this.#text = text.slice(-MAX_LOOKED_AT)
  }

  /** Without secrets. A line without its beginning is left out: it could hold half a secret. */
  said(redact: (text: string) => string): string {
    const whole = this.#isCut ? this.#text.slice(this.#text.indexOf("\n") + 1 || this.#text.length) : this.#text
    const lines = redact(withoutEscapes(whole))
      .split(/[\r\n]+/)
      .map((line) => line.replaceAll(UNPRINTABLE, " ").trim())
      .filter((line) => !NO_REASON.test(line))
      .map((line) => shortened(line, MAX_LINE))
      .slice(-MAX_AFTER_REASON)
    const reason = lines.findLastIndex((line) => REASON.test(line))
    const last = Math.max(0, lines.length - MAX_LINES)
    const from = reason === -1 ? last : Math.min(reason, last)
    const told = lines.slice(from, from + MAX_LINES)
    while (told.length > 1 && told.join("\n").length > MAX_TEXT) {
      if (from < last) told.pop()
      else told.shift()
    }
    return told.join("\n")
  }
}
