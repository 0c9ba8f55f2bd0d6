/** How a host gets a UI. `blocking`: its read waits. `live`: it gets what there is, and the view changes later. */
export type Delivery = "blocking" | "live"

/** What a host may say that it does for a view (`hostCapabilities`, MCP Apps 2026-01-26). */
export type ViewOffer =
  | "serverTools"
  | "serverResources"
  | "openLinks"
  | "downloadFile"
  | "message"
  | "updateModelContext"
  | "logging"

/** One fact, and why we believe it. */
export interface Fact<A> {
  readonly is: A
  /**
   * `ran`: seen by us. `read`: in the host's source or documentation. `reported`: others say so, not tried. `estimate`: a
   * guess, used only where being wrong does no harm.
   */
  readonly how: "ran" | "read" | "reported" | "estimate"
  readonly source: string
  /** Year and month of the source. */
  readonly date: string
  /** The first version of the host that it is true of; all versions unless set. */
  readonly since?: string
}

/** Names of tools that a host refuses. */
interface NameLimit {
  /** The names that it takes. */
  readonly takes: RegExp
  /** What becomes of others, as the end of a sentence. */
  readonly else: string
}

/** What is known of one host. A fact that is missing is not known. */
export interface HostFacts {
  readonly id: string
  readonly title: string
  /** What is different there, in a sentence or two. */
  readonly about: string
  /** How the name begins that it gives itself (`clientInfo.name`), in small letters. */
  readonly names: Fact<ReadonlyArray<string>>
  /** It renders UIs although it announces nothing. */
  readonly rendersUnannounced?: Fact<true>
  readonly delivery?: Fact<Delivery>
  readonly toolNames?: Fact<NameLimit>
  /** Bytes of all documents together. */
  readonly documents?: Fact<number>
  /** What is lost or changed on the way from the server to a view. */
  readonly strips?: Fact<ReadonlyArray<"structuredContent" | "image blocks" | "results of reopened chats">>
  readonly offers?: Fact<ReadonlyArray<ViewOffer>>
  readonly modes?: Fact<ReadonlyArray<"inline" | "fullscreen" | "pip">>
  /** Whether it sends style variables; without them a view has its own look. */
  readonly sendsStyles?: Fact<boolean>
  /** CSS pixels of the column that views stand in, and how high a view gets before it scrolls. */
  readonly column?: Fact<{ readonly width: number; readonly maxHeight?: number }>
}
