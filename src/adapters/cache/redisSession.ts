/** One connection to Redis, from its handshake to its end; it does not reconnect. */
export interface RedisSession {
  /** Waits for the reply or the end of the connection. Rejects with a {@link RedisFailure}. */
  readonly send: (command: ReadonlyArray<string>) => Promise<unknown>
  /** Resolves with the reason's code. */
  readonly ended: Promise<string>
  readonly end: () => void
}

/** Why a command or a connection failed; holds the code alone, because messages and causes may quote the URL. */
class RedisFailure extends Error {
  readonly code: string

  constructor(code: string) {
    super(`Redis: ${code}`)
    this.code = code
  }
}

const CONNECT_TIMEOUT_MS = 3000

/** A code of Node, the first word of an error that Redis replied with, or what kind of error it is. */
export const redisErrorCode = (cause: unknown): string => {
  if (!(cause instanceof Error)) return "UNKNOWN"
  if ("code" in cause && typeof cause.code === "string") return cause.code
  return /^[A-Z][A-Z0-9]+(?= |$)/.exec(cause.message)?.[0] ?? cause.constructor.name
}

const toFailure = (cause: unknown): RedisFailure => new RedisFailure(redisErrorCode(cause))

/** Host and port of a URL of Redis, without the password; `undefined` if it is none. */
export const redisAddress = (url: string): string | undefined => {
  if (!URL.canParse(url)) return undefined
  const { hostname, pathname, port, protocol } = new URL(url)
  const isRedis = protocol === "redis:" || protocol === "rediss:"
  return isRedis && hostname !== "" && /^\/?\d*$/.test(pathname) ? `${hostname}:${port || "6379"}` : undefined
}

/**
 * Connects, and waits until Redis answers: one that is still loading, or wants a password, rejects with that code, and
 * what is no Redis with `NO_REDIS`. The client is loaded by the first call. Aborting ends the connection.
 */
export const openRedisSession = async (url: string, signal: AbortSignal): Promise<RedisSession> => {
  const { createClient } = await import("@redis/client")
  signal.throwIfAborted()
  // The older protocol needs no handshake, and all servers and proxies know it.
  const client = createClient({
    url,
    RESP: 2,
    maintNotifications: "disabled",
    disableClientInfo: true,
    disableOfflineQueue: true,
    socket: { reconnectStrategy: false, connectTimeout: CONNECT_TIMEOUT_MS }
  })
  const end = (): void => client.destroy()
  const ended = new Promise<string>((resolve) => {
    client.on("error", (cause) => {
      resolve(redisErrorCode(cause))
      end()
    })
    client.on("end", () => resolve("CLOSED"))
  })
  signal.addEventListener("abort", end, { once: true })
  const send = (command: ReadonlyArray<string>): Promise<unknown> =>
    client.sendCommand([...command]).catch((cause) => {
      throw toFailure(cause)
    })
  try {
    await client.connect()
    // What answers anything to everything would seem to hold every lock.
    if ((await send(["PING"])) !== "PONG") throw new RedisFailure("NO_REDIS")
  } catch (cause) {
    end()
    throw toFailure(cause)
  }
  return { send, ended, end }
}
