import { isObject } from "../isObject.ts"
import { announcesApps, ENVELOPE_CAPABILITIES, ENVELOPE_CLIENT_INFO, ENVELOPE_VERSION } from "../wire/AppsExtension.ts"
import { rendersUnannounced } from "../wire/KnownHosts.ts"
import { decodedAt } from "../wire/Rewrites.ts"

export type Era = "legacy" | "modern" | "unknown"

/**
 * What the host says about itself. In the legacy era (up to 2025-11-25) it says it once, in `initialize`; in the modern
 * one (2026-07-28) in the `_meta` of every request, where it may differ each time.
 */
export class HostProfile {
  readonly #forceUi: boolean
  #legacyApps: boolean | undefined
  #envelope: Readonly<Record<string, unknown>> | undefined
  #client: unknown
  /** Of any request so far; `undefined`: nothing is known of the host yet. */
  #rendersUis: boolean | undefined

  constructor(forceUi: boolean) {
    this.#forceUi = forceUi
  }

  get era(): Era {
    if (this.#legacyApps !== undefined) return "legacy"
    return this.#envelope === undefined ? "unknown" : "modern"
  }

  get name(): string {
    return isObject(this.#client) && typeof this.#client.name === "string" ? this.#client.name : "unknown"
  }

  /** The host that sent this request, as it calls itself: in the modern era several hosts may share a session. */
  clientIn(frame: Uint8Array): unknown {
    const client = this.era === "modern" ? decodedAt(frame, ["params", "_meta", ENVELOPE_CLIENT_INFO]) : undefined
    return client ?? this.#client
  }

  /** The `_meta` members that our own requests have to carry in the modern era. */
  get envelope(): Readonly<Record<string, unknown>> | undefined {
    return this.#envelope
  }

  onInitialize(frame: Uint8Array): void {
    this.#client = decodedAt(frame, ["params", "clientInfo"])
    this.#legacyApps = this.#takesUis(decodedAt(frame, ["params", "capabilities"]), this.#client)
    this.#envelope = undefined
  }

  /** Whether answers of ours may be on their way: then the server answers what it was asked, and nothing else. */
  get mayRenderUis(): boolean {
    return this.#rendersUis !== false
  }

  /** Whether the host that sent this request renders UIs. */
  hasApps(frame: Uint8Array): boolean {
    const apps = this.#appsOf(frame)
    if (this.era !== "unknown") this.#rendersUis = apps || this.#rendersUis === true
    return apps
  }

  #appsOf(frame: Uint8Array): boolean {
    if (this.#legacyApps !== undefined) return this.#legacyApps
    const meta = decodedAt(frame, ["params", "_meta"])
    if (!isObject(meta) || meta[ENVELOPE_VERSION] === undefined) return this.#forceUi
    if (this.#envelope === undefined) {
      const keys = [ENVELOPE_VERSION, ENVELOPE_CLIENT_INFO, ENVELOPE_CAPABILITIES]
      this.#envelope = Object.fromEntries(keys.filter((key) => key in meta).map((key) => [key, meta[key]]))
      this.#client = meta[ENVELOPE_CLIENT_INFO]
    }
    return this.#takesUis(meta[ENVELOPE_CAPABILITIES], meta[ENVELOPE_CLIENT_INFO])
  }

  #takesUis(capabilities: unknown, client: unknown): boolean {
    return this.#forceUi || announcesApps(capabilities, rendersUnannounced(client))
  }

  /** Whether a host of the legacy era renders UIs. */
  get legacyApps(): boolean {
    return this.#legacyApps === true
  }
}
