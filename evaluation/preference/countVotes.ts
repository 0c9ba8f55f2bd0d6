import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { isRecord } from "../eval/json.ts"
import type { Key } from "./drawRound.ts"

interface Tally {
  readonly wins: readonly [first: number, second: number]
  readonly ties: number
}

/** The votes on one kind of pair, of all judges and of each kind of judge. */
export interface PairVotes {
  readonly sides: readonly [first: string, second: string]
  readonly all: Tally
  readonly byJudge: Readonly<Record<string, Tally>>
}

const NOTHING: Tally = { wins: [0, 0], ties: 0 }

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"))

interface Vote {
  readonly sheet: string
  readonly as: string
  readonly choice: "A" | "B" | "tie"
}

/** The votes of one file, each with a sheet that there is and no sheet twice for the same kind of judge. */
const votesIn = (file: string, votes: unknown, key: Key): ReadonlyArray<Vote> => {
  if (!Array.isArray(votes)) throw new Error(`${file} holds no list of votes`)
  const seen = new Set<string>()
  return votes.map((vote: unknown, index) => {
    const { as, choice, sheet } = isRecord(vote) ? vote : {}
    const place = `${file}, vote ${index + 1}`
    if (typeof sheet !== "string" || !Object.hasOwn(key, sheet)) throw new Error(`${place}: there is no sheet ${sheet}`)
    if (typeof as !== "string" || as === "") throw new Error(`${place}: "as" does not say what kind of judge it is`)
    if (choice !== "A" && choice !== "B" && choice !== "tie")
      throw new Error(`${place}: "${choice}" is none of A, B, tie`)
    if (seen.has(`${as} ${sheet}`)) throw new Error(`${place}: a second vote as ${as} on ${sheet}`)
    seen.add(`${as} ${sheet}`)
    return { sheet, as, choice }
  })
}

const added = ({ ties, wins: [first, second] }: Tally, winner: 0 | 1 | undefined): Tally => ({
  wins: [first + (winner === 0 ? 1 : 0), second + (winner === 1 ? 1 : 0)],
  ties: ties + (winner === undefined ? 1 : 0)
})

/**
 * Counts the votes of a round: `votes/*.json`, a file a judge, each a list of `{sheet, as, choice: "A" | "B" | "tie", why}`, where
 * `as` is the kind of judge. Throws with the place of what cannot be counted, and for a sheet on which a kind of judge
 * has no vote.
 */
export const countVotes = (round: string): ReadonlyArray<PairVotes> => {
  const key = readJson(join(round, "key.json")) as Key
  const files = readdirSync(join(round, "votes")).filter((name) => name.endsWith(".json"))
  const votes = files.flatMap((name) => votesIn(`votes/${name}`, readJson(join(round, "votes", name)), key))
  for (const judge of new Set(votes.map(({ as }) => as))) {
    const judged = new Set(votes.flatMap(({ as, sheet }) => (as === judge ? [sheet] : [])))
    const left = Object.keys(key).filter((sheet) => !judged.has(sheet))
    if (left.length > 0) throw new Error(`votes/: no vote as ${judge} on ${left.join(", ")}`)
  }
  const pairs = new Map<string, PairVotes>()
  for (const { as, choice, sheet } of votes) {
    const { A = "", B = "" } = key[sheet] ?? {}
    const [first, second] = A < B ? [A, B] : [B, A]
    const winner = choice === "tie" ? undefined : (choice === "A") === (A === first) ? 0 : 1
    const known = pairs.get(`${first} ${second}`) ?? { sides: [first, second], all: NOTHING, byJudge: {} }
    pairs.set(`${first} ${second}`, {
      sides: known.sides,
      all: added(known.all, winner),
      byJudge: { ...known.byJudge, [as]: added(known.byJudge[as] ?? NOTHING, winner) }
    })
  }
  return [...pairs.values()]
}

const line = (name: string, { ties, wins: [first, second] }: Tally): string => {
  // A tie is half a vote for each.
  const share = (100 * (first + ties / 2)) / (first + second + ties)
  return `${name}: ${first} to ${second}, ${ties} ${ties === 1 ? "tie" : "ties"} (${share.toFixed(1)}% for the first)`
}

export const votesText = (counted: ReadonlyArray<PairVotes>): string =>
  counted
    .flatMap(({ all, byJudge, sides }) => [
      line(`${sides[0]} against ${sides[1]}`, all),
      ...Object.entries(byJudge).map(([judge, tally]) => line(`  as ${judge}`, tally))
    ])
    .join("\n")
