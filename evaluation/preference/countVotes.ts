import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { isRecord, type JsonRecord } from "../eval/json.ts"

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"))

/**
 * Counts `votes/*.json`, each a list of `{sheet, as, choice: "A" | "B" | "tie", why}`, by what stood against what. Throws with the vote that
 * names no sheet or no side.
 */
export const countVotes = (folder: string): Readonly<Record<string, Readonly<Record<string, number>>>> => {
  const key = readJson(join(folder, "key.json"))
  if (!isRecord(key)) throw new Error("key.json holds no object")
  const counts: Record<string, Record<string, number>> = {}
  for (const file of readdirSync(join(folder, "votes")).filter((name) => name.endsWith(".json"))) {
    const votes = readJson(join(folder, "votes", file))
    if (!Array.isArray(votes)) throw new Error(`${file} holds no list of votes`)
    for (const vote of votes as ReadonlyArray<JsonRecord>) {
      const sides = key[String(vote.sheet)]
      if (!isRecord(sides)) throw new Error(`${file}: there is no sheet ${String(vote.sheet)}`)
      const choice = String(vote.choice)
      if (!["A", "B", "tie"].includes(choice))
        throw new Error(`${file}, ${String(vote.sheet)}: "${choice}" is none of A, B, tie`)
      const pair = [sides.A, sides.B].map(String).toSorted().join(" against ")
      const winner = choice === "tie" ? "tie" : String(sides[choice])
      const counted = (counts[pair] ??= {})
      counted[winner] = (counted[winner] ?? 0) + 1
    }
  }
  return counts
}
