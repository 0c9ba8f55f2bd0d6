import type { FrameHead } from "../wire/Frame.ts"
import { HeadScanner } from "../wire/HeadScanner.ts"
import { type Concat, concatPieces, Pieces } from "../wire/Pieces.ts"

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const COLON = 0x3a
const SPACE = 0x20

/** Enough of a line to recognize data: a byte order mark, `data:` and a space. */
const NAME_BYTES = 9

/** Calls come in the order of the stream, within `push`. */
export interface EventStreamListener {
  /** An event with data; its lines are joined by a line feed. `type` is `"message"` if none was given. */
  readonly event: (type: string, data: Uint8Array) => void
  /** An event of `bytes` bytes was over the limit and is left out, except for the head of its message. */
  readonly oversized: (head: FrameHead | undefined, bytes: number) => void
}

const decoder = new TextDecoder()

/** The name of a line's field, as far as it matters, and where its value starts. */
const fieldOf = (line: Uint8Array): { readonly name: string; readonly valueAt: number } => {
  const colon = line.indexOf(COLON)
  const end = colon < 0 ? line.length : colon
  const valueAt = colon < 0 ? end : line[colon + 1] === SPACE ? colon + 2 : colon + 1
  return { name: decoder.decode(line.subarray(0, Math.min(end, NAME_BYTES))), valueAt }
}

const NEWLINE = Uint8Array.of(LINE_FEED)

/**
 * Reads `text/event-stream` (WHATWG HTML, "Server-sent events", 9.2.6) from chunks of bytes. Libraries decode the data,
 * but a message must keep the server's bytes. It looks at every byte once, however many chunks an event comes in, and
 * does not copy data that lies in one line of one chunk. An unfinished event at the end is discarded, as the
 * specification says.
 */
export class EventStream {
  /** The id of the last whole event, to resume after it; `undefined` if none had one. */
  lastEventId: string | undefined = undefined
  retryMs: number | undefined = undefined

  readonly #listener: EventStreamListener
  readonly #maxBytes: number
  readonly #concat: Concat
  /** The unfinished line. */
  readonly #pieces = new Pieces()
  #lineBytes = 0
  /** Where the bytes of a too long line go: to the scanner of its event, or nowhere. */
  #cutLine: { readonly scanner: HeadScanner | undefined; readonly start: number } | undefined = undefined
  #skipLineFeed = false
  #atStart = true
  /** The unfinished event. */
  readonly #data = new Pieces()
  /** Includes a line feed for each line. */
  #dataBytes = 0
  /** Reads the data of an event that is too large to be kept. */
  #scanner: HeadScanner | undefined = undefined
  #type = ""
  #id: string | undefined = undefined

  constructor(listener: EventStreamListener, maxBytes: number, concat: Concat = concatPieces) {
    this.#listener = listener
    this.#maxBytes = maxBytes
    this.#concat = concat
  }

  push(chunk: Uint8Array): void {
    let from = 0
    let lineFeed = -1
    let carriageReturn = -1
    const next = (byte: number, known: number): number => {
      if (known >= from) return known
      const found = chunk.indexOf(byte, from)
      return found < 0 ? chunk.length : found
    }
    while (from < chunk.length) {
      if (this.#skipLineFeed) {
        this.#skipLineFeed = false
        if (chunk[from] === LINE_FEED) {
          from += 1
          continue
        }
      }
      lineFeed = next(LINE_FEED, lineFeed)
      carriageReturn = next(CARRIAGE_RETURN, carriageReturn)
      const end = Math.min(lineFeed, carriageReturn)
      if (end === chunk.length) {
        this.#keep(chunk.subarray(from))
        return
      }
      this.#endLine(chunk.subarray(from, end))
      this.#skipLineFeed = end === carriageReturn
      from = end + 1
    }
  }

