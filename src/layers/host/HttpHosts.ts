import { Clock, Duration, Effect, Fiber, FiberMap, Layer, Option, Redacted } from "effect"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"
import { randomBytes, randomUUID } from "node:crypto"
import type { ServerResponse } from "node:http"
import { HttpBodies } from "../../adapters/host/httpBody.ts"
import { HttpGuard } from "../../adapters/host/httpGuard.ts"
import type { HttpHost, HttpHostEnd, HttpHostOptions } from "../../adapters/host/httpHost.ts"
import { HttpLegacyHost } from "../../adapters/host/httpLegacyHost.ts"
import { HttpModernHost } from "../../adapters/host/httpModernHost.ts"
import type { NotReady } from "../../adapters/host/httpProbes.ts"
import { ENDPOINT, httpRoutes, type LegacyPost, MESSAGES_ENDPOINT, refuse } from "../../adapters/host/httpRoutes.ts"
import { listenHttp } from "../../adapters/host/listenHttp.ts"
import { HttpSseHost } from "../../adapters/host/httpSseHost.ts"
import { HttpHosts, HttpListenFailed, HttpPortInUse } from "../../services/host/HttpHosts.ts"
import { Sessions } from "../../services/session/Sessions.ts"
import type { HttpServing } from "../../services/settings/Settings.ts"
import * as UiMetrics from "../../services/observability/UiMetrics.ts"
import type { UpstreamExited, UpstreamLost, UpstreamUnavailable } from "../../services/upstream/Upstream.ts"

const TICK = Duration.seconds(1)
/** After its host has gone, a session has this long to end in order. */
const SESSION_END = Duration.seconds(3)
/** When all sessions are in use, one that was idle for so long makes room for a new host. */
const MAKES_ROOM_MS = 60_000
/**
 * For so long after a session began without a server we say that we are not ready. Then another host may try. A
 * supervisor sends no hosts to a process that is not ready, so otherwise none would ever find out that the server is back.
 */
const UPSTREAM_AWAY_MS = 30_000
/** Gives the last writes time to reach hosts before the process ends. */
const flushed = Effect.callback<void>((resume) => void setTimeout(() => resume(Effect.void), 50))

/** What hosts of the modern era share. `waiting`: for the server to start. */
interface Pool {
  readonly host: HttpModernHost
  waiting: Array<(failed?: HttpHostEnd) => void> | undefined
  failed: HttpHostEnd | undefined
}

const ERROR_KINDS = {
  UpstreamUnavailable: "UPSTREAM_UNAVAILABLE",
  UpstreamExited: "UPSTREAM_EXITED",
  UpstreamLost: "UPSTREAM_LOST"
} as const satisfies Record<string, UiMetrics.ErrorKind>

/** Whether there was no server to begin with. One that ends later is the affair of its session. */
const isMissing = (error: UpstreamExited | UpstreamLost | UpstreamUnavailable): boolean =>
  error._tag === "UpstreamUnavailable" || (error._tag === "UpstreamExited" && error.silent)

const bracketed = (host: string): string => (host.includes(":") ? `[${host}]` : host)

const SHUTTING_DOWN: HttpHostEnd = { status: 503, code: -32000, message: "mcp-gen-ui is ending" }

