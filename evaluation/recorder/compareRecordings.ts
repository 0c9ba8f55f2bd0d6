import { type AlignedFrame, alignFrames, methodsById } from "./alignFrames.ts"
import { compareFrames, type Difference, volatilePaths } from "./differences.ts"
import type { Recording } from "./recordRun.ts"
import { at, explain, explainAnswer, missingRewrites, type Rewritten } from "./rewriteTable.ts"

/** How a wrapped run compares to a direct one. */
export interface Comparison {
  /** Frames that the direct run exchanged, both ways. */
  readonly frames: number
  /** Of these, what came through byte for byte, values that change from run to run aside. */
  readonly same: number
  /** Rows of the table of rewrites, and how many things each changed: tools, resources, frames. */
  readonly rewrites: ReadonlyMap<string, number>
  /** Requests of the wrapper's own that the server got. */
  readonly ownRequests: number
  /** Paths that differ between two direct runs: `frame: path`. */
  readonly volatile: ReadonlyArray<string>
  /** What is not in the table, or is missing from it. Empty: all is well. */
  readonly problems: ReadonlyArray<string>
}

const OWN_ID = /^"mcp-gen-ui:/
/** What the wrapper may ask the server for its own sake, if the host renders UIs. */
const OWN_METHODS = new Set<unknown>(["tools/list", "subscriptions/listen"])
const MAX_SHOWN = 120

const short = (raw: string | undefined): string =>
  raw === undefined ? "-" : raw.length > MAX_SHOWN ? `${raw.slice(0, MAX_SHOWN)}…` : raw

const line = (key: string, { direct, kind, path, wrapped }: Difference): string =>
  `${key}: ${kind} ${path}  direct ${short(direct)}  wrapped ${short(wrapped)}`

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

type Frames = ReadonlyMap<string, AlignedFrame>

interface Side {
  readonly first: Frames
  readonly second: Frames
  readonly wrapped: Frames
}

class Ledger {
  readonly problems: Array<string> = []
  readonly volatile: Array<string> = []
  frames = 0
  same = 0

  readonly #explained = new Map<string, Set<string>>()

  /** `thing`: what was changed; counted once. */
  explainBy(row: string, thing: string): void {
    const things = this.#explained.get(row) ?? new Set()
    this.#explained.set(row, things.add(thing))
  }

