import { type ChildProcess, spawn } from "node:child_process"
import { Agent, request } from "node:http"

/** A client of a bridge over HTTP that does nothing but wait for the end of each answer. */
export interface HttpClient {
  /** Sends a message and resolves with the number of bytes of the answer. */
  readonly ask: (message: string) => Promise<number>
  readonly close: () => void
}

const ACCEPT = "application/json, text/event-stream"

/** Waits until the process says on either of its outputs where it listens, or until the fixed URL answers. */
const urlOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let said = ""
    const look = (chunk: Uint8Array): void => {
      said += new TextDecoder().decode(chunk)
      const url = /https?:\/\/[^\s"]+\/mcp/.exec(said)?.[0]
      if (url !== undefined) resolve(url)
    }
    child.stdout?.on("data", look)
    child.stderr?.on("data", look)
    child.once("exit", (code) => reject(new Error(`the bridge ended with ${code}:\n${said}`)))
  })

const isUp = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    request(url, { method: "GET" }, (response) => {
      response.destroy()
      resolve(true)
    })
      .on("error", () => resolve(false))
      .end()
  })

/** Starts a bridge; `url` where it listens, if it does not say so. */
export const startHttpClient = async (
  command: ReadonlyArray<string>,
  options: { readonly url?: string; readonly env?: Readonly<Record<string, string>> } = {}
): Promise<HttpClient> => {
  const [program = "", ...args] = command
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...options.env } })
  const url = options.url ?? (await urlOf(child))
  while (options.url !== undefined && !(await isUp(url))) await new Promise((resolve) => setTimeout(resolve, 50))
  const agent = new Agent({ keepAlive: true })
  let session: string | undefined

  const ask = (message: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const headers = {
        "content-type": "application/json",
        accept: ACCEPT,
        "mcp-protocol-version": "2025-11-25",
        ...(session === undefined ? {} : { "mcp-session-id": session })
      }
      request(url, { method: "POST", agent, headers }, (response) => {
        const given = response.headers["mcp-session-id"]
        if (typeof given === "string") session = given
        let bytes = 0
        response.on("data", (chunk: Uint8Array) => {
          bytes += chunk.length
        })
        response.once("end", () => {
          if ((response.statusCode ?? 500) < 300) resolve(bytes)
          else reject(new Error(`HTTP ${response.statusCode} from ${url}`))
        })
        response.once("error", reject)
      })
        .once("error", reject)
        .end(message)
    })

  return {
    ask,
    close: () => {
      agent.destroy()
      child.kill()
    }
  }
}
