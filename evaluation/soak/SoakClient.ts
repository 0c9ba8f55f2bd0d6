import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import { CallToolResultSchema, type JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js"
import { setTimeout as delay } from "node:timers/promises"
import { toolDefinitions } from "../reference/tools.ts"
import { randomSource } from "./randomSource.ts"

/** What all clients did together, and what went wrong. */
export interface Tally {
  readonly actions: Map<string, number>
  readonly problems: Array<string>
}

const TIMEOUT_MS = 30_000
/** What a call takes that is cancelled, or whose host vanishes. */
export const LONG_MS = 20_000
const TOOLS = toolDefinitions.length
const OWN_TOOLS = 7

interface Connection {
  readonly client: Client
  readonly transport: StreamableHTTPClientTransport | SSEClientTransport
}

const apps = { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } } }

/** One host that does a bit of everything, one thing at a time, and now and then goes away without a word. */
export class SoakClient {
  readonly #index: number
  readonly #url: string
  readonly #tally: Tally
  readonly #random: () => number
  readonly #usesSse: boolean
  #connection: Connection | undefined
  #calls = 0
  /** How often progress came for each nonce. Seen at the transport: the SDK drops what comes together with the answer. */
  readonly #progress = new Map<string, number>()

  /** `url`: of the Streamable HTTP endpoint; the SSE one is beside it. */
  constructor(index: number, url: string, tally: Tally, usesSse: boolean) {
    this.#index = index
    this.#url = url
    this.#tally = tally
    this.#random = randomSource(index + 1)
    this.#usesSse = usesSse
  }

  /** Works until `until` (`Date.now()`), then closes its session. */
  async work(until: number): Promise<void> {
    while (Date.now() < until) {
      const [name, action] = this.#nextAction()
      this.#tally.actions.set(name, (this.#tally.actions.get(name) ?? 0) + 1)
      try {
        await action()
      } catch (error) {
        this.#complain(`${name}: ${error instanceof Error ? error.message : String(error)}`)
        await delay(500)
      }
      await delay(this.#random() * 40)
    }
    await this.#leave().catch((error: unknown) => this.#complain(`leave: ${String(error)}`))
  }

  #complain(problem: string): void {
    this.#tally.problems.push(`client ${this.#index}: ${problem}`)
  }

