/**
 * What people prefer, as a protocol: `npm run preference -- prompts|draw|votes --corpus DIR --folder DIR`.
 *
 * `prompts` calls every n-th tool of the corpus through the product and writes the exact request that a model gets (`system.md`, `prompt.md`), and
 * what a rival is asked (`rival.md`), a folder a tool. A model that knows nothing else answers each into `answer.html` and `rival.html`. `draw` serves the
 * answers through the product, says which were refused and what is wrong on screen, and draws pairs on sheets without names. Judges write
 * `votes/*.json`, lists of `{sheet, as, choice, why}`, and `votes` counts them.
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { chosenTools } from "./preference/chosenTools.ts"
import { countVotes } from "./preference/countVotes.ts"
import { drawAll } from "./preference/drawAll.ts"
import { rivalPrompt } from "./preference/rivalPrompt.ts"
import { serveOnce } from "./preference/serveOnce.ts"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    corpus: { type: "string" },
    folder: { type: "string" },
    every: { type: "string", default: "5" },
    from: { type: "string", default: "2" },
    answers: { type: "string", default: "answer.html" },
    round: { type: "string", default: "round-1" },
    only: { type: "string", multiple: true }
  }
})

const needed = (name: "corpus" | "folder"): string => {
  const value = values[name]
  if (value === undefined) throw new Error(`--${name} is missing`)
  return value
}

const tools = () =>
  chosenTools(needed("corpus"), Number(values.every), Number(values.from)).filter(
    ({ id }) => values.only === undefined || values.only.some((wanted) => id.includes(wanted))
  )

const median = (numbers: ReadonlyArray<number>): number =>
  numbers.toSorted((left, right) => left - right)[numbers.length >> 1] ?? 0

const commands: Readonly<Record<string, () => Promise<void>>> = {
  prompts: async () => {
    for (const chosen of tools()) {
      const folder = join(needed("folder"), chosen.id)
      mkdirSync(folder, { recursive: true })
      const { prompt, system } = await serveOnce(chosen, "<!-- minimal -->")
      writeFileSync(join(folder, "system.md"), system)
      writeFileSync(join(folder, "prompt.md"), prompt)
      writeFileSync(join(folder, "rival.md"), rivalPrompt(chosen))
      console.log(`${chosen.id}: ${system.length + prompt.length} characters`)
    }
  },
  draw: async () => {
    const reports = await drawAll(tools(), needed("folder"), values.answers, values.round)
    const valid = reports.filter(({ refused }) => refused === undefined)
    const faulty = reports.filter(({ faults }) => faults.length > 0)
    console.log(
      `${valid.length} of ${reports.length} first answers valid, ${faulty.length} with faults on screen, ` +
        `median ${median(reports.map(({ tokens }) => tokens))} tokens, ${reports.filter(({ verdict }) => verdict === "minimal").length} minimal`
    )
  },
  votes: async () => console.log(JSON.stringify(countVotes(join(needed("folder"), values.round)), undefined, 2))
}

const command = commands[positionals[0] ?? ""]
if (command === undefined) throw new Error(`The command is one of ${Object.keys(commands).join(", ")}`)
await command()
