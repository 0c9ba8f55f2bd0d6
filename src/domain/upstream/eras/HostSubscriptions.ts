import { isObject } from "../../isObject.ts"
import { errorFrame, idKey, notificationFrameOf, requestFrame } from "../../wire/Frame.ts"
import { SUBSCRIPTION_ID } from "../../wire/HostListens.ts"
import { INTERNAL_ERROR, INVALID_PARAMS } from "../../wire/RequestFailed.ts"
import { decodedAt, stringAt } from "../../wire/Rewrites.ts"
import type { EraPort, OwnIds } from "./EraPort.ts"
import type { Offers } from "./Eras.ts"
import { objectOf, withParams } from "./EraSplices.ts"

const LIST_CHANGES: ReadonlyMap<string, { readonly member: string; readonly capability: string }> = new Map([
  ["notifications/tools/list_changed", { member: "toolsListChanged", capability: "tools" }],
  ["notifications/prompts/list_changed", { member: "promptsListChanged", capability: "prompts" }],
  ["notifications/resources/list_changed", { member: "resourcesListChanged", capability: "resources" }]
])

const UPDATED = "notifications/resources/updated"

const MAX_LISTENS = 1024

interface Listen {
  readonly id: string
  readonly members: ReadonlySet<string>
  readonly uris: Set<string>
  readonly unsettled: Set<string>
  isAcknowledged: boolean
}

/**
 * The `subscriptions/listen` requests of a host of the modern era (2026-07-28), served from what a server of the legacy
 * era tells unasked and from `resources/subscribe`, of which the server gets one for each URI.
 */
export class HostSubscriptions {
  readonly #port: EraPort
  readonly #ids: OwnIds
  readonly #offers: Offers
  readonly #listens = new Map<string, Listen>()
  /** Our `resources/subscribe` requests that wait for an answer, by id, and the URIs that the server has confirmed. */
  readonly #asking = new Map<string, string>()
  readonly #confirmed = new Set<string>()

  constructor(port: EraPort, ids: OwnIds, offers: Offers) {
    this.#port = port
    this.#ids = ids
    this.#offers = offers
  }

  onRequest(id: string, frame: Uint8Array): void {
    const filter = decodedAt(frame, ["params", "notifications"])
    const refuse = (code: number, message: string): void => this.#port.toHost(errorFrame(id, { code, message }), id)
    if (!isObject(filter)) return refuse(INVALID_PARAMS, "notifications is required and must be an object")
    if (this.#listens.size >= MAX_LISTENS) return refuse(INTERNAL_ERROR, `more than ${MAX_LISTENS} subscriptions`)
    const asked = Array.isArray(filter.resourceSubscriptions) ? filter.resourceSubscriptions : []
    const uris = new Set(
      this.#offers("resources", "subscribe") ? asked.filter((uri): uri is string => typeof uri === "string") : []
    )
    const members = [...LIST_CHANGES.values()].filter(
      ({ capability, member }) => filter[member] === true && this.#offers(capability, "listChanged")
    )
    const listen: Listen = {
      id,
      members: new Set(members.map(({ member }) => member)),
      uris,
      unsettled: new Set([...uris].filter((uri) => !this.#confirmed.has(uri))),
      isAcknowledged: false
    }
    this.#listens.set(idKey(id), listen)
    const isAsked = new Set(this.#asking.values())
    for (const uri of listen.unsettled) if (!isAsked.has(uri)) this.#ask("resources/subscribe", uri)
    this.#acknowledgeWhenSettled(listen)
  }

  /** The host cancelled a request; `true` if it was a subscription. */
  onCancelled(key: string): boolean {
    const listen = this.#listens.get(key)
    if (listen === undefined) return false
    this.#listens.delete(key)
    for (const uri of listen.uris) {
      const isWanted = [...this.#listens.values()].some(({ uris }) => uris.has(uri))
      if (!isWanted && this.#confirmed.delete(uri)) this.#ask("resources/unsubscribe", uri)
    }
    return true
  }

  /** Takes the answers to our own requests. */
  onAnswer(id: string, frame: Uint8Array): boolean {
    const uri = this.#asking.get(idKey(id))
    if (uri === undefined) return false
    this.#asking.delete(idKey(id))
    const isRefused = decodedAt(frame, ["error"]) !== undefined
    const listens = [...this.#listens.values()].filter((listen) => listen.uris.has(uri))
    if (!isRefused && listens.length > 0) this.#confirmed.add(uri)
    if (!isRefused && listens.length === 0) this.#ask("resources/unsubscribe", uri)
    for (const listen of listens) {
      listen.unsettled.delete(uri)
      if (isRefused) listen.uris.delete(uri)
      this.#acknowledgeWhenSettled(listen)
    }
    return true
  }

  /** Takes the notifications that the modern era has on subscriptions only: each that asked for it gets a copy. */
  onNotification(method: string, frame: Uint8Array): boolean {
    const member = LIST_CHANGES.get(method)?.member
    if (member === undefined && method !== UPDATED) return false
    const uri = member === undefined ? stringAt(frame, ["params", "uri"]) : undefined
    for (const listen of this.#listens.values()) {
      const isWanted = member === undefined ? uri !== undefined && listen.uris.has(uri) : listen.members.has(member)
      if (!isWanted || !listen.isAcknowledged) continue
      this.#port.toHost(withParams(frame, { meta: [[SUBSCRIPTION_ID, listen.id]] }), listen.id)
    }
    return true
  }

  #ask(method: "resources/subscribe" | "resources/unsubscribe", uri: string): void {
    const id = this.#ids.next()
    if (method === "resources/subscribe") this.#asking.set(idKey(id), uri)
    this.#port.toServer(requestFrame(id, method, { uri }))
  }

  #acknowledgeWhenSettled(listen: Listen): void {
    if (listen.unsettled.size > 0 || listen.isAcknowledged) return
    listen.isAcknowledged = true
    const honored = {
      ...Object.fromEntries([...listen.members].map((member) => [member, true])),
      ...(listen.uris.size > 0 ? { resourceSubscriptions: [...listen.uris] } : {})
    }
    const params = objectOf([
      ["notifications", JSON.stringify(honored)],
      ["_meta", objectOf([[SUBSCRIPTION_ID, listen.id]])]
    ])
    this.#port.toHost(notificationFrameOf("notifications/subscriptions/acknowledged", params), listen.id)
  }
}
