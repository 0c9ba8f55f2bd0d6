import { announcesApps, ENVELOPE_CAPABILITIES } from "../../wire/AppsExtension.ts"
import { type FrameHead, idKey, notificationFrame, readHead, requestFrameOf, resultFrame } from "../../wire/Frame.ts"
import { unanswered } from "../../wire/RequestFailed.ts"
import { decodedAt, rawAt, stringAt } from "../../wire/Rewrites.ts"
import { completeMembers, isModernError, isModernRequest, MODERN_VERSION, namesModernVersion } from "./Eras.ts"
import { envelopeOfInitialize, initializeParams } from "./EraGreetings.ts"
import { type EraPort, type EraTranslation, OwnIds } from "./EraPort.ts"
import { objectOf, withMembersAt, withValueAt } from "./EraSplices.ts"
import { LegacyHostModernServer } from "./LegacyHostModernServer.ts"
import { ModernHostLegacyServer } from "./ModernHostLegacyServer.ts"

export interface EraOptions {
  /** Initialize a server of the legacy era for a host of the modern one as soon as the host says `server/discover`. */
  readonly translateEras: boolean
  /** See {@link ModernHostLegacyServer}. */
  readonly isShared: boolean
  /** Returns a text that nobody can guess, such as a UUID. */
  readonly random: () => string
}

interface Request {
  readonly id: string
  readonly method: string
  readonly frame: Uint8Array
}

/**
 * What is known of host and server.
 * - `open`: nothing, or the host's first request is on its way; everything passes and answers are inspected.
 * - `asking`: we asked the server `server/discover`; the host is held back.
 * - `refused`: the server is of the legacy era, the host of the modern one; it may still say `initialize`.
 * - `initializing`: we are initializing the server; the host is held back.
 * - `translating`.
 * - `settled`: they share an era.
 */
type Phase = "open" | "asking" | "refused" | "initializing" | "translating" | "settled"

/** A server that does not answer `server/discover` at all counts as one that does not know it. */
const PATIENCE_MS = 10_000
/** Above this, the host is not read until the held frames are out. */
const HELD_BYTES = 1_048_576

/**
 * Stands between one host and one server. It lets everything pass until it finds that they share no protocol era; from
 * then on it translates. It sees every frame until it `isSettled`; after that, frames may bypass it.
 */
export class EraTranslator {
  readonly #port: EraPort
  readonly #options: EraOptions
  readonly #ids: OwnIds
  #phase: Phase = "open"
  #translation: EraTranslation | undefined
  #held: Array<readonly [frame: Uint8Array, about: string | undefined]> = []
  #heldBytes = 0
  /** The host's requests that the server got before its era is known. */
  #sent = new Map<string, Request>()
  /** The host's `initialize`, and the server's error to it. */
  #initialize: Request | undefined
  #refusal: Uint8Array | undefined
  #isInitialized = false
  /** The host's `server/discover`, and its error, held back until `initialize` is answered. */
  #discover: Request | undefined
  #discoverError: Uint8Array | undefined
  /** An answer, held back until `server/discover` is answered. */
  #doubtful: { readonly request: Request; readonly answer: Uint8Array } | undefined
  #ownDiscover: string | undefined
  #ownInitialize: string | undefined
  #isDiscoverFatal = false
  #stopTimer: () => void = () => undefined

  constructor(port: EraPort, options: EraOptions) {
    this.#port = port
    this.#options = options
    this.#ids = new OwnIds(options.random)
  }

  /** Host and server share an era: frames may bypass this. */
  get isSettled(): boolean {
    return this.#phase === "settled" && this.#ownDiscover === undefined && this.#ownInitialize === undefined
  }

  /** Too much is held back: do not read the host until {@link EraPort.drained}. */
  get isBehind(): boolean {
    return this.#heldBytes > HELD_BYTES
  }

