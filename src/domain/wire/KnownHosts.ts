import { isObject } from "../isObject.ts"
import { chatgpt } from "./hosts/chatgpt.ts"
import { claude } from "./hosts/claude.ts"
import { cursor } from "./hosts/cursor.ts"
import { goose } from "./hosts/goose.ts"
import { grok } from "./hosts/grok.ts"
import type { Delivery, Fact, HostFacts } from "./hosts/HostFacts.ts"
import { inspector } from "./hosts/inspector.ts"
import { pi } from "./hosts/pi.ts"
import { vscode } from "./hosts/vscode.ts"

export type { Delivery } from "./hosts/HostFacts.ts"

/** A file each. What is believed of them is no more than their sources say. */
export const KNOWN_HOSTS: ReadonlyArray<HostFacts> = [claude, chatgpt, vscode, cursor, goose, inspector, grok, pi]

/** Who a host says that it is (`clientInfo`); anything, as it came. */
export const knownHost = (client: unknown): HostFacts | undefined => {
  const name = isObject(client) && typeof client.name === "string" ? client.name.trim().toLowerCase() : ""
  return KNOWN_HOSTS.find(({ names }) => names.is.some((start) => name.startsWith(start)))
}

const numbersOf = (version: string): ReadonlyArray<number> => version.split(/[.+-]/).map((part) => parseInt(part, 10))

/** Compares `1.109.0-insider` and the like, number by number; a version that is none is not old enough. */
const isSince = (version: unknown, since: string): boolean => {
  const given = numbersOf(String(version))
  for (const [index, least] of numbersOf(since).entries()) {
    const number = given[index] ?? 0
    if (number !== least) return number > least
  }
  return true
}

const holds = (fact: Fact<unknown> | undefined, client: unknown): boolean =>
  fact !== undefined && (fact.since === undefined || (isObject(client) && isSince(client.version, fact.since)))

/** Whether this host draws UIs although it may announce nothing. */
export const rendersUnannounced = (client: unknown): boolean => holds(knownHost(client)?.rendersUnannounced, client)

/** Used if `generation.delivery` is `auto`. A host that is not known waits, as the specification says. */
export const deliveryFor = (client: unknown): Delivery => knownHost(client)?.delivery?.is ?? "blocking"

/** Whether the host is ChatGPT, whose pages have `window.openai` and whose tools have `openai/…` in their `_meta`. */
export const isChatGpt = (client: unknown): boolean => knownHost(client) === chatgpt

/** What becomes of names that this host refuses, in a sentence; `undefined` if it takes all of them. */
export const refusedNames = (client: unknown, names: ReadonlyArray<string>): string | undefined => {
  const limit = knownHost(client)?.toolNames?.is
  const refused = limit === undefined ? [] : names.filter((name) => !limit.takes.test(name))
  if (limit === undefined || refused.length === 0) return undefined
  const named = refused.slice(0, 3).map((name) => JSON.stringify(name.slice(0, 80)))
  const more = refused.length > named.length ? ` and ${refused.length - named.length} more` : ""
  return `names of tools that this host does not take: ${named.join(", ")}${more}; ${limit.else}`
}
