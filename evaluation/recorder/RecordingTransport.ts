import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { setTimeout as delay } from "node:timers/promises"
import { cleanEnvironment } from "../support/paths.ts"

const END_MS = 3000
const NEWLINE = 0x0a
const CARRIAGE_RETURN = 0x0d

/** Frames of one end of a conversation, as text, without the newline. Bytes that are no UTF-8 are kept as Latin-1. */
export interface Transcript {
  readonly sent: Array<string>
  readonly received: Array<string>
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** The text of a line without its end, which may be CR LF; differs for frames that differ. */
export const frameText = (line: Uint8Array): string => {
  const bytes = line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line
  try {
    return utf8.decode(bytes)
  } catch {
    return Buffer.from(bytes).toString("latin1")
  }
}

/**
 * A stdio transport for clients of both SDKs that keeps every line as it stands on the wire. A line that is no JSON
 * is kept too, and goes no further.
 */
export class RecordingTransport {
  readonly transcript: Transcript = { sent: [], received: [] }
  onmessage?: (message: JSONRPCMessage) => void
  onclose?: () => void
  onerror?: (error: Error) => void
  readonly #command: ReadonlyArray<string>
  readonly #env: Readonly<Record<string, string>>
  #child: ChildProcess | undefined
  #pending: Buffer = Buffer.alloc(0)
  #log = ""
  #lastFrame = Date.now()

  constructor(command: ReadonlyArray<string>, env: Readonly<Record<string, string>>) {
    this.#command = command
    this.#env = env
  }

  /** What the process wrote on standard error. */
  get log(): string {
    return this.#log
  }

  async start(): Promise<void> {
    const [program = "", ...args] = this.#command
    const child = spawn(program, args, { stdio: "pipe", env: { ...cleanEnvironment(), ...this.#env } })
    this.#child = child
    child.stdin.on("error", (error) => this.onerror?.(error))
    child.stdout.on("data", (chunk: Buffer) => this.#take(chunk))
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      this.#log = (this.#log + chunk).slice(-65_536)
    })
    child.once("exit", () => this.onclose?.())
    await once(child, "spawn")
  }

  async send(message: object): Promise<void> {
    this.sendLine(JSON.stringify(message))
  }

  sendLine(text: string): void {
    this.transcript.sent.push(text)
    this.#lastFrame = Date.now()
    this.#child?.stdin?.write(`${text}\n`)
  }

  async close(): Promise<void> {
    const child = this.#child
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, "exit")
    child.stdin?.end()
    const kill = setTimeout(() => child.kill("SIGKILL"), END_MS)
    await ended
    clearTimeout(kill)
    // Whoever it left behind may hold its output open.
    child.stdout?.destroy()
    child.stderr?.destroy()
  }

  /** Resolves when no frame has come or gone for `ms`. */
  async quiet(ms: number): Promise<void> {
    for (;;) {
      const left = this.#lastFrame + ms - Date.now()
      if (left <= 0) return
      await delay(left)
    }
  }

  #take(chunk: Buffer): void {
    this.#lastFrame = Date.now()
    let rest = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk])
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      const text = frameText(rest.subarray(0, end))
      rest = rest.subarray(end + 1)
      this.transcript.received.push(text)
      this.#deliver(text)
    }
    this.#pending = rest
  }

  #deliver(text: string): void {
    try {
      this.onmessage?.(JSON.parse(text) as JSONRPCMessage)
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)))
    }
  }
}
