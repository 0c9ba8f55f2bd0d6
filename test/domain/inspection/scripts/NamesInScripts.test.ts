import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { inApp, inClassic, inShow, inspect, pages, pieces } from "../scriptFixtures.ts"

const problemsOf = (answer: string): ReadonlyArray<string> => {
  const inspection = inspect(answer)
  return inspection._tag === "Rejected" ? inspection.problems.map(({ rule, message }) => `${rule}: ${message}`) : []
}

const ordinary = [
  ...pieces("ordinary.txt").map(([habit, code]) => [habit, inApp(code)] as const),
  ...pieces("ordinary-parts.txt").map(([habit, code]) => [habit, inShow(code)] as const),
  ...pages
]
const hostile = pieces("hostile.txt")

describe("a habit of the web", () => {
  it("stands in the fixtures more than three hundred times", () => {
    assert.isAtLeast(ordinary.length, 300)
  })

  it.each(ordinary)("is taken: %s", (_habit, answer) => {
    const inspection = inspect(answer)
    if (inspection._tag === "Rejected") return assert.fail(problemsOf(answer).join("\n"))
    assert.deepStrictEqual(inspection.repairs, [])
  })
})

describe("code that hides what it names", () => {
  it("stands in the fixtures more than four hundred times, with what only the running page stops", () => {
    assert.isAtLeast(hostile.length, 230)
    assert.isAtLeast(hostile.length + pieces("guarded.txt").length, 440)
  })

  it.each(hostile)("is refused: %s", (_way, code) => {
    const answer = code.startsWith("with ") ? inClassic(code) : inApp(code)
    const problems = problemsOf(answer)
    assert.isNotEmpty(problems)
    // A payload that does not parse proves nothing.
    assert.notMatch(problems.join(), /script-syntax|not-html|no-connect/u)
  })
})

describe("examples that people are shown", () => {
  const shown = ["docs/parts.md", "docs/generation.md", "prompts/partials/parts.md"].flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/<script type="module">[^]*?<\/script>/gu)].map(
      ([script]) => [file, script] as const
    )
  )
  it.each(shown)("are taken: %s", (_file, script) => {
    assert.deepStrictEqual(problemsOf(`<!-- rich -->\n${script}`), [])
  })

  it("are taken as they are where a model sees them", () => {
    const examples = readFileSync("prompts/partials/parts.md", "utf8").matchAll(/^```html\n([^]*?)^```/gmu)
    for (const [, example = ""] of examples) {
      const inspection = inspect(`<!-- rich -->\n${example.replace("<!-- rich -->\n", "")}`)
      assert.deepInclude(inspection, { _tag: "Accepted", repairs: [], warnings: [] })
    }
  })
})
