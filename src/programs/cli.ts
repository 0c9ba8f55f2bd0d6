import { readPlainArguments } from "../domain/settings/ConfigFlags.ts"
import { runMain } from "./commands/main.ts"
import { runServe } from "./commands/serve.ts"

const words = process.argv.slice(2)
const plain = readPlainArguments(words)

if (plain === undefined) {
  // A bundle of its own: together with this file it would double the time of every start.
  const { runFullCommandLine } = await import("./fullCommandLine.ts")
  runFullCommandLine(words)
} else {
  runMain(runServe(plain), { disableErrorReporting: true })
}