  #keep(piece: Uint8Array): void {
    this.#lineBytes += piece.length
    if (this.#cutLine !== undefined) {
      this.#cutLine.scanner?.push(piece)
      return
    }
    this.#pieces.push(piece)
    if (this.#lineBytes >= NAME_BYTES && this.#lineBytes + this.#dataBytes > this.#maxBytes) this.#cut()
  }

  /** Stops keeping the line. A line that is not data is kept while it is within the limit. */
  #cut(): void {
    const first: Array<number> = []
    for (const piece of this.#pieces.all) {
      first.push(...piece.subarray(0, NAME_BYTES - first.length))
      if (first.length === NAME_BYTES) break
    }
    const beginning = Uint8Array.from(first)
    const mark = this.#markBytes(beginning)
    const { name, valueAt } = fieldOf(beginning.subarray(mark))
    const isData = name === "data"
    if (!isData && this.#lineBytes <= this.#maxBytes) return
    const start = mark + valueAt
    const scanner = isData ? this.#dataScanner() : undefined
    let skip = start
    for (const piece of this.#pieces.take()) {
      scanner?.push(piece.subarray(skip))
      skip = Math.max(0, skip - piece.length)
    }
    this.#cutLine = { scanner, start }
  }

  /** The scanner of the event's data, ready for its next line. */
  #dataScanner(): HeadScanner {
    if (this.#scanner !== undefined) {
      this.#scanner.push(NEWLINE)
      return this.#scanner
    }
    const scanner = new HeadScanner()
    for (const piece of this.#data.take()) scanner.push(piece)
    if (this.#dataBytes > 0) scanner.push(NEWLINE)
    this.#scanner = scanner
    return scanner
  }

  #endLine(tail: Uint8Array): void {
    if (this.#lineBytes === 0 && this.#dataBytes + tail.length <= this.#maxBytes) {
      return this.#line(tail)
    }
    this.#keep(tail)
    const bytes = this.#lineBytes
    const cut = this.#cutLine
    this.#lineBytes = 0
    this.#cutLine = undefined
    if (cut === undefined) return this.#line(this.#pieces.join(this.#concat))
    this.#atStart = false
    if (cut.scanner !== undefined) this.#dataBytes += bytes - cut.start + 1
  }

  /** The length of a byte order mark, which only the first line may have. */
  #markBytes(line: Uint8Array): number {
    return this.#atStart && line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf ? 3 : 0
  }

  #line(whole: Uint8Array): void {
    const line = whole.subarray(this.#markBytes(whole))
    this.#atStart = false
    if (line.length === 0) return this.#dispatch()
    const { name, valueAt } = fieldOf(line)
    if (name === "data") this.#onData(line.subarray(valueAt), whole.length)
    else this.#field(name, line.subarray(valueAt))
  }

  #onData(value: Uint8Array, lineBytes: number): void {
    if (this.#scanner !== undefined || lineBytes + this.#dataBytes > this.#maxBytes) this.#dataScanner().push(value)
    else {
      if (this.#dataBytes > 0) this.#data.push(NEWLINE)
      this.#data.push(value)
    }
    this.#dataBytes += value.length + 1
  }

  #field(name: string, value: Uint8Array): void {
    if (name === "event") this.#type = decoder.decode(value)
    else if (name === "id") {
      if (!value.includes(0)) this.#id = decoder.decode(value)
    } else if (name === "retry") {
      const text = decoder.decode(value)
      if (/^\d{1,9}$/.test(text)) this.retryMs = Number(text)
    }
  }

  #dispatch(): void {
    const type = this.#type === "" ? "message" : this.#type
    const scanner = this.#scanner
    const bytes = this.#dataBytes
    const data = this.#data.join(this.#concat)
    this.#dataBytes = 0
    this.#scanner = undefined
    this.#type = ""
    if (this.#id !== undefined) this.lastEventId = this.#id === "" ? undefined : this.#id
    if (scanner !== undefined) return this.#listener.oversized(scanner.head(), bytes - 1)
    if (data.length > 0) this.#listener.event(type, data)
  }
}