  #nextAction(): readonly [string, () => Promise<void>] {
    const actions: ReadonlyArray<readonly [number, string, () => Promise<void>]> = [
      [40, "small call", () => this.#call(0)],
      [8, "large call", () => this.#call(Math.floor(this.#random() * 1_000_000))],
      [10, "call with progress", () => this.#callWithProgress()],
      [8, "tools/list", () => this.#listTools()],
      [8, "resources/list", () => this.#listResources()],
      [8, "read of a UI", () => this.#readUi()],
      [5, "call that changes streams", () => this.#reconnectingCall()],
      [7, "cancelled call", () => this.#cancelledCall()],
      [3, "vanish", () => this.#vanish()],
      [3, "leave", () => this.#leave()]
    ]
    let left = this.#random() * actions.reduce((sum, [weight]) => sum + weight, 0)
    for (const [weight, name, action] of actions) {
      left -= weight
      if (left < 0) return [name, action]
    }
    return ["small call", () => this.#call(0)]
  }

  async #connected(): Promise<Connection> {
    if (this.#connection !== undefined) return this.#connection
    const client = new Client({ name: `soak-${this.#index}`, version: "1.0.0" }, { capabilities: apps })
    const transport = this.#usesSse
      ? new SSEClientTransport(new URL(this.#url.replace(/mcp$/, "sse")))
      : new StreamableHTTPClientTransport(new URL(this.#url))
    await client.connect(transport as Transport, { timeout: TIMEOUT_MS })
    const deliver = transport.onmessage
    Object.assign(transport, {
      onmessage: (message: JSONRPCMessage) => {
        this.#inspect(message)
        deliver?.(message)
      }
    })
    this.#connection = { client, transport }
    return this.#connection
  }

  /** Nothing may arrive that was meant for somebody else. */
  #inspect(message: JSONRPCMessage): void {
    if ("method" in message && message.method === "notifications/progress") {
      const nonce = String(message.params?.message)
      this.#progress.set(nonce, (this.#progress.get(nonce) ?? 0) + 1)
      if (!this.#isOwn(nonce)) this.#complain(`a progress of ${nonce} went astray`)
    }
    if (!("result" in message)) return
    const { structuredContent } = message.result
    if (typeof structuredContent !== "object" || structuredContent === null || !("nonce" in structuredContent)) return
    if (!this.#isOwn(String(structuredContent.nonce)))
      this.#complain(`the answer to ${String(structuredContent.nonce)} went astray`)
  }

  #isOwn(nonce: string): boolean {
    return nonce.startsWith(`nonce-${this.#index}-`)
  }

  #nonce(): string {
    this.#calls += 1
    return `nonce-${this.#index}-${this.#calls}`
  }

  async #echo(
    nonce: string,
    args: object,
    options: { readonly signal?: AbortSignal; readonly onprogress?: () => void } = {}
  ): Promise<string> {
    const { client } = await this.#connected()
    const params = { name: "test_echo", arguments: { nonce, ...args } }
    const result = await client.request({ method: "tools/call", params }, CallToolResultSchema, {
      timeout: TIMEOUT_MS,
      ...options
    })
    const [content] = result.content
    return content?.type === "text" ? content.text : ""
  }

  async #call(bytes: number): Promise<void> {
    const nonce = this.#nonce()
    const text = await this.#echo(nonce, { bytes })
    if (text !== `${nonce}${"x".repeat(bytes)}`) this.#complain(`${nonce} got ${text.slice(0, 80)} (${text.length})`)
  }

  async #callWithProgress(): Promise<void> {
    const nonce = this.#nonce()
    const text = await this.#echo(nonce, { delayMs: 100 }, { onprogress: () => undefined })
    if (text !== nonce) this.#complain(`${nonce} got ${text.slice(0, 80)}`)
    const times = this.#progress.get(nonce) ?? 0
    if (times !== 1) this.#complain(`${nonce} got progress ${times} times before its answer`)
    this.#progress.delete(nonce)
  }

  async #listTools(): Promise<void> {
    const { client } = await this.#connected()
    const { tools } = await client.listTools()
    const withUi = tools.filter(({ _meta }) => _meta?.["ui/resourceUri"] !== undefined)
    if (withUi.length !== TOOLS || tools.length !== TOOLS + OWN_TOOLS) {
      this.#complain(`tools/list: ${tools.length} tools, ${withUi.length} with a UI`)
    }
  }

  async #listResources(): Promise<void> {
    const { client } = await this.#connected()
    const { resources } = await client.listResources()
    const own = resources.filter(({ uri }) => uri.startsWith("ui://"))
    if (own.length !== TOOLS) this.#complain(`resources/list: ${own.length} UIs of ${resources.length}`)
  }

  async #readUi(): Promise<void> {
    const { client } = await this.#connected()
    const uri = "ui://test_echo"
    const { contents } = await client.readResource({ uri }, { timeout: TIMEOUT_MS })
    const [content] = contents
    const isDocument = content !== undefined && "text" in content && content.text.includes("test_echo")
    if (!isDocument || content.uri !== uri) this.#complain(`${uri} is no document of this tool`)
  }

  /** A server over HTTP closes the stream of this call and answers on another one. */
  async #reconnectingCall(): Promise<void> {
    const { client } = await this.#connected()
    const params = { name: "test_reconnection", arguments: {} }
    const { content } = await client.request({ method: "tools/call", params }, CallToolResultSchema, {
      timeout: TIMEOUT_MS
    })
    if (content[0]?.type !== "text") this.#complain("test_reconnection has no text")
  }

  async #cancelledCall(): Promise<void> {
    const nonce = this.#nonce()
    const controller = new AbortController()
    const call = this.#echo(nonce, { delayMs: LONG_MS }, { signal: controller.signal })
    const outcome = call.then(
      () => "an answer",
      () => "cancelled"
    )
    await delay(20 + this.#random() * 50)
    controller.abort("The user changed their mind")
    if ((await outcome) !== "cancelled") this.#complain(`${nonce} was answered after it was cancelled`)
  }

  /** Drops its sockets in the middle of a call, and is a new host the next time. */
  async #vanish(): Promise<void> {
    const { client } = await this.#connected()
    const call = this.#echo(this.#nonce(), { delayMs: LONG_MS, bytes: 100_000 })
    const outcome = call.catch(() => undefined)
    await delay(this.#random() * 50)
    this.#connection = undefined
    await client.close()
    await outcome
  }

  async #leave(): Promise<void> {
    const connection = this.#connection
    if (connection === undefined) return
    this.#connection = undefined
    const { client, transport } = connection
    if (transport instanceof StreamableHTTPClientTransport) await transport.terminateSession()
    await client.close()
  }
}
