import { assert, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { countVotes } from "../../evaluation/preference/countVotes.ts"
import type { Key } from "../../evaluation/preference/drawRound.ts"
import type { SideReport } from "../../evaluation/preference/drawSide.ts"
import { cleanEnvironment } from "../../evaluation/support/paths.ts"
import { fileIn, testFolder } from "../fixtures/folders.ts"
import { startModelStandIn } from "../fixtures/model-stand-in/ModelStandIn.ts"

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const program = pathOf("../../evaluation/preference.ts")
const fixtures = pathOf("../fixtures/preference")

const LIST = "01-errands-list_errands"
const ADD = "02-errands-add_errand"

interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs a command on the two tools of the fixtures, with no model but one that is told. */
const run = (words: ReadonlyArray<string>, environment: Readonly<Record<string, string>> = {}): Promise<Ran> =>
  new Promise((resolve) => {
    const args = [program, ...words, "--corpus", join(fixtures, "corpus"), "--every", "1", "--from", "0"]
    execFile(process.execPath, args, { env: { ...cleanEnvironment(), ...environment } }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err })
    )
  })

const readJson = (...path: ReadonlyArray<string>): unknown => JSON.parse(readFileSync(join(...path), "utf8"))

const pngSize = (...path: ReadonlyArray<string>): readonly [width: number, height: number] => {
  const bytes = readFileSync(join(...path))
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
}

const answered = (): string => {
  const folder = testFolder()
  cpSync(join(fixtures, "answers"), folder, { recursive: true })
  return folder
}

describe("prompts", () => {
  it("are those of the product after a real call, and one for a whole page", async () => {
    const folder = testFolder()
    assert.strictEqual((await run(["prompts", "--folder", folder])).err, "")
    assert.deepEqual(readdirSync(folder).toSorted(), [LIST, ADD])
    const text = (name: string) => readFileSync(join(folder, LIST, name), "utf8")
    assert.include(text("system.md"), "<!-- rich -->")
    // The call with the larger result.
    for (const name of ["prompt.md", "rival.md"]) assert.include(text(name), "Return the library books")
    assert.include(text("rival.md"), "window.toolResult")
  })
})

describe("answer", () => {
  const unanswered = (): string => {
    const folder = testFolder()
    for (const id of [LIST, ADD]) {
      mkdirSync(join(folder, id))
      for (const name of ["system.md", "prompt.md", "rival.md"]) fileIn(join(folder, id), name, `${id} ${name}`)
    }
    return folder
  }

  it("says what to do where no model is named", async () => {
    const { code, err } = await run(["answer", "--folder", unanswered()])
    assert.strictEqual(code, 2)
    assert.include(err, "set ANTHROPIC_API_KEY, OPENAI_API_KEY or OLLAMA_HOST")
  })

  it("asks once for ours and for the rival, and leaves an answer that is there", async () => {
    const folder = unanswered()
    fileIn(join(folder, ADD), "answer.html", "mine")
    const model = await startModelStandIn({ answer: ({ prompt, system }) => ({ text: `${system} | ${prompt}` }) })
    try {
      const environment = { ANTHROPIC_API_KEY: "key", ANTHROPIC_BASE_URL: model.url }
      assert.strictEqual((await run(["answer", "--folder", folder], environment)).err, "")
    } finally {
      await model.close()
    }
    assert.lengthOf(model.requests, 3)
    const text = (id: string, name: string) => readFileSync(join(folder, id, name), "utf8")
    assert.strictEqual(text(LIST, "answer.html"), `${LIST} system.md | ${LIST} prompt.md`)
    assert.include(text(LIST, "rival.html"), `${LIST} rival.md`)
    assert.strictEqual(text(ADD, "answer.html"), "mine")
  })
})

