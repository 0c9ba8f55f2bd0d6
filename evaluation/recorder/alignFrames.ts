import { isObject } from "../../src/domain/isObject.ts"

/** A frame with a name by which the same frame of another run is found. */
export interface AlignedFrame {
  readonly key: string
  readonly text: string
  /** Of the request, the notification, or the request that this answers; empty for what is no message. */
  readonly method: string
  readonly kind: "request" | "notification" | "answer" | "junk"
}

const decoded = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The methods of the requests among some frames, by the JSON text of their ids. */
export const methodsById = (frames: ReadonlyArray<string>): ReadonlyMap<string, string> =>
  new Map(
    frames.flatMap((text) => {
      const message = decoded(text)
      return typeof message?.method === "string" && message.id !== undefined
        ? [[JSON.stringify(message.id), message.method] as const]
        : []
    })
  )

/**
 * Answers are named by the id they answer, requests by their id, notifications by their method and how many there
 * were before. Requests of the other side are counted like notifications, since their ids may be random.
 */
export const alignFrames = (
  frames: ReadonlyArray<string>,
  asked: ReadonlyMap<string, string>,
  countRequests: boolean
): ReadonlyMap<string, AlignedFrame> => {
  const counts = new Map<string, number>()
  const numbered = (name: string): string => {
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return `${name} #${count}`
  }
  const named = (text: string): AlignedFrame => {
    const message = decoded(text)
    if (message === undefined) return { key: numbered("no message"), text, method: "", kind: "junk" }
    const id = message.id === undefined ? undefined : JSON.stringify(message.id)
    if (typeof message.method === "string") {
      const { method } = message
      if (id === undefined) return { key: numbered(method), text, method, kind: "notification" }
      return { key: countRequests ? numbered(method) : `${method} (id ${id})`, text, method, kind: "request" }
    }
    const method = id === undefined ? undefined : asked.get(id)
    if (method === undefined) return { key: numbered("unasked answer"), text, method: "", kind: "answer" }
    return { key: `answer to ${method} (id ${id})`, text, method, kind: "answer" }
  }
  return new Map(frames.map(named).map((frame) => [frame.key, frame]))
}
