import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { connect, createServer } from "node:net"
import { setTimeout as delay } from "node:timers/promises"
import { cleanEnvironment, referenceServer, wrapperBin } from "./paths.ts"

const START_MS = 20_000
const END_MS = 5000

/** A server over HTTP in a process of its own. */
export interface ListeningProcess {
  readonly url: string
  readonly pid: number
  /** What it wrote on standard error so far, at most the last 64 kB. */
  readonly log: () => string
  readonly hasEnded: () => boolean
  /** Ends it as a service manager would: SIGTERM, and SIGKILL after 5 s. Answers how it ended. */
  readonly stop: () => Promise<string>
}

const KEPT_LOG = 65_536

interface Started {
  readonly child: ChildProcess
  readonly log: () => string
}

const start = (command: string, args: ReadonlyArray<string>): Started => {
  const child = spawn(command, args, { stdio: ["pipe", "ignore", "pipe"], env: cleanEnvironment() })
  let log = ""
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    log = (log + chunk).slice(-KEPT_LOG)
  })
  child.once("error", (error) => {
    log += error.message
  })
  return { child, log: () => log }
}

const hasEnded = (child: ChildProcess): boolean =>
  child.pid === undefined || child.exitCode !== null || child.signalCode !== null

const stop = async (child: ChildProcess): Promise<string> => {
  if (!hasEnded(child)) {
    const kill = setTimeout(() => child.kill("SIGKILL"), END_MS)
    const exit = once(child, "exit")
    child.kill("SIGTERM")
    await exit
    clearTimeout(kill)
  }
  return child.signalCode ?? `exit code ${child.exitCode}`
}

const ready = async ({ child, log }: Started, url: () => Promise<string | undefined>): Promise<ListeningProcess> => {
  const since = Date.now()
  for (;;) {
    const found = await url()
    if (found !== undefined) {
      return { url: found, pid: child.pid ?? -1, log, hasEnded: () => hasEnded(child), stop: () => stop(child) }
    }
    const isLate = Date.now() - since > START_MS
    if (isLate || hasEnded(child)) {
      await stop(child)
      throw new Error(`${isLate ? "It does not listen after 20 s" : "It ended instead of listening"}:\n${log()}`)
    }
    await delay(20)
  }
}

const URLS = /https?:\/\/[^\s"'<>,;)]+\/mcp\b/g

/** `except`: a URL that it may name as well, such as that of the server it connects to. */
const startAndReadUrl = (args: ReadonlyArray<string>, except?: string): Promise<ListeningProcess> => {
  const started = start(process.execPath, args)
  return ready(started, async () =>
    started
      .log()
      .match(URLS)
      ?.find((url) => url !== except)
  )
}

export const startReference = (): Promise<ListeningProcess> => startAndReadUrl([referenceServer, "--http"])

/** The wrapper over HTTP in front of a command, or of the server at a URL. */
export const startWrapper = (
  upstream: ReadonlyArray<string>,
  flags: ReadonlyArray<string> = [],
  nodeFlags: ReadonlyArray<string> = []
): Promise<ListeningProcess> =>
  startAndReadUrl([...nodeFlags, wrapperBin, "--http", "127.0.0.1:0", ...flags, "--", ...upstream], upstream[0])

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  return typeof address === "object" && address !== null ? address.port : 0
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
    const settle = (open: boolean) => () => {
      socket.destroy()
      resolve(open)
    }
    socket.once("connect", settle(true)).once("error", settle(false))
  })

/** Somebody else's program that does not say when it listens, nor takes port 0. */
export const startOnPort = async (args: (port: string) => ReadonlyArray<string>): Promise<ListeningProcess> => {
  const port = await freePort()
  const started = start(process.execPath, args(String(port)))
  return ready(started, async () => ((await accepts(port)) ? `http://127.0.0.1:${port}/mcp` : undefined))
}