describe("secondDraft", () => {
  it("writes what the model is asked for it, after the page of the first draft was open, and tells what became of it", async () => {
    const folder = answered()
    const file = (name: string): string => join(folder, LIST, name)
    const only = ["secondDraft", "--folder", folder, "--only", "list"]
    assert.include((await run(only)).out, `${LIST}: asked`)
    const prompt = readFileSync(file("secondDraft.md"), "utf8")
    assert.include(prompt, "the frame was 760 pixels wide")
    assert.match(prompt, /members of the result that the page in use shows \w+ -----\n.*title/)
    for (const [answer, state] of [
      ["second.html", "made"],
      ["rival.html", "dropped"]
    ] as const) {
      cpSync(file(answer), file("secondDraft.html"))
      assert.include((await run(only)).out, `${LIST}: ${state}`)
    }
  })
})

describe("draw", () => {
  it("says what is wrong with each side, and puts pairs on sheets that do not tell which is which", async () => {
    const folder = answered()
    const { err, out } = await run(["draw", "--folder", folder, "--round", "first"])
    assert.strictEqual(err, "")
    assert.include(out, "ours: 1 of 2 served, 0 with errors, 0 against the policy, 2 miss something")
    assert.include(out, "rival: 2 of 2 served, 1 with errors, 1 against the policy")

    const round = join(folder, "first")
    const reports = readJson(round, "report.json") as ReadonlyArray<SideReport>
    const reportOf = (id: string, side: string) => reports.find((report) => report.id === id && report.side === side)
    assert.lengthOf(reports, 6)
    const ours = reportOf(LIST, "ours")
    assert.isUndefined(ours?.refused)
    assert.isAbove(ours?.tokens ?? 0, 40)
    assert.isBelow(ours?.tokens ?? 0, 80)
    // It has no column for places: they are in the raw JSON only.
    assert.include(ours?.missing ?? [], "/structuredContent/errands/1/place: Bakery")
    assert.include(reportOf(ADD, "ours")?.refused, "fetch")
    assert.include(reportOf(ADD, "rival")?.errors ?? [], "the rival is broken")
    assert.match(reportOf(ADD, "rival")?.violations.join() ?? "", /img-src/)

    const key = readJson(round, "key.json") as Key
    assert.deepEqual(Object.keys(key).toSorted(), readdirSync(join(round, "sheets")).toSorted())
    assert.lengthOf(Object.keys(key), 4)
    for (const name of Object.keys(key)) assert.match(name, /^[0-9a-z]{5,7}\.png$/)
    for (const [look, width] of Object.entries({ "760-light": 776, "360-dark": 376 })) {
      for (const side of ["ours", "builtin", "rival"]) {
        assert.strictEqual(pngSize(round, LIST, `${side}-${look}.png`)[0], width)
      }
    }
  })

  it("compares with another round, without drawing that again", async () => {
    const folder = answered()
    const only = ["draw", "--folder", folder, "--only", "list"]
    await run([...only, "--round", "first", "--pairs", "ours"])
    assert.lengthOf(readdirSync(join(folder, "first", "sheets")), 0)
    const { err } = await run([...only, "--round", "second", "--answers", "second.html", "--pairs", "ours:first/ours"])
    assert.strictEqual(err, "")
    const [sheet] = Object.values(readJson(folder, "second", "key.json") as Key)
    assert.sameMembers([sheet?.A, sheet?.B], ["ours", "first/ours"])
    assert.isFalse(existsSync(join(folder, "second", LIST, "rival-760-light.png")))
  })

  it.each([["ours:theirs"], ["ours:builtin:rival"], [""]])("refuses the pairs %j", async (pairs) => {
    const { code, err } = await run(["draw", "--folder", testFolder(), "--pairs", pairs])
    assert.strictEqual(code, 2)
    assert.include(err, "--pairs")
  })
})

