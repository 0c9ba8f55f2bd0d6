import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { dataShown } from "../../../evaluation/eval/dataShown.ts"
import { type Stage, type Stages, startStages } from "../../../evaluation/eval/Stage.ts"
import {
  finishedServers,
  READ_SCREEN,
  finishedUisOf,
  servedDocument,
  withoutVerdict
} from "../../fixtures/finishedUis.ts"

/** What a page leaves to the raw JSON on purpose, or words in another way: by server and tool, where it stands in the result. */
const LEFT_OUT: Readonly<Record<string, RegExp>> = {
  "calc/cron_parse": /\/nextOccurrences\//,
  "dex/list_tasks": /\/(?:created|updated)_at:/,
  "howtocook/mcp_howtocook_getRecipeById": /\/(?:id|name):/,
  "howtocook/mcp_howtocook_whatToEat": /\/(?:id|name):/,
  "mcp-sqlite/create_record": /\/message:/,
  "mcp-sqlite/get_table_schema": /\/(?:pk|cid):/,
  "mcp-sqlite/query": /\/(?:avg|ordered_at):/,
  "n8n/validate_workflow": /\/suggestions\//,
  "sqlite-manager/describe_table": /\/(?:pk|cid):/,
  "sqlite-manager/read_query": /\/date:/,
  "tailwindcss/get_tailwind_utilities": /\/type:/,
  "task-master/get_task": /\/version\/name:/,
  "task-master/get_tasks": /\/(?:updatedAt|parentId|completionPercentage|name):/,
  "task-master/set_task_status": /\/version\/name:/
}

const MOST_CHARACTERS = 6000

let stages: Stages
let stage: Stage

beforeAll(async () => {
  stages = await startStages()
  stage = await stages.open()
})
afterAll(() => stages.close())

const uis = finishedServers.flatMap(finishedUisOf).map((ui) => [`${ui.server}/${ui.tool.name}`, ui] as const)

describe("a finished UI", () => {
  it.each(uis)("%s passes the inspection, and shows what was recorded", async (name, ui) => {
    assert.isAtMost(ui.source.length, MOST_CHARACTERS)
    const { html, verdict } = await servedDocument(ui)
    assert.deepInclude(verdict, { _tag: "Accepted", uiType: "rich", repairs: [], source: withoutVerdict(ui.source) })
    assert.isAbove(ui.calls.length, 0)
    for (const [index, call] of ui.calls.entries()) {
      const narrow = index % 2 === 1
      await stage.show({ html, toolName: ui.tool.name, theme: narrow ? "dark" : "light", width: narrow ? 320 : 760 })
      await stage.sendInput(JSON.stringify(call.arguments))
      await stage.sendResult(JSON.stringify(call.result))
      assert.isTrue(await stage.settled())
      const { alerts, hasContent, overflow } = await stage.resultState()
      assert.deepStrictEqual({ alerts, hasContent, overflow }, { alerts: [], hasContent: true, overflow: 0 })
      const shown = await stage.readEverything()
      const text = `${shown.text}\n${await stage.frame.evaluate<string>(READ_SCREEN)}`
      const { unseen } = dataShown(call.result, { ...shown, text })
      const isLost = (leaf: string) => LEFT_OUT[name]?.test(leaf) !== true
      assert.deepStrictEqual(unseen.filter(isLost), [], `call ${index}`)
      assert.deepStrictEqual(await stage.faults(), { errors: [], violations: [] })
      if (index === 0) assert.deepStrictEqual(await stage.axe(), [])
    }
  })
})
