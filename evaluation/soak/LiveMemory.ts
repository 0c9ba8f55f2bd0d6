import { isObject } from "../../src/domain/isObject.ts"

/** What a Node process cannot give back: measured after a collection, through its inspector. */
export interface LiveMemory {
  /** Heap and buffers in MB. */
  readonly measure: () => Promise<number>
  readonly close: () => void
}

const EXPRESSION = "(({ heapUsed, external }) => (heapUsed + external) / 1e6)(process.memoryUsage())"

/** `url`: what Node prints after "Debugger listening on". */
export const connectLiveMemory = async (url: string): Promise<LiveMemory> => {
  const socket = new WebSocket(url)
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve)
    socket.addEventListener("error", () => reject(new Error(`The inspector at ${url} does not answer.`)))
  })
  const waiting = new Map<number, (result: unknown) => void>()
  let requests = 0
  socket.addEventListener("message", ({ data }) => {
    const message: unknown = JSON.parse(String(data))
    if (!isObject(message) || typeof message.id !== "number") return
    waiting.get(message.id)?.(message.result)
    waiting.delete(message.id)
  })
  // A process that has ended answers nothing any more.
  socket.addEventListener("close", () => {
    for (const settle of waiting.values()) settle(undefined)
  })
  const ask = (method: string, params: object = {}): Promise<unknown> =>
    new Promise((resolve) => {
      if (socket.readyState !== WebSocket.OPEN) return resolve(undefined)
      requests += 1
      waiting.set(requests, resolve)
      socket.send(JSON.stringify({ id: requests, method, params }))
    })
  return {
    measure: async () => {
      await ask("HeapProfiler.collectGarbage")
      const answer = await ask("Runtime.evaluate", { expression: EXPRESSION, returnByValue: true })
      const result = isObject(answer) ? answer.result : undefined
      return isObject(result) && typeof result.value === "number" ? result.value : Number.NaN
    },
    close: () => socket.close()
  }
}