  get rewrites(): ReadonlyMap<string, number> {
    return new Map([...this.#explained].map(([row, { size }]) => [row, size]))
  }
}

const isStable = ({ first, second }: Side, key: string): boolean => first.has(key) && second.has(key)

const uriAsked = (asked: ReadonlyMap<string, unknown>, frame: AlignedFrame): unknown =>
  at(asked.get(JSON.stringify(at(parsed(frame.text), "id"))), "params", "uri")

/** What the client got: the same, or rewritten as the table says. */
const compareReceived = (ledger: Ledger, side: Side, apps: boolean, asked: ReadonlyMap<string, unknown>): void => {
  for (const [key, direct] of side.first) {
    const again = side.second.get(key)
    const wrapped = side.wrapped.get(key)
    if (again === undefined) continue
    ledger.frames += 1
    if (wrapped === undefined && apps && direct.kind === "junk") {
      ledger.explainBy("lines that are no messages", key)
      continue
    }
    if (wrapped === undefined) {
      ledger.problems.push(`${key}: the client did not get it: ${short(direct.text)}`)
      continue
    }
    const volatile = volatilePaths(direct.text, again.text)
    for (const path of volatile) ledger.volatile.push(`${key}: ${path}`)
    const differences = compareFrames(direct.text, wrapped.text, volatile)
    if (differences.length === 0) {
      ledger.same += 1
      continue
    }
    const rewritten = { method: direct.method, direct: parsed(direct.text), wrapped: parsed(wrapped.text) }
    const whole = apps && direct.kind === "answer" ? explainAnswer(rewritten, uriAsked(asked, direct)) : undefined
    if (whole !== undefined) {
      ledger.explainBy(whole, key)
      continue
    }
    for (const difference of differences) {
      const row = apps && direct.kind === "answer" ? explain(difference, rewritten) : undefined
      if (row === undefined) ledger.problems.push(line(key, difference))
      else ledger.explainBy(row, `${key} ${/^.*?\[\d+\]/.exec(difference.path)?.[0] ?? ""}`)
    }
  }
  for (const [key, { text }] of side.wrapped) {
    if (!side.first.has(key) && !side.second.has(key))
      ledger.problems.push(`${key}: only through the wrapper: ${short(text)}`)
  }
}

/** What the server got: what the client sent, byte for byte, but for what the wrapper answers itself. */
const compareForwarded = (ledger: Ledger, side: Side, answeredHere: ReadonlySet<string>): void => {
  for (const [key, direct] of side.first) {
    const again = side.second.get(key)
    const wrapped = side.wrapped.get(key)
    if (again === undefined) continue
    ledger.frames += 1
    if (wrapped === undefined) {
      if (answeredHere.has(key)) ledger.explainBy("answered by the wrapper", key)
      else ledger.problems.push(`${key}: the server did not get it: ${short(direct.text)}`)
      continue
    }
    const differences = compareFrames(direct.text, wrapped.text, volatilePaths(direct.text, again.text))
    if (differences.length === 0) ledger.same += 1
    for (const difference of differences) ledger.problems.push(`to the server: ${line(key, difference)}`)
  }
  for (const [key, { text }] of side.wrapped) {
    if (!isStable(side, key) && !side.first.has(key) && !side.second.has(key)) {
      ledger.problems.push(`to the server: ${key}: only through the wrapper: ${short(text)}`)
    }
  }
}

const receivedOf = ({ client, frames }: Recording): Frames =>
  alignFrames(client.received.slice(0, frames.received), methodsById(client.sent), true)

const isOwn = (text: string): boolean => {
  const message = parsed(text)
  return at(message, "method") !== undefined && OWN_ID.test(JSON.stringify(at(message, "id")) ?? "")
}

const forwardedOf = ({ client, serverReceived }: Recording): Frames =>
  alignFrames(
    serverReceived.filter((text) => !isOwn(text)),
    methodsById(client.received),
    false
  )

/** Compares a wrapped run with two direct ones, which show between them what changes by itself. */
export const compareRecordings = (
  first: Recording,
  second: Recording,
  wrapped: Recording,
  apps: boolean
): Comparison => {
  const ledger = new Ledger()
  const received = { first: receivedOf(first), second: receivedOf(second), wrapped: receivedOf(wrapped) }
  const asked = new Map(
    first.client.sent.map(parsed).map((message) => [JSON.stringify(at(message, "id")), message] as const)
  )
  compareReceived(ledger, received, apps, asked)

  const answers = (frames: Frames): ReadonlyArray<AlignedFrame> =>
    [...frames.values()].filter(({ kind }) => kind === "answer")
  const rewritten = answers(received.first).flatMap((frame): ReadonlyArray<Rewritten & { readonly key: string }> => {
    const other = received.wrapped.get(frame.key)
    return other === undefined
      ? []
      : [{ key: frame.key, method: frame.method, direct: parsed(frame.text), wrapped: parsed(other.text) }]
  })
  const uriOf = (key: string): unknown => {
    const frame = received.first.get(key)
    return frame === undefined ? undefined : uriAsked(asked, frame)
  }
  const answeredHere = new Set(
    rewritten
      .filter((frame) => apps && explainAnswer(frame, uriOf(frame.key)) !== undefined)
      .map(({ key }) => key.replace("answer to ", ""))
  )
  compareForwarded(
    ledger,
    { first: forwardedOf(first), second: forwardedOf(second), wrapped: forwardedOf(wrapped) },
    answeredHere
  )

  const own = wrapped.serverReceived.filter(isOwn)
  for (const text of own) {
    const method = at(parsed(text), "method")
    if (!apps || !OWN_METHODS.has(method)) ledger.problems.push(`the wrapper asked the server: ${short(text)}`)
  }
  if (apps) ledger.problems.push(...missingRewrites(rewritten))
  return {
    frames: ledger.frames,
    same: ledger.same,
    rewrites: ledger.rewrites,
    ownRequests: own.length,
    volatile: ledger.volatile,
    problems: ledger.problems
  }
}
