import { notificationFrameOf, requestFrameOf } from "../../wire/Frame.ts"
import { SUBSCRIPTION_ID } from "../../wire/HostListens.ts"
import { METHOD_NOT_FOUND } from "../../wire/RequestFailed.ts"
import { decodedAt, rawAt } from "../../wire/Rewrites.ts"
import type { EraPort, OwnIds } from "./EraPort.ts"
import { without } from "./EraSplices.ts"

/** What a server of the modern era says that it can tell of. */
export interface ListChanges {
  readonly toolsListChanged: boolean
  readonly promptsListChanged: boolean
  readonly resourcesListChanged: boolean
}

/** Called when a URI is listened to (`undefined`), or with the error (JSON text) why it is not. */
type Settle = (error: string | undefined) => void

interface Listen {
  readonly id: string
  readonly uris: ReadonlySet<string>
}

/**
 * A subscription that the server ends is opened again after this time, twice as long each time. Not a `Schedule`: the
 * translation is pure and waits through its port.
 */
const REOPEN_MS = 1000
const MAX_REOPEN_MS = 30_000

/**
 * The one `subscriptions/listen` (2026-07-28) that stands for all that a host of the legacy era is told unasked
 * (`list_changed`) and for its `resources/subscribe`. When the wanted filter changes, a new one is opened before the old
 * one is cancelled, so that nothing is missed in between.
 */
export class ServerSubscription {
  readonly #port: EraPort
  readonly #ids: OwnIds
  readonly #lists: ListChanges
  readonly #meta: () => string
  readonly #uris = new Set<string>()
  #waiting: Array<{ readonly uri: string; readonly settle: Settle }> = []
  #current: Listen | undefined
  #opening: Listen | undefined
  #isStale = false
  #delayMs = REOPEN_MS
  #stopTimer: () => void = () => undefined

  /** `meta` answers the envelope of a request as JSON text. */
  constructor(port: EraPort, ids: OwnIds, lists: ListChanges, meta: () => string) {
    this.#port = port
    this.#ids = ids
    this.#lists = lists
    this.#meta = meta
  }

  /** Listens to what needs no asking in the legacy era. */
  start(): void {
    this.#update()
  }

  add(uri: string, settle: Settle): void {
    this.#uris.add(uri)
    if (this.#current?.uris.has(uri) === true) return settle(undefined)
    this.#waiting.push({ uri, settle })
    this.#update()
  }

  remove(uri: string): void {
    if (this.#uris.delete(uri)) this.#update()
  }

  /** Takes an answer to one of our listens: the server ended or refused it. */
  onAnswer(id: string, frame: Uint8Array): boolean {
    if (this.#opening?.id === id) {
      const error = rawAt(frame, ["error"])
      const { uris } = this.#opening
      this.#opening = undefined
      if (error === undefined) this.#reopen()
      else this.#refuse(uris, error)
      return true
    }
    return this.#end(id)
  }

  /** Takes the notifications that are about our listens; those for the host are handed to it without their mark. */
  onNotification(method: string, frame: Uint8Array): boolean {
    if (method === "notifications/cancelled") {
      const id = rawAt(frame, ["params", "requestId"])
      return id !== undefined && this.#end(id)
    }
    const id = rawAt(frame, ["params", "_meta", SUBSCRIPTION_ID])
    if (id === undefined || !this.#ids.isOwn(id)) return false
    if (method === "notifications/subscriptions/acknowledged") {
      this.#acknowledge(id, frame)
      return true
    }
    if (this.#current?.id !== id) return true
    this.#delayMs = REOPEN_MS
    const isBare = Object.keys(Object(decodedAt(frame, ["params", "_meta"]))).length === 1
    this.#port.toHost(
      isBare ? without(frame, ["params"], ["_meta"]) : without(frame, ["params", "_meta"], [SUBSCRIPTION_ID])
    )
    return true
  }

  /** Nothing more is sent. */
  stop(): void {
    this.#stopTimer()
  }

  #update(): void {
    if (this.#opening !== undefined) {
      this.#isStale = true
      return
    }
    this.#stopTimer()
    const uris = [...this.#uris]
    const lists = Object.entries(this.#lists).filter(([, isWanted]) => isWanted)
    if (uris.length === 0 && lists.length === 0) {
      this.#cancel(this.#current)
      this.#current = undefined
      return
    }
    const filter = { ...Object.fromEntries(lists), ...(uris.length > 0 ? { resourceSubscriptions: uris } : {}) }
    this.#opening = { id: this.#ids.next(), uris: new Set(uris) }
    this.#port.toServer(
      requestFrameOf(
        this.#opening.id,
        "subscriptions/listen",
        `{"notifications":${JSON.stringify(filter)},"_meta":${this.#meta()}}`
      )
    )
  }

  #acknowledge(id: string, frame: Uint8Array): void {
    const opening = this.#opening
    if (opening?.id !== id) return
    this.#cancel(this.#current)
    this.#current = opening
    this.#opening = undefined
    const honored = decodedAt(frame, ["params", "notifications", "resourceSubscriptions"])
    const isHonored = (uri: string): boolean => Array.isArray(honored) && honored.includes(uri)
    for (const uri of opening.uris) if (!isHonored(uri)) this.#uris.delete(uri)
    const refusal = JSON.stringify({
      code: METHOD_NOT_FOUND,
      message: "the server does not offer subscriptions to this resource"
    })
    this.#settle(opening.uris, (uri) => (isHonored(uri) ? undefined : refusal))
    this.#updateIfStale()
  }

  #refuse(uris: ReadonlySet<string>, error: string): void {
    this.#port.note(`the server refused subscriptions/listen: ${error}`)
    const asked = new Set(this.#waiting.map(({ uri }) => uri))
    for (const uri of uris) if (asked.has(uri)) this.#uris.delete(uri)
    this.#settle(uris, () => error)
    this.#updateIfStale()
  }

  #settle(uris: ReadonlySet<string>, error: (uri: string) => string | undefined): void {
    const settled = this.#waiting.filter(({ uri }) => uris.has(uri))
    this.#waiting = this.#waiting.filter(({ uri }) => !uris.has(uri))
    for (const { settle, uri } of settled) settle(error(uri))
  }

  #updateIfStale(): void {
    if (!this.#isStale) return
    this.#isStale = false
    this.#update()
  }

  #end(id: string): boolean {
    if (this.#current?.id !== id) return false
    this.#current = undefined
    this.#reopen()
    return true
  }

  #reopen(): void {
    this.#stopTimer()
    this.#stopTimer = this.#port.after(this.#delayMs, () => this.#update())
    this.#delayMs = Math.min(this.#delayMs * 2, MAX_REOPEN_MS)
  }

  #cancel(listen: Listen | undefined): void {
    if (listen === undefined) return
    this.#port.toServer(notificationFrameOf("notifications/cancelled", `{"requestId":${listen.id}}`))
  }
}
