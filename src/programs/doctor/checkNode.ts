import { Effect } from "effect"
import { execFile } from "node:child_process"
import { PackageFiles } from "../../services/documents/PackageFiles.ts"
import { findingsOf } from "./Finding.ts"

const PATIENCE_MS = 5000

/** The version of the Node that hosts find when they start `npx` or `node`. */
const nodeOnPath = Effect.callback<string | undefined>((resume) => {
  execFile("node", ["--version"], { timeout: PATIENCE_MS }, (error, stdout) => {
    resume(Effect.succeed(error === null ? stdout.trim() : undefined))
  })
})

const isOlder = (version: string, than: string): boolean =>
  version.replace(/^v/, "").localeCompare(than, "en", { numeric: true }) < 0

const INSTALL = "install a newer Node (nodejs.org), and give hosts its full path in place of node or npx"

/** This Node, and the one on PATH. */
export const checkNode = Effect.gen(function* () {
  const { fail, ok, warn } = findingsOf("node")
  const { text } = yield* PackageFiles
  const needed = /"node":\s*">=([\d.]+)"/.exec(yield* Effect.orDie(text("package.json")))?.[1] ?? ""
  const own = process.version
  const found = isOlder(own, needed) ? fail(`this is Node ${own}; ${needed} is needed`, INSTALL) : ok(`Node ${own}`)
  const other = yield* nodeOnPath
  if (other === undefined) {
    return [found, warn("there is no node on PATH, so hosts find none either", "give hosts its full path")]
  }
  return isOlder(other, needed)
    ? [found, warn(`the node on PATH is ${other}; ${needed} is needed, and hosts start that one`, INSTALL)]
    : [found]
})
