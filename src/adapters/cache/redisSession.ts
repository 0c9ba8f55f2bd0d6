/** One connection to Redis, from its handshake to its end; it does not reconnect. */
export interface RedisSession {
  /** Waits for the reply or the end of the connection. Rejects with a {@link RedisFailure}. */
  readonly send: (command: ReadonlyArray<string>) => Promise<unknown>
  /** Resolves with the reason's code. */
  readonly ended: Promise<string>
  readonly end: () => void
}

/** Why a command or a connection failed: only the code, because messages and causes may quote the URL. */
class RedisFailure extends Error {
  readonly code: string

  constructor(code: string) {
    super(`Redis: ${code}`)
    this.code = code
  }
}

const CONNECT_TIMEOUT_MS = 3000

/** A code of Node, the first word of an error from Redis, or the kind of error. */
export const redisErrorCode = (cause: unknown): string => {
  if (!(cause instanceof Error)) return "UNKNOWN"
  if ("code" in cause && typeof cause.code === "string") return cause.code
  return /^[A-Z][A-Z0-9]+(?= |$)/.exec(cause.message)?.[0] ?? cause.constructor.name
}

const toFailure = (cause: unknown): RedisFailure => new RedisFailure(redisErrorCode(cause))

/** Host and port of a Redis URL, without the password; `undefined` for any other text. */
export const redisAddress = (url: string): string | undefined => {
  if (!URL.canParse(url)) return undefined
  const { hostname, pathname, port, protocol } = new URL(url)
  const isRedis = protocol === "redis:" || protocol === "rediss:"
  return isRedis && hostname !== "" && /^\/?\d*$/.test(pathname) ? `${hostname}:${port || "6379"}` : undefined
}

/**
 * Connects, and waits until Redis answers. One that is still loading, or wants a password, rejects with that code;
 * something that is not Redis rejects with `NO_REDIS`. The first call loads the client. Aborting ends the connection.
 */
export const openRedisSession = async (url: string, signal: AbortSignal): Promise<RedisSession> => {
  const { createClient } = await import("@redis/client")
  signal.throwIfAborted()
  // This protocol needs no handshake, and all servers and proxies know it.
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
    // A server that says OK to everything would seem to hold every lock.
    if ((await send(["PING"])) !== "PONG") throw new RedisFailure("NO_REDIS")
  } catch (cause) {
    end()
    throw toFailure(cause)
  }
  return { send, ended, end }
}
