import { isObject } from "../../domain/isObject.ts"
import { now, setTimeout } from "./platform.ts"
import type { JsonObject } from "./types.ts"

/**
 * Milliseconds after a press, or after the answer to an act that it allowed, in which an act of a view counts as the
 * person's.
 */
const PRESS_MS = 5_000
const ANSWER_MS = 1_000
/** How many acts one press allows. */
const MAX_DEEDS = 20

/** How many calls of tools may be under way, and how many may wait. */
const MAX_CALLS = 4
const MAX_QUEUED = 50

/** Milliseconds that a call which was given up still counts as under way: the server may still work on it. */
const GIVEN_UP_MS = 1_000

/** How many results are searched for the address of a resource. */
const MAX_RESULTS = 20

/** Always allowed: these change nothing and tell nobody anything. */
const FREE: ReadonlySet<string> = new Set([
  "ui/request-display-mode",
  "resources/list",
  "resources/templates/list",
  "ping"
])

/** Notifications that only the host gets, and that are only about the view. */
const NOTIFICATIONS: ReadonlySet<string> = new Set([
  "ui/notifications/size-changed",
  "ui/notifications/request-teardown",
  "notifications/message",
  "notifications/tools/list_changed"
])

/** A view acted without the press that the act needs. The act is refused, and the view is not at fault. */
class PressNeeded extends Error {
  override readonly name = "PressNeeded"
}

/** What the gate needs to know of a page. */
export interface GateRules {
  readonly isReadOnly: (toolName: string) => boolean
  /** A tool of the wrapper: for the model, or for the runtime. */
  readonly isReserved: (toolName: string) => boolean
  /** Asks the person whether the view may call this tool by itself. */
  readonly ask: (toolName: string, answer: (isAllowed: boolean) => void) => void
}

/** Characters that continue an address: an address that one of them follows is only part of a longer one. */
const ADDRESS = new Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_~%/?#=&+@:")

/** Whether a text names an address, and not only a longer address that begins with it. */
const names = (text: string, address: string): boolean => {
  for (let at = text.indexOf(address); at >= 0; at = text.indexOf(address, at + 1)) {
    let end = at + address.length
    // A full stop may also end a sentence.
    while (text[end] === ".") end += 1
    if (!ADDRESS.has(text[end] ?? "")) return true
  }
  return false
}

/** Whether a view may call a tool by itself. */
interface Question {
  readonly tool: string
  /** `undefined` until the person answers. */
  isAllowed: boolean | undefined
  /** Calls that used this answer. An answer allows as many acts as any other press. */
  calls: number
  readonly answered: Promise<void>
  readonly end: () => void
}

/** One request of a view, judged when it was made. */
interface Weighed {
  readonly isDeed: boolean
  /** The request waits until the person allows this tool. */
  readonly asksFor?: string
}

/**
 * Stands between the code of a view and the host. Only after a person's press may a view call a tool that is not
 * read-only, write to the chat, open an address, save a file or tell the model something. A call of a tool without a
 * press waits until the person allows it. The code of a view cannot reach the gate.
 */
export class PressGate {
  /** `undefined`: a person wrote the view, and everything passes. */
  rules: GateRules | undefined
  #pressedAt = -Infinity
  #answeredAt = -Infinity
  #deeds = 0
  #calls = 0
  readonly #queue: Array<() => void> = []
  /** Of each tool, only the newest question counts. */
  #questions: ReadonlyArray<Question> = []
  readonly #results: Array<unknown> = []

  constructor() {
    const press = ({ isTrusted }: Event): void => {
      if (isTrusted) this.press()
    }
    for (const kind of ["pointerdown", "keydown", "click"]) {
      window.addEventListener(kind, press, { capture: true, passive: true })
    }
  }

  /** The person has pressed something. */
  press(): void {
    this.#pressedAt = now()
    this.#deeds = 0
  }

  /** When the person last pressed something (`performance.now`). */
  get pressedAt(): number {
    return this.#pressedAt
  }

  /** Whether a deed of the view, now, is the person's. */
  get isPressed(): boolean {
    if (this.rules === undefined) return true
    const at = now()
    const isRecent = at - this.#pressedAt < PRESS_MS || at - this.#answeredAt < ANSWER_MS
    return isRecent && this.#deeds < MAX_DEEDS
  }

  /** Calls of tools are under way. */
  get isBusy(): boolean {
    return this.#calls > 0
  }

