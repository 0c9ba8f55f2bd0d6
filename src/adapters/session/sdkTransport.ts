import { isObject } from "../../domain/isObject.ts"
import type { FrameLink, FrameListener } from "../../services/host/FrameLink.ts"

/** What transports of the MCP SDK have in common, in 1.x and 2.x. */
export interface SdkTransport {
  start(): Promise<void>
  send(message: unknown, options?: { readonly relatedRequestId?: unknown }): Promise<void>
  close(): Promise<void>
  onmessage?: ((message: unknown, extra?: unknown) => void) | undefined
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  sessionId?: string | undefined
  setProtocolVersion?: ((version: string) => void) | undefined
}

const encoded = (message: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(message))
const decoded = (frame: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(frame))

const idOf = (message: unknown): string | undefined =>
  isObject(message) && "method" in message && "id" in message ? JSON.stringify(message.id) : undefined

const nobody: FrameListener = { frame: () => undefined, drained: () => undefined, ended: () => undefined }

/** A transport of the SDK never says that it is behind. */
const flow = { pause: () => undefined, resume: () => undefined }

/** Cuts a transport in two: one end for the host that it leads to, and an `inner` transport for the server. */
export const splitTransport = (outer: SdkTransport) => {
  /** What the transport tells beside a request, such as who asks. */
  const beside = new Map<string, unknown>()
  let session = nobody

  const inner: SdkTransport = {
    start: () => Promise.resolve(),
    send: (message, options) => {
      session.frame(encoded(message), JSON.stringify(options?.relatedRequestId))
      return Promise.resolve()
    },
    close: () => outer.close(),
    get sessionId() {
      return outer.sessionId
    },
    setProtocolVersion: (version) => outer.setProtocolVersion?.(version)
  }
  const failed = (cause: unknown): void => inner.onerror?.(cause instanceof Error ? cause : new Error(String(cause)))

  const host: FrameLink = {
    ...flow,
    listen: (listener) => {
      Object.assign(outer, {
        onmessage: (message: unknown, extra?: unknown) => {
          const id = idOf(message)
          if (id !== undefined) beside.set(id, extra)
          listener.frame(encoded(message))
        },
        onerror: failed,
        onclose: () => {
          listener.ended()
          inner.onclose?.()
        }
      })
    },
    send: (frame, about) => {
      const options = about === undefined ? undefined : { relatedRequestId: JSON.parse(about) }
      outer.send(decoded(frame), options).catch(failed)
      return true
    },
    end: () => undefined
  }

  const server: FrameLink = {
    ...flow,
    listen: (listener) => {
      session = listener
    },
    send: (frame) => {
      const message = decoded(frame)
      const id = idOf(message) ?? ""
      inner.onmessage?.(message, beside.get(id))
      beside.delete(id)
      return true
    },
    end: () => undefined
  }

  return { host, inner, server }
}
