import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { fileURLToPath } from "node:url"
import { startWindows, type Windows } from "../../evaluation/hosts/HostWindow.ts"
import { PROFILES } from "../../evaluation/hosts/profiles.ts"
import { type Cell, type Check, runHost } from "../../evaluation/hosts/runHost.ts"
import { spreadTools } from "../../evaluation/hosts/spreadTools.ts"
import { chosenTools } from "../../evaluation/preference/chosenTools.ts"

const corpus = fileURLToPath(new URL("../fixtures/hosts", import.meta.url))
const tools = spreadTools(chosenTools(corpus, { every: 1, from: 0 }), 3)

/** What is looked at in which host, in the test run; `npm run hosts` looks at everything in all of them. */
const LOOKED_AT: Readonly<Record<string, ReadonlyArray<Check>>> = {
  plain: ["shown", "controls", "kept"],
  "strips structuredContent": ["shown", "controls"],
  "reshapes images": ["shown", "controls"],
  "cuts long texts": ["shown", "controls"],
  "announces nothing": ["shown"],
  "empties results on reopen": ["shown"],
  "new origin for every frame": ["shown", "kept"],
  "no server tools": ["shown", "controls", "kept"],
  "shows and no more": ["shown", "controls", "kept"],
  "no storage": ["shown", "controls", "kept"],
  "strictest policy": ["shown", "controls"],
  "prefetches all UIs": ["shown"],
  "wraps listeners": ["shown", "controls"],
  slow: ["shown"],
  "modern era only": ["shown", "controls"],
  "no tool input": ["shown"]
}

describe("a view in an emulated host shows everything, and its controls work", () => {
  let windows: Windows
  beforeAll(async () => {
    windows = await startWindows()
  })
  afterAll(() => windows.close())

  const profiles = PROFILES.filter(({ name }) => LOOKED_AT[name] !== undefined)
  it.each(profiles.map((profile) => [profile.name, profile] as const))("%s", async (name, profile) => {
    const cells: Array<Cell> = []
    const onCell = (cell: Cell): void => void cells.push(cell)
    await runHost(windows, { profile, tools, checks: LOOKED_AT[name] ?? [], page: "built-in", onCell })
    assert.lengthOf(cells, 3)
    for (const { faults, tool } of cells) assert.deepStrictEqual(faults, { shown: [], controls: [], kept: [] }, tool)
  })

  it("fails in all its cells in a host that does not start", async () => {
    const odd = tools.map((chosen) => {
      const { tool } = chosen
      return Object.assign({}, chosen, { tool: { ...tool, definition: { ...tool.definition, title: 5 } } })
    })
    const profile = PROFILES.find(({ era }) => era === "modern") ?? assert.fail("no such host")
    const cells: Array<Cell> = []
    const onCell = (cell: Cell): void => void cells.push(cell)
    await runHost(windows, { profile, tools: odd, checks: ["shown"], page: "built-in", onCell })
    assert.lengthOf(cells, 3)
    for (const { faults } of cells) assert.match(faults.shown.join(), /Invalid result for tools\/list/)
  })
})
