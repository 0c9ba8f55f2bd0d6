import type { EventStore } from "@modelcontextprotocol/sdk/server/streamableHttp.js"
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js"

const MAX_EVENTS = 500

/** Keeps the last events of one session, in order, so that a client that lost its stream can have them again. */
export class BoundedEventStore implements EventStore {
  readonly #events = new Map<string, { readonly streamId: string; readonly message: JSONRPCMessage }>()
  #count = 0

  async storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    this.#count += 1
    const eventId = String(this.#count)
    this.#events.set(eventId, { streamId, message })
    if (this.#events.size > MAX_EVENTS) this.#events.delete(String(this.#count - MAX_EVENTS))
    return eventId
  }

  async getStreamIdForEventId(eventId: string): Promise<string | undefined> {
    return this.#events.get(eventId)?.streamId
  }

  async replayEventsAfter(
    lastEventId: string,
    { send }: { readonly send: (eventId: string, message: JSONRPCMessage) => Promise<void> }
  ): Promise<string> {
    const streamId = this.#events.get(lastEventId)?.streamId
    if (streamId === undefined) throw new Error(`Event ${lastEventId} is unknown or was dropped.`)
    for (const [eventId, event] of this.#events) {
      const isPriming = Object.keys(event.message).length === 0
      if (Number(eventId) > Number(lastEventId) && event.streamId === streamId && !isPriming) {
        await send(eventId, event.message)
      }
    }
    return streamId
  }
}