  /** The view goes: nothing that it waits for is allowed any more. */
  onLeave(): void {
    for (const { end, isAllowed } of this.#questions) if (isAllowed === undefined) end()
    this.#questions = this.#questions.filter(({ isAllowed }) => isAllowed !== undefined)
  }

  /** Whether a view may send this notification. */
  mayNotify(method: string): boolean {
    return this.rules === undefined || NOTIFICATIONS.has(method)
  }

  /** A result came: the view may read the resources that it names. */
  onResult(result: unknown): void {
    this.#results.push(result)
    if (this.#results.length > MAX_RESULTS) this.#results.shift()
  }

  /**
   * Lets a request through, or rejects with a {@link PressNeeded}. Whether there was a press is decided now, even if
   * `send` comes later.
   */
  async through(method: string, params: JsonObject | undefined, send: () => Promise<JsonObject>): Promise<JsonObject> {
    const { asksFor, isDeed } = this.#weigh(method, params)
    if (asksFor !== undefined) await this.#allow(asksFor)
    if (method !== "tools/call") {
      const result = await send()
      if (isDeed) this.#answered()
      if (method === "resources/read") this.#refuseOwnPages(result)
      return result
    }
    await this.#turn()
    const end = (): void => {
      this.#calls--
      this.#queue.shift()?.()
    }
    try {
      const result = await send()
      this.onResult(result)
      if (isDeed) this.#answered()
      end()
      return result
    } catch (error) {
      setTimeout(end, GIVEN_UP_MS)
      throw error
    }
  }

  #weigh(method: string, params: JsonObject | undefined): Weighed {
    const { rules } = this
    if (rules === undefined || FREE.has(method)) return { isDeed: false }
    if (method === "resources/read") {
      this.#checkAddress(params?.uri)
      return { isDeed: false }
    }
    const tool = method === "tools/call" ? String(params?.name) : undefined
    if (tool !== undefined && rules.isReserved(tool)) throw new Error(`A view cannot call "${tool}".`)
    if (tool !== undefined && rules.isReadOnly(tool)) return { isDeed: false }
    if (this.isPressed) {
      this.#deeds++
      return { isDeed: true }
    }
    if (tool === undefined) throw new PressNeeded(`A view does this (${method}) only after a press.`)
    return { isDeed: false, asksFor: tool }
  }

  /** Do not rely on the result of an `await`: a view may have replaced the `then` of promises. */
  async #allow(tool: string): Promise<void> {
    const asked = this.#questions.findLast((question) => question.tool === tool)
    const isUsedUp = asked !== undefined && asked.isAllowed !== false && asked.calls >= MAX_DEEDS
    const question = asked === undefined || isUsedUp ? this.#ask(tool) : asked
    question.calls++
    await question.answered
    if (question.isAllowed !== true) throw new PressNeeded(`"${tool}" was not called: it takes a press.`)
  }

  #ask(tool: string): Question {
    let end = (): void => undefined
    const answered = new Promise<void>((resolve) => {
      end = resolve
    })
    const question: Question = { tool, isAllowed: undefined, calls: 0, answered, end }
    this.#questions = [...this.#questions.filter((one) => one.tool !== tool || one.isAllowed === undefined), question]
    this.rules?.ask(tool, (isAllowed) => {
      question.isAllowed = isAllowed
      end()
    })
    return question
  }

  #answered(): void {
    this.#answeredAt = now()
  }

  async #turn(): Promise<void> {
    if (this.rules !== undefined && this.#queue.length >= MAX_QUEUED)
      throw new Error(`More than ${MAX_QUEUED} calls of tools are waiting.`)
    while (this.rules !== undefined && this.#calls >= MAX_CALLS)
      await new Promise<void>((resolve) => this.#queue.push(resolve))
    this.#calls++
  }

  #checkAddress(uri: unknown): void {
    const address = String(uri)
    if (address.startsWith("ui://")) return
    const text = JSON.stringify(address).slice(1, -1)
    if (text === "" || !this.#results.some((result) => names(JSON.stringify(result) ?? "", text)))
      throw new Error(`A view reads only resources that a result of its tool names, not ${address}.`)
  }

  /** With it, the page of another tool would prove itself to the wrapper as this tool's. */
  #refuseOwnPages({ contents }: JsonObject): void {
    const isOwn = (item: unknown): boolean => isObject(item) && String(item.text).includes('id="mcp-gen-ui-data"')
    if (this.rules !== undefined && Array.isArray(contents) && contents.some(isOwn))
      throw new Error("A view does not read the view of another tool.")
  }
}