const make = Effect.fnUntraced(function* (serving: HttpServing) {
  const sessions = yield* Sessions
  const clock = yield* Clock.Clock
  const context = yield* Effect.context<never>()
  const runLog = Effect.runForkWith(context)

  const fibers = yield* FiberMap.make<string, void, never>()
  const fork = yield* FiberMap.runtime(fibers)<never>()

  /** When a session last began without a server. */
  let upstreamFailedAt: number | undefined
  const now = (): number => clock.currentTimeMillisUnsafe()
  const log: HttpHostOptions["log"] = (level, message, about = {}) => {
    const line = level === "debug" ? Effect.logDebug(message) : Effect.logWarning(message)
    runLog(line.pipe(Effect.annotateLogs({ component: "http", ...about })))
  }
  const hostOptions: HttpHostOptions = {
    now,
    log,
    greeted: (isServerThere) => {
      upstreamFailedAt = isServerThere ? undefined : now()
    }
  }
  const guard = new HttpGuard({
    host: serving.host,
    allowedHosts: serving.allowedHosts,
    allowedOrigins: serving.allowedOrigins,
    token: serving.token === undefined ? undefined : Redacted.value(serving.token)
  })
  const bodies = new HttpBodies(serving.maxBodyBytes)

  const held = new Map<string, HttpHost>()
  /** Of these, the ones whose server is being started. */
  const opening = new Set<string>()
  let pool: Pool | undefined
  let isClosing = false

  // ---- Sessions --------------------------------------------------------------------------------------------

  const full = (): HttpHostEnd => {
    if (isClosing) return SHUTTING_DOWN
    const seconds = Math.ceil(Math.min(serving.sessionIdleMs, MAKES_ROOM_MS) / 1000)
    const message = `Service Unavailable: all ${serving.maxSessions} sessions are in use (http.maxSessions); one that nobody has used for ${seconds} s makes room`
    return { status: 503, code: -32000, message }
  }

  const idleMs = (key: string, host: HttpHost, time: number): number => (opening.has(key) ? 0 : host.idleMs(time))

  /** The session that makes room when all are in use. */
  const longestIdle = () => {
    const time = now()
    const [longest] = [...held]
      .filter(([, host]) => !host.isEnded)
      .map(([key, host]) => ({ key, host, idle: idleMs(key, host, time) }))
      .toSorted((a, b) => b.idle - a.idle)
    return longest === undefined || longest.idle < MAKES_ROOM_MS ? undefined : longest
  }

  const notReady = (): NotReady | undefined => {
    if (isClosing) return "SHUTTING_DOWN"
    if (upstreamFailedAt !== undefined && now() - upstreamFailedAt < UPSTREAM_AWAY_MS) return "UPSTREAM_UNAVAILABLE"
    return held.size < serving.maxSessions || longestIdle() !== undefined ? undefined : "SESSIONS_EXHAUSTED"
  }

  /** Room for a session, or none. `after`: what has to end before it begins. */
  const findRoom = (): { readonly after: Effect.Effect<void> } | undefined => {
    if (isClosing) return undefined
    if (held.size < serving.maxSessions) return { after: Effect.void }
    const longest = longestIdle()
    if (longest === undefined) return undefined
    const { host, idle, key } = longest
    log("warn", "all sessions are in use (http.maxSessions): the one idle for longest makes room", {
      session: key.slice(0, 8),
      idleMs: idle
    })
    const fiber = FiberMap.getUnsafe(fibers, key)
    endSession(host, key, { status: 404, code: -32000, message: "the session was idle and has made room" })
    return { after: Option.isSome(fiber) ? Effect.asVoid(Fiber.await(fiber.value)) : Effect.void }
  }

  /**
   * Runs a session, `after` something else, until its host or its server ends it. `opened` is called once, with an error
   * if the session could not begin.
   */
  const runSession = (
    host: HttpHost,
    key: string,
    after: Effect.Effect<void>,
    opened: (failed?: HttpHostEnd) => void
  ): void => {
    held.set(key, host)
    opening.add(key)
    let isOpen = false
    const end = (message: string): void => {
      const over: HttpHostEnd = { status: 502, code: -32000, message }
      if (!isOpen) opened(over)
      isOpen = true
      host.shut(over)
    }
    const session = Effect.scoped(
      Effect.gen(function* () {
        yield* after
        const joined = yield* sessions.open(host)
        yield* Effect.logDebug("session opened")
        isOpen = true
        opening.delete(key)
        host.used()
        opened()
        yield* joined
      })
    ).pipe(
      Effect.catch((error) =>
        Effect.gen(function* () {
          // Where the host left first, the end of its server is in order.
          if (!host.isEnded) {
            if (isMissing(error)) upstreamFailedAt = now()
            yield* UiMetrics.errorOccurred(ERROR_KINDS[error._tag])
          }
          yield* Effect.logWarning(error.message)
          end(error.message)
        })
      ),
      Effect.catchDefect((defect) =>
        Effect.gen(function* () {
          yield* UiMetrics.errorOccurred("SESSION_FAILED")
          yield* Effect.logError("session failed", defect)
          end("mcp-gen-ui failed; its log has the details")
        })
      ),
      Effect.ensuring(
        Effect.sync(() => {
          held.delete(key)
          opening.delete(key)
          end("the session has ended")
        })
      ),
      Effect.andThen(Effect.logDebug("session closed")),
      Effect.annotateLogs({ component: "http", session: key.slice(0, 8) })
    )
    fork(key, session)
  }

  /** The host has gone: its session ends in order, or is made to. */
  const endSession = (host: HttpHost, key: string, end: HttpHostEnd): void => {
    if (host.isEnded) return
    host.shut(end)
    fork(`end ${key}`, Effect.andThen(Effect.sleep(SESSION_END), FiberMap.remove(fibers, key)))
  }

  const beginLegacy = (post: LegacyPost, response: ServerResponse): void => {
    const { initialize, isBatch, messages } = post
    const id = initialize?.head.kind === "request" ? initialize.head.id : "null"
    const room = findRoom()
    if (room === undefined) return refuse(response, full(), id)
    const key = randomUUID()
    const host = new HttpLegacyHost(key, hostOptions)
    runSession(host, key, room.after, (failed) => {
      if (failed !== undefined) return refuse(response, failed, id)
      if (response.destroyed) return endSession(host, key, SHUTTING_DOWN)
      host.post(messages, isBatch, response)
    })
  }

  const beginSse = (response: ServerResponse): void => {
    const room = findRoom()
    if (room === undefined) return refuse(response, full())
    const key = randomUUID()
    const host = new HttpSseHost(response, `${MESSAGES_ENDPOINT}?sessionId=${key}`, hostOptions)
    response.once("close", () => endSession(host, key, SHUTTING_DOWN))
    runSession(host, key, room.after, (failed) => {
      if (failed !== undefined) return refuse(response, failed)
      host.start()
    })
  }

  const openPool = (after: Effect.Effect<void>): Pool => {
    const host = new HttpModernHost(`mcp-gen-ui:${randomBytes(9).toString("base64url")}:`, hostOptions)
    const opened: Pool = { host, waiting: [], failed: undefined }
    pool = opened
    runSession(host, randomUUID(), after, (failed) => {
      const { waiting = [] } = opened
      opened.waiting = undefined
      opened.failed = failed
      for (const go of waiting) go(failed)
    })
    return opened
  }

  /** Calls back with the connection that hosts of the modern era share; opens it if there is none. */
  const withPool = (use: (host: HttpModernHost) => void, failed: (why: HttpHostEnd) => void): void => {
    const there = pool === undefined || pool.host.isEnded ? undefined : pool
    const room = there === undefined ? findRoom() : undefined
    const opened = there ?? (room === undefined ? undefined : openPool(room.after))
    if (opened === undefined) return failed(full())
    const { failed: why, host, waiting } = opened
    if (waiting !== undefined) waiting.push((why) => (why === undefined ? use(host) : failed(why)))
    else if (why === undefined) use(host)
    else failed(why)
  }

  const routes = httpRoutes({
    sessions: {
      host: (key) => held.get(key),
      pool: () => pool?.host,
      beginLegacy,
      beginSse,
      withPool,
      end: endSession
    },
    guard,
    bodies,
    probes: { notReady, metrics: () => PrometheusMetrics.formatUnsafe(context) },
    onFault: (cause) =>
      runLog(Effect.logError("request failed", cause).pipe(Effect.annotateLogs({ component: "http" })))
  })

  yield* UiMetrics.announce
  yield* UiMetrics.observeSessions(() => held.size)

  // ---- The server ------------------------------------------------------------------------------------------

  const { port } = yield* Effect.acquireRelease(
    listenHttp(serving, routes).pipe(
      Effect.mapError(({ code, message }) =>
        code === "EADDRINUSE"
          ? new HttpPortInUse({ host: serving.host, port: serving.port })
          : new HttpListenFailed({ host: serving.host, port: serving.port, detail: message })
      )
    ),
    ({ server }) =>
      Effect.gen(function* () {
        isClosing = true
        server.close()
        for (const host of held.values()) host.shut(SHUTTING_DOWN)
        yield* flushed
        server.closeAllConnections()
      })
  )

  const tick = Effect.sync(() => {
    const time = now()
    for (const [key, host] of held) {
      host.tick(time)
      if (idleMs(key, host, time) >= serving.sessionIdleMs && !host.isEnded) {
        log("debug", "a session that nobody uses is closed", { session: key.slice(0, 8) })
        endSession(host, key, { status: 404, code: -32000, message: "the session was idle and has ended" })
      }
    }
  })
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(TICK), tick)))

  return HttpHosts.of({ url: `http://${bracketed(serving.host)}:${port}${ENDPOINT}` })
})

/**
 * Serves hosts of all eras over HTTP until the scope closes, which ends every session.
 *
 * @example
 * import { Layer } from "effect"
 * import { type HttpServing, layerHttpHosts, layerSessions } from "mcp-gen-ui"
 *
 * const layerServed = (serving: HttpServing) => Layer.provide(layerHttpHosts(serving), layerSessions)
 */
export const layer = (serving: HttpServing): Layer.Layer<HttpHosts, HttpPortInUse | HttpListenFailed, Sessions> =>
  Layer.effect(HttpHosts, make(serving))
