/** How this folder's state machines reach the world. They hold no clock, no randomness and no socket of their own. */
export interface EraPort {
  /** Sends a frame to the host. `about`: the id (JSON text) of the host's request that it belongs to. */
  readonly toHost: (frame: Uint8Array, about?: string) => void
  readonly toServer: (frame: Uint8Array, about?: string) => void
  /** Runs `work` after a delay; returns a function that cancels it. */
  readonly after: (milliseconds: number, work: () => void) => () => void
  /** A line for the log. */
  readonly note: (text: string) => void
  /** Held frames have gone out: the host may be read again. */
  readonly drained: () => void
}

/** Ids of our own requests, in a random namespace that no host, server or other wrapper uses. */
export class OwnIds {
  readonly #prefix: string
  readonly #random: () => string
  #count = 0

  /** `random` returns a text that nobody can guess, such as a UUID. */
  constructor(random: () => string) {
    this.#random = random
    this.#prefix = `mcp-gen-ui-era:${random()}:`
  }

  /** Returns JSON text. */
  next(): string {
    this.#count += 1
    return `"${this.#prefix}${this.#count}"`
  }

  /** A text that nobody can guess. */
  secret(): string {
    return `${this.#prefix}${this.#random()}`
  }

  isOwn(id: string): boolean {
    return id.startsWith(`"${this.#prefix}`)
  }
}

/** A translator between a host of one era and a server of the other. */
export interface EraTranslation {
  readonly fromHost: (frame: Uint8Array, about?: string) => void
  readonly fromServer: (frame: Uint8Array, about?: string) => void
  /** The server is gone. Returns those of the host's frames that the server has not acted on. */
  readonly onLost: (unsent: ReadonlyArray<Uint8Array>) => ReadonlyArray<Uint8Array>
}
