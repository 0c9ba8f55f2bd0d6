import { spawn } from "node:child_process"

/** A client that does nothing but wait for the end of an answer: what it measures is the other side. */
export interface BareClient {
  /** Sends a line and resolves with the number of bytes of the answer, once its newline is there. */
  readonly ask: (line: string) => Promise<number>
  readonly close: () => void
}

export const startBareClient = (command: string, args: ReadonlyArray<string>): BareClient => {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "ignore"] })
  let bytes = 0
  let answered: ((bytes: number) => void) | undefined
  child.stdout.on("data", (chunk: Uint8Array) => {
    bytes += chunk.length
    if (chunk.at(-1) !== 0x0a) return
    answered?.(bytes)
    bytes = 0
  })
  return {
    ask: (line) =>
      new Promise((resolve) => {
        answered = resolve
        child.stdin.write(`${line}\n`)
      }),
    close: () => child.stdin.end()
  }
}
