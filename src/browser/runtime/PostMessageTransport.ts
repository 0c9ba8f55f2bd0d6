/**
 * Stands in for the transport of ext-apps, which pages construct and pass to `App.connect`. A page has one
 * connection, made by the runtime before any of its code ran; this one carries nothing.
 */
export class PostMessageTransport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: unknown) => void

  start(): Promise<void> {
    return Promise.resolve()
  }
  send(): Promise<void> {
    return Promise.resolve()
  }
  close(): Promise<void> {
    this.onclose?.()
    return Promise.resolve()
  }
}
