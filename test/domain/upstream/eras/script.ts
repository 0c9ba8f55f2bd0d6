import { type EraPort, OwnIds } from "../../../../src/domain/upstream/eras/EraPort.ts"

type Json = Readonly<Record<string, unknown>>

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
export const text = (frame: Uint8Array): string => new TextDecoder().decode(frame)
export const json = (frame: string | undefined): Json => JSON.parse(frame ?? "null") as Json

interface Timer {
  readonly milliseconds: number
  readonly work: () => void
}

/** A port that keeps what goes through it, and timers that run when told. */
export const makeScript = () => {
  const toHost: Array<string> = []
  const toServer: Array<string> = []
  const abouts: Array<string | undefined> = []
  const timers = new Set<Timer>()
  let drained = 0
  const port: EraPort = {
    toHost: (frame, about) => {
      toHost.push(text(frame))
      abouts.push(about)
    },
    toServer: (frame) => void toServer.push(text(frame)),
    after: (milliseconds, work) => {
      const timer = { milliseconds, work }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    note: () => undefined,
    drained: () => {
      drained += 1
    }
  }
  /** Takes what went out since the last time. */
  const take = (frames: Array<string>): ReadonlyArray<string> => frames.splice(0)
  let random = 0
  return {
    port,
    takeHost: () => take(toHost),
    takeServer: () => take(toServer),
    /** The requests that the last frames to the host were said to belong to. */
    takeAbouts: () => abouts.splice(0),
    waits: () => [...timers].map(({ milliseconds }) => milliseconds),
    /** Lets the time of every timer come that there is now. */
    elapse: () => {
      const due = [...timers]
      for (const timer of due) {
        timers.delete(timer)
        timer.work()
      }
    },
    drained: () => drained,
    random: () => {
      random += 1
      return `random-${random}`
    }
  }
}

interface Machine {
  readonly fromHost: (frame: Uint8Array, about?: string) => void
  readonly fromServer: (frame: Uint8Array, about?: string) => void
}

/** A machine over a script, which hears texts. `ids` are its own. */
export const drive = <M extends Machine>(make: (port: EraPort, ids: OwnIds, random: () => string) => M) => {
  const script = makeScript()
  const machine = make(script.port, new OwnIds(script.random), script.random)
  return {
    ...script,
    machine,
    host: (...frames: ReadonlyArray<string>) => frames.forEach((frame) => machine.fromHost(bytes(frame))),
    server: (frame: string, about?: string) => machine.fromServer(bytes(frame), about)
  }
}

export const idOf = (frame: string | undefined): string => JSON.stringify(json(frame).id)
export const errorOf = (frame: string | undefined) => json(frame).error as { code: number; message: string }

const modernMeta =
  '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"m","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"sampling":{},"elicitation":{},"roots":{}}}'

/** A request as a host of the modern era writes it; `more` are further members of params. */
export const modernRequest = (id: string, method: string, more = ""): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":{${more === "" ? "" : `${more},`}${modernMeta}}}`

/** The same without what says that it is of the modern era, as a server of the legacy era gets it. */
export const bareRequest = (id: string, method: string, more = ""): string =>
  modernRequest(id, method, more).replace(modernMeta, '"_meta":{}')

export const initializeRequest = (id: string): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{"sampling":{},"x":1e400},"clientInfo":{"name":"l","version":"1"}}}`

export const initialized = '{"jsonrpc":"2.0","method":"notifications/initialized"}'

export const methodNotFound = (id: string): string =>
  `{"jsonrpc":"2.0","id":${id},"error":{"code":-32601,"message":"Method not found","data":1.0}}`
