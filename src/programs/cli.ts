import { readPlainArguments } from "../domain/settings/ConfigFlags.ts"
import { runMain } from "./commands/main.ts"
import { runServe } from "./commands/serve.ts"

const words = process.argv.slice(2)
const plain = readPlainArguments(words)

if (plain === undefined) {
  // A bundle of its own: in one with this file it would double the time that every start of a server takes.
  const { runFullCommandLine } = await import("./fullCommandLine.ts")
  runFullCommandLine(words)
} else {
  runMain(runServe(plain), { disableErrorReporting: true })
}
