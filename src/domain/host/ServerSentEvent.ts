import { asOneLine } from "../wire/OneLine.ts"
import { joined } from "../wire/Pieces.ts"

const encoder = new TextEncoder()
const END = encoder.encode("\n\n")

/** Smaller events are copied into one piece. */
const COPY_BYTES = 16_384

const MESSAGE = encoder.encode("event: message\ndata: ")

/**
 * One JSON-RPC message as an event of `text/event-stream` (WHATWG HTML, 9.2.6), in pieces to be written in order. The
 * frame keeps its bytes, except for line ends between tokens, which would end the line.
 */
export const messageEvent = (frame: Uint8Array, id?: string): ReadonlyArray<Uint8Array> => {
  const start = id === undefined ? MESSAGE : encoder.encode(`event: message\nid: ${id}\ndata: `)
  const data = asOneLine(frame)
  return data.length <= COPY_BYTES ? [joined([start, data, END])] : [start, data, END]
}

/**
 * An event that makes a stream resumable before there is a message (SEP-1699): an id, the delay before reconnecting,
 * and no data. Clients before 2025-11-25 fail on it.
 */
export const primingEvent = (id: string, retryMs: number): Uint8Array =>
  encoder.encode(`id: ${id}\nretry: ${retryMs}\ndata: \n\n`)

/** Where a host of 2024-11-05 has to send its messages. */
export const endpointEvent = (path: string): Uint8Array => encoder.encode(`event: endpoint\ndata: ${path}\n\n`)

/** A comment without meaning, which keeps silent connections open. */
export const KEEP_ALIVE: Uint8Array = encoder.encode(": keep-alive\n\n")