  fromHost(frame: Uint8Array, about?: string): void {
    const head = this.#phase === "settled" ? undefined : readHead(frame)
    const method = head?.kind === "request" ? head.method : undefined
    if (this.#phase === "asking" || this.#phase === "initializing") return this.#hold(frame, about)
    if (this.#phase === "translating" && method !== "initialize") return this.#translation?.fromHost(frame, about)
    if (head?.kind === "notification" && head.method === "notifications/initialized") this.#isInitialized = true
    if (head?.kind === "request") {
      const begin = this.#onOpening({ id: head.id, method: head.method, frame })
      if (begin !== undefined) {
        this.#hold(frame, about)
        return begin()
      }
    }
    this.#port.toServer(frame, about)
  }

  fromServer(frame: Uint8Array, about?: string): void {
    const head = readHead(frame)
    if (head?.kind === "response") {
      const key = idKey(head.id)
      if (key === this.#ownInitialize) return this.#onInitialized(frame)
      if (key === this.#ownDiscover) return this.#onDiscovered(frame)
      if (this.#phase === "settled") return this.#port.toHost(frame, about)
      const request = this.#sent.get(key)
      if (request !== undefined && this.#onAnswer(key, request, frame)) return
    }
    if (this.#translation !== undefined) return this.#translation.fromServer(frame, about)
    const isAcknowledged = head?.kind === "notification" && head.method === "notifications/subscriptions/acknowledged"
    if (isAcknowledged && this.#phase === "open") this.#settle()
    if (head?.kind === "request" && head.method === "ping" && this.#phase === "initializing") {
      return this.#port.toServer(resultFrame(head.id, {}))
    }
    this.#port.toHost(frame, about)
  }

  /**
   * A message of the server was too long; only its head is known. An answer becomes an error. `false`: it was no
   * answer.
   */
  onOversized(head: FrameHead | undefined, bytes: number): boolean {
    if (head?.kind !== "response") return false
    const detail = `the answer of ${bytes} bytes is longer than maxMessageBytes of mcp-gen-ui allows`
    this.#port.note(`${detail}; it is left out`)
    this.fromServer(unanswered("unknown", "MESSAGE_TOO_LARGE", detail).frame(head.id, this.#options.random()))
    return true
  }

  /**
   * The server is gone, and the next one is unknown. Returns what the host has sent and no server has acted on:
   * `unsent`, as the host wrote it, and what was held back.
   */
  onLost(unsent: ReadonlyArray<Uint8Array>): ReadonlyArray<Uint8Array> {
    const probe = this.#phase === "open" && this.#options.translateEras ? this.#discover?.frame : undefined
    const isProbed = probe !== undefined || (this.#phase === "asking" && this.#initialize === undefined)
    const sent = this.#translation?.onLost(unsent) ?? unsent.filter((frame) => !this.#isOwnRequest(frame))
    const again = [
      ...sent,
      ...(probe === undefined || sent.includes(probe) ? [] : [probe]),
      ...this.#held.map(([frame]) => frame)
    ]
    this.#reset()
    this.#isDiscoverFatal ||= isProbed
    return again
  }

  #isOwnRequest(frame: Uint8Array): boolean {
    const head = readHead(frame)
    return head?.kind === "request" && this.#ids.isOwn(head.id)
  }

  #reset(): void {
    this.#stopTimer()
    this.#phase = "open"
    this.#translation = undefined
    this.#held = []
    this.#heldBytes = 0
    this.#sent = new Map()
    this.#initialize = undefined
    this.#refusal = undefined
    this.#isInitialized = false
    this.#discover = undefined
    this.#discoverError = undefined
    this.#doubtful = undefined
    this.#ownDiscover = undefined
    this.#ownInitialize = undefined
  }

  // ---- Era unknown -----------------------------------------------------------------------------------------

  /** A request of the host while nothing is decided. If it has to wait, returns the work that it waits for. */
  #onOpening(request: Request): (() => void) | undefined {
    const { frame, id, method } = request
    if (method === "initialize") {
      const isDecided = this.#phase === "refused" || this.#translation instanceof ModernHostLegacyServer
      this.#translation?.onLost([])
      this.#reset()
      if (isDecided) this.#phase = "settled"
      this.#initialize = request
    } else if (method === "server/discover") {
      if (this.#isDiscoverFatal && this.#options.translateEras) return () => this.#initializeServer(frame)
      if (this.#options.translateEras && this.#phase === "open") {
        this.#discover = request
        this.#stopTimer = this.#port.after(PATIENCE_MS, () => this.#initializeServer(frame))
      }
    } else if (!isModernRequest(frame)) {
      if (this.#initialize === undefined) return undefined
    } else if (this.#phase === "refused") return () => this.#initializeServer(frame)
    else if (this.#options.translateEras && this.#discover === undefined) {
      return () => (this.#isDiscoverFatal ? this.#initializeServer(frame) : this.#probe(frame))
    }
    if (this.#phase !== "settled") this.#sent.set(idKey(id), request)
    return undefined
  }

  /** The answer to a request that was sent while the server's era was unknown; `true` if it is not passed on. */
  #onAnswer(key: string, request: Request, frame: Uint8Array): boolean {
    this.#sent.delete(key)
    const isError = rawAt(frame, ["error"]) !== undefined
    if (request === this.#initialize) return this.#onInitializeAnswer(frame, isError)
    if (request.method === "server/discover") return this.#onDiscoverAnswer(request, frame, isError)
    if (this.#initialize !== undefined) {
      if (!isError || this.#phase === "open") return false
      if (this.#phase === "translating") this.#translation?.fromHost(request.frame)
      else this.#hold(request.frame, undefined)
      return true
    }
    if (this.#phase === "open") return this.#onFirstAnswer(request, frame, isError)
    this.#port.toHost(isError ? frame : withMembersAt(frame, ["result"], completeMembers(request.method)), request.id)
    return true
  }

  #onInitializeAnswer(frame: Uint8Array, isError: boolean): boolean {
    if (!isError || this.#initialize === undefined) {
      this.#settle()
      return false
    }
    this.#refusal = frame
    const meta = objectOf(envelopeOfInitialize(this.#initialize.frame))
    this.#askDiscover(meta, () => this.#giveUp())
    return true
  }

  #onDiscoverAnswer(request: Request, frame: Uint8Array, isError: boolean): boolean {
    if (this.#phase === "translating") return true
    this.#stopTimer()
    if (!isError || isModernError(frame)) {
      this.#settle()
      return false
    }
    if (this.#phase === "initializing") {
      this.#discoverError = frame
      return true
    }
    if (this.#options.translateEras) {
      this.#discover = request
      this.#discoverError = frame
      this.#initializeServer(request.frame)
      return true
    }
    this.#phase = "refused"
    const said = stringAt(frame, ["error", "message"]) ?? "no message"
    const message = `The server does not speak MCP ${MODERN_VERSION}, only versions before it, which begin with initialize (it said: ${said}). For hosts that speak ${MODERN_VERSION} only, start mcp-gen-ui with --translate-eras.`
    const hasApps = announcesApps(decodedAt(request.frame, ["params", "_meta", ENVELOPE_CAPABILITIES]))
    if (!hasApps) this.#port.note(message)
    this.#port.toHost(hasApps ? withValueAt(frame, ["error", "message"], JSON.stringify(message)) : frame, request.id)
    return true
  }

  /** A host of the modern era did not ask for the server's version: the server's first answer shows its era. */
  #onFirstAnswer(request: Request, frame: Uint8Array, isError: boolean): boolean {
    if (isError ? isModernError(frame) : rawAt(frame, ["result", "resultType"]) !== undefined) {
      this.#settle()
      return false
    }
    if (!isError) {
      this.#phase = "refused"
      this.#port.toHost(withMembersAt(frame, ["result"], completeMembers(request.method)), request.id)
      return true
    }
    this.#doubtful = { request, answer: frame }
    this.#probe(request.frame)
    return true
  }

  // ---- Asking the server -----------------------------------------------------------------------------------

  #probe(modern: Uint8Array): void {
    this.#askDiscover(rawAt(modern, ["params", "_meta"]) ?? "{}", () => this.#initializeServer(modern))
  }

  #askDiscover(meta: string, otherwise: () => void): void {
    this.#phase = "asking"
    const id = this.#ids.next()
    this.#ownDiscover = idKey(id)
    this.#onNotModern = otherwise
    this.#stopTimer = this.#port.after(PATIENCE_MS, otherwise)
    this.#port.toServer(requestFrameOf(id, "server/discover", `{"_meta":${meta}}`))
  }

  #onNotModern: () => void = () => undefined

  #onDiscovered(frame: Uint8Array): void {
    this.#stopTimer()
    this.#ownDiscover = undefined
    if (this.#phase === "settled" || this.#phase === "translating") return
    const isModern =
      rawAt(frame, ["result"]) === undefined
        ? isModernError(frame)
        : namesModernVersion(decodedAt(frame, ["result", "supportedVersions"]))
    if (this.#initialize === undefined) return isModern ? this.#settle() : this.#onNotModern()
    if (!isModern || rawAt(frame, ["result"]) === undefined) return this.#giveUp()
    this.#port.note(
      `the host speaks MCP before ${MODERN_VERSION} only and the server ${MODERN_VERSION}: messages are translated`
    )
    this.#translate(new LegacyHostModernServer(this.#port, this.#ids, this.#initialize.frame, frame))
  }

  /** The server refuses the host's `initialize` and is not of the modern era either. */
  #giveUp(): void {
    if (this.#refusal !== undefined) this.#port.toHost(this.#refusal)
    this.#settle()
  }

  #initializeServer(modern: Uint8Array): void {
    if (this.#phase === "initializing") return
    this.#stopTimer()
    this.#phase = "initializing"
    const id = this.#ids.next()
    this.#ownInitialize = idKey(id)
    this.#port.toServer(requestFrameOf(id, "initialize", initializeParams(modern)))
  }

  #onInitialized(frame: Uint8Array): void {
    this.#ownInitialize = undefined
    if (this.#phase === "settled") return
    if (rawAt(frame, ["result"]) === undefined) return this.#settle()
    this.#port.toServer(notificationFrame("notifications/initialized", undefined))
    this.#port.note(
      `the host speaks MCP ${MODERN_VERSION} only and the server versions before it: messages are translated`
    )
    const translation = new ModernHostLegacyServer(this.#port, this.#ids, frame, this.#options.isShared)
    const discover = this.#discover
    const isUnanswered =
      discover !== undefined && (this.#discoverError !== undefined || this.#sent.has(idKey(discover.id)))
    for (const [key, request] of this.#sent) {
      // The server may still answer it after the host has had our answer.
      if (request === discover) continue
      translation.adopt(request.id, request.method, request.frame)
      this.#sent.delete(key)
    }
    if (isUnanswered) translation.fromHost(discover.frame)
    if (this.#doubtful !== undefined) translation.fromHost(this.#doubtful.request.frame)
    this.#translate(translation)
  }

  // ---- Era known -------------------------------------------------------------------------------------------

  #translate(translation: EraTranslation): void {
    this.#phase = "translating"
    this.#translation = translation
    if (this.#isInitialized) translation.fromHost(notificationFrame("notifications/initialized", undefined))
    this.#release()
  }

  #settle(): void {
    this.#stopTimer()
    this.#phase = "settled"
    this.#sent.clear()
    if (this.#discoverError !== undefined) this.#port.toHost(this.#discoverError)
    if (this.#doubtful !== undefined) this.#port.toHost(this.#doubtful.answer)
    this.#release()
  }

  #hold(frame: Uint8Array, about: string | undefined): void {
    this.#held.push([frame, about])
    this.#heldBytes += frame.length
  }

  #release(): void {
    const held = this.#held
    const wasBehind = this.isBehind
    this.#held = []
    this.#heldBytes = 0
    for (const [frame, about] of held) this.fromHost(frame, about)
    if (wasBehind) this.#port.drained()
  }
}
