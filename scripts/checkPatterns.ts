/**
 * Every regular expression in `src` takes time in proportion to the text, whoever wrote that: foreign text cannot stop the
 * process, nor the page.
 */
import { globSync, readFileSync } from "node:fs"
import { patternsIn } from "./patterns/patternsIn.ts"
import { slowText } from "./patterns/slowText.ts"

/** `file: the pattern as it is written`, and why it may stay. */
const ALLOWED: ReadonlyMap<string, string> = new Map([
  [
    "src/domain/forms/SchemaValidation.ts: new RegExp(pattern, flags)",
    "Patterns of servers' schemas: reachOf bounds the texts that they meet."
  ]
])

/** With nothing that a terminal would not show. */
const quoted = (text: string): string =>
  JSON.stringify(text).replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

const unused = new Set(ALLOWED.keys())
const problems: Array<string> = []
const known = new Map<string, ReturnType<typeof slowText>>()
for (const file of globSync("src/**/*.ts").sort()) {
  for (const { code, flags, line, source } of patternsIn(readFileSync(file, "utf8"))) {
    const key = `${flags}/${source}`
    if (source !== undefined && !known.has(key)) known.set(key, slowText(source, flags))
    const slow = known.get(key)
    if (source !== undefined && slow === undefined) continue
    const name = `${file.replaceAll("\\", "/")}: ${code}`
    if (ALLOWED.has(name)) unused.delete(name)
    else if (slow === undefined) problems.push(`${file}:${line}: ${code} has no constant text`)
    else {
      const [head, repeated, end] = slow.map(quoted)
      problems.push(`${file}:${line}: ${code} is slow on ${head} + ${repeated}.repeat(n) + ${end}`)
    }
  }
}
for (const name of unused) problems.push(`${name} is allowed, but needs it no more`)
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1
