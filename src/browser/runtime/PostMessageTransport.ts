/**
 * Stands in for the transport of ext-apps, which pages construct and pass to `App.connect`. It carries nothing: the
 * runtime made the page's one connection before any of its code ran.
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
