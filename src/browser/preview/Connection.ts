import { byId, chosenIn } from "./element.ts"
import type { HostSessionEvents } from "./HostSession.ts"
import { ConnectionLost, HostSession } from "./HostSession.ts"
import type { OpenedLink } from "./HostTransport.ts"
import type { PageState } from "./PageState.ts"
import { messageOf, sentence } from "./texts.ts"

/** Milliseconds between two attempts to bring a connection back: at first, and at most. */
const pauses = { first: 1_000, longest: 30_000 }
/** Milliseconds after which a connection has held. */
const steady = 10_000

export interface ConnectionEvents extends Omit<HostSessionEvents, "onClose" | "onLink" | "onServerFile"> {
  /** The person restarts: the view of the session before goes. */
  readonly onRestart: () => Promise<void>
  /** `isNewCode`: the server was started again because its code has changed. */
  readonly onConnected: (isNewCode: boolean) => void
  readonly onLost: (reason: string) => void
}

/** The connection to the server. Shows its state, and brings it back when it is lost. */
export class Connection {
  readonly #upstream = byId("upstream", HTMLElement)
  readonly #status = byId("status", HTMLElement)
  readonly #era = byId("era", HTMLFieldSetElement)
  readonly #restart = byId("restart", HTMLButtonElement)
  readonly #gallery = byId("gallery", HTMLAnchorElement)
  readonly #copy = byId("copy-config", HTMLButtonElement)
  readonly #banner = byId("connection", HTMLElement)
  readonly #reason = byId("connection-lost", HTMLElement)
  readonly #events: ConnectionEvents
  #session: HostSession | undefined
  #link: OpenedLink | undefined
  #attempt = 0
  /** Whether this connection was ever up since the person started it. */
  #hasBeenThere = false
  #connectedAt = 0
  #pause = pauses.first
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(state: PageState, events: ConnectionEvents) {
    this.#events = events
    for (const radio of this.#era.querySelectorAll("input")) radio.checked = radio.value === "legacy"
    state.keepChoice("era", this.#era)
    this.#copy.addEventListener("click", () => void this.#copyConfig())
    this.#era.addEventListener("change", () => void this.restart())
    this.#restart.addEventListener("click", () => void this.restart())
    byId("connect", HTMLButtonElement).addEventListener("click", () => {
      this.#setStatus("connecting", "Connecting…")
      void this.#connect()
    })
  }

  get session(): HostSession | undefined {
    return this.#session
  }

  /** The latest link to the preview, which may be there without a server. */
  get link(): OpenedLink | undefined {
    return this.#link
  }

  async #copyConfig(): Promise<void> {
    if (this.#link === undefined) return
    await navigator.clipboard.writeText(this.#link.hostConfig)
    this.#copy.textContent = "Copied"
    setTimeout(() => (this.#copy.textContent = "Copy host config"), 2_000)
  }

  /** Starts the server again with its new code. What is on the page stays. */
  async #renew(file: string): Promise<void> {
    const before = this.#session
    if (before === undefined) return
    this.#session = undefined
    this.#attempt += 1
    this.#setStatus("connecting", "Starting again…")
    this.#events.onLog(`${file} has changed: the server starts again`)
    await before.close()
    await this.#connect(true)
  }

  /** Starts a server process in the chosen era, in place of the one before. */
  async restart(): Promise<void> {
    const before = this.#session
    this.#session = undefined
    this.#attempt += 1
    this.#hasBeenThere = false
    this.#pause = pauses.first
    this.#banner.hidden = true
    this.#setStatus("connecting", "Connecting…")
    await this.#events.onRestart()
    await before?.close()
    await this.#connect()
  }

  async #connect(isNewCode = false): Promise<void> {
    const attempt = (this.#attempt += 1)
    const isCurrent = () => attempt === this.#attempt
    clearTimeout(this.#timer)
    try {
      const era = chosenIn(this.#era) === "modern" ? "modern" : "legacy"
      const session = await HostSession.connect(era, {
        ...this.#events,
        onTools: (tools) => isCurrent() && this.#events.onTools(tools),
        onServerFile: (file) => void (isCurrent() && this.#renew(file)),
        onLink: (link) => {
          this.#link = link
        },
        onClose: (lost) => isCurrent() && this.#lost(lost)
      })
      if (!isCurrent()) return await session.close()
      this.#session = session
      this.#hasBeenThere = true
      this.#connectedAt = performance.now()
      this.#upstream.textContent = session.link.title
      this.#upstream.title = session.link.title
      this.#setStatus("connected", session.description)
      this.#banner.hidden = true
      this.#setPreview(true)
      this.#events.onConnected(isNewCode)
    } catch (error) {
      if (isCurrent()) this.#lost(error)
    }
  }

  #lost(error: unknown): void {
    const hasPreview = !(error instanceof ConnectionLost) || error.hasPreview
    if (this.#session !== undefined && performance.now() - this.#connectedAt > steady) this.#pause = pauses.first
    this.#session = undefined
    this.#setStatus("closed", "Not connected")
    this.#setPreview(hasPreview)
    const isTriedAgain = this.#hasBeenThere || !hasPreview
    const hope = isTriedAgain ? "This page connects again by itself as soon as it can." : "The log may say why."
    const text = `${sentence(messageOf(error))} ${hope}`
    if (this.#banner.hidden || this.#reason.textContent !== text) {
      this.#reason.textContent = text
      this.#banner.hidden = false
      this.#events.onLost(messageOf(error))
    }
    clearTimeout(this.#timer)
    if (!isTriedAgain) return
    this.#timer = setTimeout(() => void this.#connect(), this.#pause)
    this.#pause = Math.min(2 * this.#pause, pauses.longest)
  }

  #setStatus(state: string, text: string): void {
    this.#status.dataset["state"] = state
    this.#status.textContent = text
  }

  /** Enables what works only while the preview runs. */
  #setPreview(isThere: boolean): void {
    this.#restart.disabled = !isThere
    this.#era.disabled = !isThere
    this.#gallery.hidden = !isThere
    this.#copy.hidden = !isThere
  }
}
