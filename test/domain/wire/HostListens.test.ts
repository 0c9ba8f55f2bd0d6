import { assert, describe, it } from "@effect/vitest"
import { HostListens, SUBSCRIPTION_ID } from "../../../src/domain/wire/HostListens.ts"

const bytes = (text: string) => new TextEncoder().encode(text)
const text = (frame: Uint8Array | undefined) => (frame === undefined ? undefined : new TextDecoder().decode(frame))

const request = (id: string, notifications: object) =>
  bytes(
    `{"jsonrpc":"2.0","id":${id},"method":"subscriptions/listen","params":{"notifications":${JSON.stringify(notifications)}}}`
  )

const acknowledged = (id: string, notifications: object) =>
  bytes(
    `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":${JSON.stringify(notifications)},"_meta":{"${SUBSCRIPTION_ID}":${id}}}}`
  )

const isOurs = (uri: string) => uri.startsWith("ui://")

const opened = (id: string, notifications: object, apps = true): HostListens => {
  const listens = new HostListens()
  listens.onRequest(id, request(id, notifications), apps, isOurs)
  return listens
}

const TOOLS = "notifications/tools/list_changed"
const RESOURCES = "notifications/resources/list_changed"
const UPDATED = "notifications/resources/updated"

describe("HostListens", () => {
  it("adds to the acknowledgement what we serve, once", () => {
    const listens = opened("1", { toolsListChanged: true, promptsListChanged: true, resourceSubscriptions: ["ui://a"] })
    const answer = acknowledged("1", { promptsListChanged: true })
    assert.strictEqual(
      text(listens.onAcknowledged(answer)),
      text(acknowledged("1", { promptsListChanged: true, toolsListChanged: true, resourceSubscriptions: ["ui://a"] }))
    )
    assert.isUndefined(listens.onAcknowledged(answer))
  })

  it("keeps the URIs that the server honors", () => {
    const listens = opened("1", { resourceSubscriptions: ["file:///x", "ui://a", "ui://b"] })
    const answer = acknowledged("1", { resourceSubscriptions: ["file:///x", "ui://a"] })
    assert.strictEqual(
      text(listens.onAcknowledged(answer)),
      text(acknowledged("1", { resourceSubscriptions: ["file:///x", "ui://a", "ui://b"] }))
    )
  })

  it("leaves the subscriptions of others as they are", () => {
    const answer = acknowledged('"other"', {})
    assert.strictEqual(text(new HostListens().onAcknowledged(answer)), text(answer))
    const plain = opened("1", { toolsListChanged: true }, false)
    assert.strictEqual(text(plain.onAcknowledged(acknowledged("1", {}))), text(acknowledged("1", {})))
    assert.deepStrictEqual(plain.notifications(TOOLS), [])
  })

  it("tells those who asked, under the very id, once they are acknowledged", () => {
    const id = "12345678901234567890"
    const listens = opened(id, { resourcesListChanged: true, resourceSubscriptions: ["ui://a"] })
    assert.deepStrictEqual(listens.notifications(RESOURCES), [])
    listens.onAcknowledged(acknowledged(id, {}))
    assert.deepStrictEqual(listens.notifications(TOOLS), [])
    assert.strictEqual(
      text(listens.notifications(UPDATED, { uri: "ui://a" })[0]?.frame),
      `{"jsonrpc":"2.0","method":"${UPDATED}","params":{"uri":"ui://a","_meta":{"${SUBSCRIPTION_ID}":${id}}}}`
    )
    assert.deepStrictEqual(listens.notifications(UPDATED, { uri: "ui://b" }), [])
    assert.strictEqual(listens.notifications(RESOURCES).length, 1)
  })

  it("acknowledges itself where the server refuses or ends what is about us", () => {
    const listens = opened("1", { toolsListChanged: true })
    const refusal = bytes('{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"unknown"}}')
    assert.strictEqual(text(listens.onAnswer("1", refusal)), text(acknowledged("1", { toolsListChanged: true })))
    assert.strictEqual(listens.notifications(TOOLS).length, 1)
    assert.isTrue(listens.onCancelled("n1"))
    assert.strictEqual(listens.notifications(TOOLS).length, 0)
  })

  it("passes a refusal on where nothing of ours was asked for", () => {
    const listens = opened("1", { promptsListChanged: true })
    const refusal = bytes('{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"unknown"}}')
    assert.strictEqual(text(listens.onAnswer("1", refusal)), text(refusal))
    assert.isFalse(listens.has("n1"))
  })

  it("leaves a cancellation to the server as long as it has the subscription", () => {
    const listens = opened("1", { toolsListChanged: true })
    assert.isFalse(listens.onCancelled("n1"))
  })

  it("asks a server that was started again anew", () => {
    const listens = opened("1", { toolsListChanged: true })
    listens.onAcknowledged(acknowledged("1", {}))
    assert.deepStrictEqual(listens.reopen().map(text), [text(request("1", { toolsListChanged: true }))])
    assert.isUndefined(listens.onAcknowledged(acknowledged("1", {})))
  })

  it("takes a filter that is none for an empty one", () => {
    const listens = new HostListens()
    listens.onRequest("1", bytes('{"id":1,"method":"subscriptions/listen"}'), true, isOurs)
    const refusal = bytes('{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no filter"}}')
    assert.strictEqual(text(listens.onAnswer("1", refusal)), text(refusal))
  })
})
