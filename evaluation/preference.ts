/**
 * What people prefer, judged blind: `npm run preference -- prompts|answer|secondDraft|draw|votes|faults`. docs/evaluation.md
 * says how a round is run.
 *
 * Exit code 2: the command line, the corpus or a vote is not right.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { startStages } from "./eval/Stage.ts"
import { chosenTools } from "./preference/chosenTools.ts"
import { countVotes, votesText } from "./preference/countVotes.ts"
import { drawRound, type Round } from "./preference/drawRound.ts"
import { SIDES } from "./preference/drawSide.ts"
import { openModel } from "./preference/openModel.ts"
import { faultsText, writeFaultRooms } from "./preference/faultRooms.ts"
import { rivalPrompt } from "./preference/rivalPrompt.ts"
import { secondDraftOf } from "./preference/secondDraftOf.ts"
import { serveOnce } from "./preference/serveOnce.ts"
import { summaryOf } from "./preference/summaryOf.ts"

const USAGE = `npm run preference -- prompts|answer|secondDraft|draw --corpus FOLDER --folder FOLDER [--every N] [--from N] [--only PART]
  draw also takes [--round NAME] [--answers FILE] [--pairs ours:rival,ours:builtin]
npm run preference -- votes --folder FOLDER [--round NAME]
npm run preference -- faults --corpus FOLDER --folder FOLDER [--every N] [--from N] [--only PART] [--round NAME] [--rooms N]`

const options = {
  corpus: { type: "string" },
  folder: { type: "string" },
  every: { type: "string", default: "5" },
  from: { type: "string", default: "2" },
  only: { type: "string", multiple: true },
  round: { type: "string", default: "round-1" },
  answers: { type: "string", default: "answer.html" },
  pairs: { type: "string", default: "ours:rival,ours:builtin" },
  rooms: { type: "string", default: "3" }
} as const

const { positionals, values } = parseArgs({ allowPositionals: true, options })

const needed = (name: "corpus" | "folder"): string => {
  const value = values[name]
  if (value === undefined) throw new Error(`--${name} is missing\n${USAGE}`)
  return value
}

const tools = () =>
  chosenTools(needed("corpus"), { every: Number(values.every), from: Number(values.from), only: values.only })

/** `round/side` is a picture that another round has. */
const isKnown = (side: string): boolean => side.includes("/") || SIDES.some((name) => name === side)

const pairsIn = (text: string): Round["pairs"] =>
  text.split(",").map((pair) => {
    const [one = "", other, ...more] = pair.split(":")
    if (more.length > 0 || !isKnown(one) || !isKnown(other ?? one))
      throw new Error(`--pairs: "${pair}" is none of ${SIDES.join(", ")}, round/side, nor two of them with a colon`)
    return other === undefined ? [one] : [one, other]
  })

const commands: Readonly<Record<string, () => Promise<void>>> = {
  prompts: async () => {
    for (const chosen of tools()) {
      const folder = join(needed("folder"), chosen.id)
      mkdirSync(folder, { recursive: true })
      const { prompt, system } = await serveOnce(chosen, "<!-- minimal -->")
      writeFileSync(join(folder, "system.md"), system)
      writeFileSync(join(folder, "prompt.md"), prompt)
      writeFileSync(join(folder, "rival.md"), rivalPrompt(chosen))
      console.log(chosen.id)
    }
  },
  answer: async () => {
    const ask = await openModel()
    for (const { id } of tools()) {
      const file = (name: string): string => join(needed("folder"), id, name)
      const text = (name: string): string => readFileSync(file(name), "utf8")
      const questions = {
        "answer.html": () => ({ system: text("system.md"), prompt: text("prompt.md") }),
        "secondDraft.html": () => ({ system: text("system.md"), prompt: text("secondDraft.md") }),
        "rival.html": () => ({ system: "You write web pages.", prompt: text("rival.md") })
      }
      for (const [name, question] of Object.entries(questions)) {
        // The first answer counts; a second draft needs a page of the first one.
        if (existsSync(file(name)) || (name === "secondDraft.html" && !existsSync(file("secondDraft.md")))) continue
        writeFileSync(file(name), await ask(question()))
        console.log(`${id}/${name}`)
      }
    }
  },
  secondDraft: async () => {
    const stages = await startStages()
    try {
      const stage = await stages.open()
      for (const chosen of tools()) {
        const folder = join(needed("folder"), chosen.id)
        const [answer, second] = ["answer.html", "secondDraft.html"].map((name) => {
          const path = join(folder, name)
          return existsSync(path) ? readFileSync(path, "utf8") : undefined
        })
        if (answer === undefined) continue
        const { prompt, state } = await secondDraftOf(stage, chosen, answer, second)
        if (prompt !== undefined) writeFileSync(join(folder, "secondDraft.md"), prompt)
        console.log(`${chosen.id}: ${state}`)
      }
    } finally {
      await stages.close()
    }
  },
  draw: async () => {
    const round = {
      folder: needed("folder"),
      name: values.round,
      answers: values.answers,
      pairs: pairsIn(values.pairs)
    }
    const reports = await drawRound(tools(), round, (report) => console.log(JSON.stringify(report)))
    console.log(summaryOf(reports))
  },
  votes: async () => console.log(votesText(countVotes(join(needed("folder"), values.round)))),
  faults: async () =>
    console.log(faultsText(writeFaultRooms(tools(), needed("folder"), values.round, Math.max(1, Number(values.rooms)))))
}

const command = commands[positionals[0] ?? ""]
try {
  if (command === undefined) throw new Error(USAGE)
  await command()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 2
}