describe("votes", () => {
  const key: Key = {
    "a.png": { id: LIST, A: "ours", B: "rival" },
    "b.png": { id: ADD, A: "rival", B: "ours" }
  }

  const roundWith = (files: Readonly<Record<string, unknown>>): string => {
    const round = testFolder()
    fileIn(round, "key.json", key)
    mkdirSync(join(round, "votes"))
    for (const [name, votes] of Object.entries(files)) fileIn(join(round, "votes"), name, votes)
    return round
  }

  it("are counted by pair and by kind of judge, ties apart", async () => {
    const round = roundWith({
      "one.json": [
        { sheet: "a.png", as: "designer", choice: "A", why: "large" },
        { sheet: "b.png", as: "designer", choice: "B", why: "quiet" }
      ],
      "two.json": [
        { sheet: "a.png", as: "developer", choice: "tie", why: "same" },
        { sheet: "b.png", as: "developer", choice: "A", why: "quick" }
      ]
    })
    const { out } = await run(["votes", "--folder", join(round, ".."), "--round", round.split(/[\\/]/).at(-1) ?? ""])
    assert.deepEqual(out.trim().split("\n"), [
      "ours against rival: 2 to 1, 1 tie (62.5% for the first)",
      "  as designer: 2 to 0, 0 ties (100.0% for the first)",
      "  as developer: 0 to 1, 1 tie (25.0% for the first)"
    ])
  })

  const vote = { sheet: "a.png", as: "designer", choice: "A" }
  it.each([
    ["a sheet that is not there", [{ ...vote, sheet: "c.png" }], "votes/one.json, vote 1: there is no sheet c.png"],
    ["no kind of judge", [{ ...vote, as: "" }], 'votes/one.json, vote 1: "as"'],
    ["a choice that is none", [vote, { ...vote, choice: "C" }], 'votes/one.json, vote 2: "C" is none of A, B, tie'],
    ["a second vote", [vote, vote], "votes/one.json, vote 2: a second vote as designer on a.png"],
    ["a sheet left out", [vote], "no vote as designer on b.png"],
    ["no list", vote, "votes/one.json holds no list"]
  ])("are refused for %s", (_, votes, message) => {
    assert.throws(() => countVotes(roundWith({ "one.json": votes })), message)
  })
})

describe("faults", () => {
  it("are looked for in rooms with the call and both pictures, and counted", async () => {
    const folder = testFolder()
    for (const id of [LIST, ADD]) {
      mkdirSync(join(folder, "first", id), { recursive: true })
      for (const look of ["760-light", "360-dark"]) writeFileSync(join(folder, "first", id, `ours-${look}.png`), look)
    }
    const faults = () => run(["faults", "--folder", folder, "--round", "first", "--rooms", "2"])
    assert.include((await faults()).out, "0 of 0 pages are fine")
    const [one, other] = [join(folder, "first", "faults", "1"), join(folder, "first", "faults", "2")]
    assert.deepEqual(readdirSync(one).toSorted(), [LIST, "README.md"])
    assert.deepEqual(readdirSync(other).toSorted(), [ADD, "README.md"])
    assert.strictEqual(readFileSync(join(one, LIST, "wide.png"), "utf8"), "760-light")
    assert.strictEqual(readFileSync(join(one, LIST, "narrow.png"), "utf8"), "360-dark")
    assert.include(readFileSync(join(one, LIST, "call.json"), "utf8"), "Return the library books")

    writeFileSync(join(one, "verdicts.json"), JSON.stringify([{ id: LIST, verdict: "fault", why: "No places." }]))
    writeFileSync(join(other, "verdicts.json"), JSON.stringify([{ id: ADD, verdict: "fine" }]))
    assert.strictEqual((await faults()).out.trim(), `${LIST}: No places.\n1 of 2 pages are fine`)
    writeFileSync(join(other, "verdicts.json"), JSON.stringify([{ id: LIST, verdict: "fine" }]))
    const { code, err } = await faults()
    assert.strictEqual(code, 2)
    assert.match(err, /verdicts\.json, verdict 1: wanted/)
  })
})
