const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const COLON = 0x3a
const SPACE = 0x20

/** How much of both ends of an event that is too large is kept, to see what it was. */
const KEPT_BYTES = 16_384

type Concat = (pieces: ReadonlyArray<Uint8Array>, length: number) => Uint8Array

/** What an {@link EventStream} tells. Calls come in the order of the stream, within `push`. */
export interface EventStreamListener {
  /** An event with data; its lines are joined by a line feed. `type` is `"message"` where none was given. */
  readonly event: (type: string, data: Uint8Array) => void
  /** An event of `bytes` bytes was over the limit and is left out but for its first and last bytes, 16 kB at most. */
  readonly oversized: (head: Uint8Array, tail: Uint8Array, bytes: number) => void
}

const decoder = new TextDecoder()

const concatPieces: Concat = (pieces, length) => {
  const all = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}

const NEWLINE = Uint8Array.of(LINE_FEED)

/**
 * Reads `text/event-stream` (WHATWG HTML, "Server-sent events", 9.2.6) from chunks of bytes, without decoding the data:
 * a message keeps the bytes that the server wrote. Every byte is looked at once however many chunks an event comes in,
 * and data that lies in one line of one chunk is not copied. An event that the stream breaks off in is discarded, as the
 * specification says.
 */
export class EventStream {
  /** The id of the last event that was whole, to resume after it; `undefined` if none had one. */
  lastEventId: string | undefined = undefined
  /** How long to wait before connecting again, if the server said so. */
  retryMs: number | undefined = undefined

  readonly #listener: EventStreamListener
  readonly #maxBytes: number
  readonly #concat: Concat
  /** Of a line whose end has not come. */
  #pieces: Array<Uint8Array> = []
  #lineBytes = 0
  #isLineCut = false
  /** The last bytes of what was cut. */
  #tail: Uint8Array = new Uint8Array(0)
  #skipLineFeed = false
  #atStart = true
  /** Of the event whose blank line has not come. */
  #data: Array<Uint8Array> = []
  #dataBytes = 0
  #isDataCut = false
  #type = ""
  #id: string | undefined = undefined

  /** `concat` joins pieces; Node's `Buffer.concat` is faster, as it does not clear the memory first. */
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
    const before = this.#lineBytes
    this.#lineBytes += piece.length
    if (this.#lineBytes + this.#dataBytes <= this.#maxBytes) this.#pieces.push(piece)
    else {
      if (before < KEPT_BYTES) this.#pieces.push(piece.slice(0, KEPT_BYTES - before))
      else if (!this.#isLineCut) this.#pieces = [this.#join(this.#pieces).slice(0, KEPT_BYTES)]
      this.#isLineCut = true
      this.#keepTail(piece)
    }
  }

  #keepTail(piece: Uint8Array): void {
    const last = piece.length < KEPT_BYTES ? this.#concat([this.#tail, piece], this.#tail.length + piece.length) : piece
    this.#tail = last.slice(-KEPT_BYTES)
  }

  #join(pieces: ReadonlyArray<Uint8Array>): Uint8Array {
    const [only] = pieces
    if (pieces.length === 1 && only !== undefined) return only
    return this.#concat(
      pieces,
      pieces.reduce((length, piece) => length + piece.length, 0)
    )
  }

  #endLine(tail: Uint8Array): void {
    if (this.#pieces.length === 0 && this.#lineBytes + this.#dataBytes + tail.length <= this.#maxBytes) {
      return this.#line(tail, tail.length, false)
    }
    this.#keep(tail)
    const line = this.#join(this.#pieces)
    const bytes = this.#lineBytes
    const isCut = this.#isLineCut
    this.#pieces = []
    this.#lineBytes = 0
    this.#isLineCut = false
    this.#line(line, bytes, isCut)
  }

  #line(whole: Uint8Array, bytes: number, isCut: boolean): void {
    let line = whole
    if (this.#atStart) {
      this.#atStart = false
      if (line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf) line = line.subarray(3)
    }
    if (line.length === 0) return this.#dispatch()
    const colon = line.indexOf(COLON)
    if (colon === 0) return
    const name = decoder.decode(line.subarray(0, colon < 0 ? Math.min(line.length, 16) : Math.min(colon, 16)))
    const start = colon < 0 ? line.length : line[colon + 1] === SPACE ? colon + 2 : colon + 1
    if (name === "data") this.#onData(line.subarray(start), bytes - start, isCut)
    else if (!isCut) this.#field(name, line.subarray(start))
  }

  #onData(value: Uint8Array, bytes: number, isCut: boolean): void {
    this.#isDataCut ||= isCut
    this.#dataBytes += bytes + 1
    if (!this.#isDataCut || this.#data.length === 0) this.#data.push(value)
    else if (!isCut) this.#keepTail(value)
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
    const data = this.#data
    const type = this.#type === "" ? "message" : this.#type
    const isCut = this.#isDataCut
    const bytes = this.#dataBytes
    this.#data = []
    this.#dataBytes = 0
    this.#isDataCut = false
    this.#type = ""
    if (this.#id !== undefined) this.lastEventId = this.#id === "" ? undefined : this.#id
    const [first] = data
    if (first === undefined) return
    if (isCut) {
      const tail = this.#tail
      this.#tail = new Uint8Array(0)
      return this.#listener.oversized(first.slice(0, KEPT_BYTES), tail, bytes - 1)
    }
    if (data.length === 1) return first.length === 0 ? undefined : this.#listener.event(type, first)
    const lines = data.flatMap((line, index) => (index === 0 ? [line] : [NEWLINE, line]))
    this.#listener.event(type, this.#concat(lines, bytes - 1))
  }
}
