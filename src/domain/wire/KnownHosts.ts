/** How a host gets a UI. `blocking`: its read waits. `live`: it gets what there is, and the view changes later. */
export type Delivery = "blocking" | "live"

interface KnownHost {
  /** The start of the name that the host gives itself (`clientInfo.name`), in lower case. */
  readonly name: string
  readonly delivery: Delivery
  readonly why: string
}

/** Hosts that we know; see docs/architecture.md. A host that is not listed waits, as the specification says. */
const KNOWN_HOSTS: ReadonlyArray<KnownHost> = [
  { name: "claude-ai", delivery: "live", why: "reads every UI that is listed right after it has connected" },
  { name: "openai-mcp", delivery: "live", why: "reads every UI when it connects and keeps what it got" },
  { name: "visual studio code", delivery: "blocking", why: "reads a UI when it shows it, each time" }
]

const knownHost = (hostName: string | undefined): KnownHost | undefined => {
  const name = hostName?.trim().toLowerCase() ?? ""
  return KNOWN_HOSTS.find((host) => name.startsWith(host.name))
}

/** Used if `generation.delivery` is `auto`. */
export const deliveryFor = (hostName: string | undefined): Delivery => knownHost(hostName)?.delivery ?? "blocking"

/** Whether the host is ChatGPT, whose pages have `window.openai` and whose tools have `openai/…` in their `_meta`. */
export const isChatGpt = (hostName: string | undefined): boolean => knownHost(hostName)?.name === "openai-mcp"
