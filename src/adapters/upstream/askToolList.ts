import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { isObject } from "../../domain/isObject.ts"
import { EventStream } from "../../domain/upstream/EventStream.ts"
import { requestFrame } from "../../domain/wire/Frame.ts"
import { decodedAt } from "../../domain/wire/Rewrites.ts"
import type { HttpAnswer, HttpFailed } from "./httpClient.ts"
import type { UpstreamPeer } from "./upstreamPeer.ts"
import { answeredId, framesIn, isEventStream } from "./upstreamTransport.ts"
import type { UpstreamLost } from "../../services/upstream/Upstream.ts"

const MAX_PAGES = 64

const framesOf = (answer: HttpAnswer, body: Uint8Array, maxBytes: number): ReadonlyArray<Uint8Array> => {
  if (!isEventStream(answer)) return framesIn(body)
  const frames: Array<Uint8Array> = []
  const event = (_type: string, data: Uint8Array) => void frames.push(...framesIn(data))
  new EventStream({ event, oversized: () => undefined }, maxBytes).push(body)
  return frames
}

/**
 * All pages of `tools/list` as a server of the modern era answers them to the sender of `like`, whose envelope is
 * repeated; `headers` are those of such a request. Stops at the first page that is no list.
 */
export const askToolList = (
  peer: UpstreamPeer,
  like: Uint8Array,
  headers: (frame: Uint8Array) => Readonly<Record<string, string>>,
  maxBytes: number
): Effect.Effect<ReadonlyArray<unknown>, HttpFailed | UpstreamLost> =>
  Effect.gen(function* () {
    const meta = decodedAt(like, ["params", "_meta"])
    const { progressToken: _, ...envelope } = isObject(meta) ? meta : {}
    const results: Array<unknown> = []
    let cursor: unknown
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const id = JSON.stringify(`mcp-gen-ui:headers-${randomUUID()}`)
      const params = cursor === undefined ? { _meta: envelope } : { cursor, _meta: envelope }
      const frame = requestFrame(id, "tools/list", params)
      const frames = yield* peer.call(
        { method: "POST", headers: headers(frame), body: frame, isRepeatable: true },
        (answer) => Effect.map(peer.client.readAll(answer, maxBytes), (body) => framesOf(answer, body, maxBytes))
      )
      const reply = frames.find((candidate) => answeredId(candidate) === id)
      const result = reply === undefined ? undefined : decodedAt(reply, ["result"])
      if (!isObject(result)) return results
      results.push(result)
      if (result.nextCursor === undefined || result.nextCursor === null) return results
      cursor = result.nextCursor
    }
    return results
  })
