import { idKey, notificationFrameOf } from "./Frame.ts"
import { acknowledgeUi, decodedAt, rawAt } from "./Rewrites.ts"

/** The `_meta` key by which a notification of the modern era says to which subscription it belongs. */
export const SUBSCRIPTION_ID = "io.modelcontextprotocol/subscriptionId"

/** The part of a subscription's filter that concerns us. */
interface UiFilter {
  readonly toolsListChanged: boolean
  readonly resourcesListChanged: boolean
  readonly resourceSubscriptions: ReadonlyArray<string>
}

interface Listen {
  readonly id: string
  readonly frame: Uint8Array
  readonly wanted: UiFilter
  isAcknowledged: boolean
  isAtServer: boolean
}

/** Our notifications carry the id as it stands in the host's frame: it may be an integer beyond 2^53. */
const subscribed = (id: string, method: string, params: Readonly<Record<string, unknown>>): Uint8Array => {
  const members = Object.entries(params).map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)},`)
  return notificationFrameOf(method, `{${members.join("")}"_meta":{"${SUBSCRIPTION_ID}":${id}}}`)
}

const isWanted = (filter: UiFilter): boolean =>
  filter.toolsListChanged || filter.resourcesListChanged || filter.resourceSubscriptions.length > 0

/** The requested members, as an acknowledgement names them. */
const honored = (filter: UiFilter): Readonly<Record<string, unknown>> => ({
  ...(filter.toolsListChanged ? { toolsListChanged: true } : {}),
  ...(filter.resourcesListChanged ? { resourcesListChanged: true } : {}),
  ...(filter.resourceSubscriptions.length > 0 ? { resourceSubscriptions: filter.resourceSubscriptions } : {})
})

/**
 * The open `subscriptions/listen` requests of a host of the modern era (2026-07-28). A server answers for its own
 * changes. Ours go out on the same subscriptions, even if the server knows no subscriptions or refuses ours.
 */
export class HostListens {
  readonly #listens = new Map<string, Listen>()

  /** `apps`: the host renders UIs, so our changes concern it. `isOurs` recognizes the URIs of our resources. */
  onRequest(id: string, frame: Uint8Array, apps: boolean, isOurs: (uri: string) => boolean): void {
    const filter = decodedAt(frame, ["params", "notifications"])
    const at = (key: string): unknown =>
      typeof filter === "object" && filter !== null ? Object.getOwnPropertyDescriptor(filter, key)?.value : undefined
    const uris = at("resourceSubscriptions")
    this.#listens.set(idKey(id), {
      id,
      frame,
      wanted: {
        toolsListChanged: apps && at("toolsListChanged") === true,
        resourcesListChanged: apps && at("resourcesListChanged") === true,
        resourceSubscriptions: Array.isArray(uris)
          ? uris.filter((uri): uri is string => typeof uri === "string" && isOurs(uri))
          : []
      },
      isAcknowledged: false,
      isAtServer: true
    })
  }

  /** The host cancelled a request. `true`: it was a subscription that only we still hold open. */
  onCancelled(key: string): boolean {
    const listen = this.#listens.get(key)
    this.#listens.delete(key)
    return listen?.isAtServer === false
  }

  /** The server's acknowledgement with our part added; `undefined` if the host already has one. */
  onAcknowledged(frame: Uint8Array): Uint8Array | undefined {
    const id = rawAt(frame, ["params", "_meta", SUBSCRIPTION_ID])
    const listen = id === undefined ? undefined : this.#listens.get(idKey(id))
    if (listen === undefined) return frame
    if (listen.isAcknowledged) return undefined
    listen.isAcknowledged = true
    return acknowledgeUi(honored(listen.wanted), listen.wanted.resourceSubscriptions)(frame)
  }

  /**
   * The server ended or refused a subscription. Returns what to send to the host: the answer itself if nothing of ours
   * was asked for. Otherwise the subscription stays open, and the host gets our acknowledgement or nothing.
   */
  onAnswer(id: string, frame: Uint8Array): Uint8Array | undefined {
    const listen = this.#listens.get(idKey(id))
    if (listen === undefined) return frame
    if (!isWanted(listen.wanted)) {
      this.#listens.delete(idKey(id))
      return frame
    }
    listen.isAtServer = false
    if (listen.isAcknowledged) return undefined
    listen.isAcknowledged = true
    return subscribed(id, "notifications/subscriptions/acknowledged", { notifications: honored(listen.wanted) })
  }

  /** One notification for each subscription that asked for it. */
  notifications(
    method: string,
    params: Readonly<Record<string, unknown>> = {}
  ): ReadonlyArray<{
    readonly id: string
    readonly frame: Uint8Array
  }> {
    const isFor = ({ wanted }: Listen): boolean => {
      if (method === "notifications/tools/list_changed") return wanted.toolsListChanged
      if (method === "notifications/resources/list_changed") return wanted.resourcesListChanged
      return typeof params.uri === "string" && wanted.resourceSubscriptions.includes(params.uri)
    }
    return [...this.#listens.values()]
      .filter((listen) => listen.isAcknowledged && isFor(listen))
      .map(({ id }) => ({ id, frame: subscribed(id, method, params) }))
  }

  /** The server was started again. Returns the requests to send to it again. */
  reopen(): ReadonlyArray<Uint8Array> {
    return [...this.#listens.values()].map((listen) => {
      listen.isAtServer = true
      return listen.frame
    })
  }

  /** Whether the host may still wait for messages about this request. */
  has(key: string): boolean {
    return this.#listens.has(key)
  }
}
