import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"

/** A client that does nothing but wait for the end of an answer: what it measures is the other side. */
export interface BareClient {
  /** Sends a line and resolves with the number of bytes of the answer, once its newline is there. */
  readonly ask: (line: string) => Promise<number>
  /** Sends a line as often as told, never more than `inFlight` of them without their answer. */
  readonly askMany: (line: string, count: number, inFlight: number) => Promise<void>
  /** Memory of the process in use, in bytes; `undefined` where the system does not say. */
  readonly residentBytes: () => number | undefined
  readonly close: () => void
}

export const startBareClient = (
  command: string,
  args: ReadonlyArray<string>,
  env: NodeJS.ProcessEnv = process.env
): BareClient => {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "ignore"], env })
  let bytes = 0
  let onAnswers: (count: number, bytes: number) => void = () => undefined
  child.stdout.on("data", (chunk: Uint8Array) => {
    bytes += chunk.length
    let count = 0
    // Whole answers end a chunk; only several small ones share it, and then it is worth counting.
    if (chunk.length > 65_536) count = chunk.at(-1) === 0x0a ? 1 : 0
    else for (const byte of chunk) if (byte === 0x0a) count += 1
    if (count === 0) return
    onAnswers(count, bytes)
    bytes = 0
  })
  return {
    ask: (line) =>
      new Promise((resolve) => {
        onAnswers = (_, answered) => resolve(answered)
        child.stdin.write(`${line}\n`)
      }),
    askMany: (line, count, inFlight) =>
      new Promise((resolve) => {
        let sent = 0
        let answered = 0
        const send = (): void => {
          while (sent < count && sent - answered < inFlight) {
            child.stdin.write(`${line}\n`)
            sent += 1
          }
        }
        onAnswers = (more) => {
          answered += more
          if (answered >= count) resolve()
          else send()
        }
        send()
      }),
    residentBytes: () => {
      try {
        const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]
        return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
      } catch {
        return undefined
      }
    },
    close: () => child.stdin.end()
  }
}
