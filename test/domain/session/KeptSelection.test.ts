import { assert, describe, it } from "@effect/vitest"
import { selectionText } from "../../../src/domain/session/KeptSelection.ts"

const kept = { toolName: "list_issues", noun: "issues", total: 2, selectedAt: 0 }

describe("selectionText", () => {
  it("names what is selected and where, with an item a line", () => {
    assert.strictEqual(
      selectionText({ ...kept, items: [{ id: 1, title: "One\ntwo" }, "three"] }),
      'The user has selected 2 issues in list_issues:\n- {"id":1,"title":"One\\ntwo"}\n- three'
    )
  })

  it("does not put one item into the plural, nor hide that some are left out", () => {
    assert.strictEqual(
      selectionText({ ...kept, items: [7], total: 1 }),
      "The user has selected 1 of the issues in list_issues:\n- 7"
    )
    assert.match(selectionText({ ...kept, items: [7], total: 900 }), /900 issues in list_issues \(the first 1 of them/)
  })

  it("says what all that are selected match", () => {
    const all = { ...kept, items: [7], total: 900 }
    assert.include(
      selectionText({ ...all, filter: { open: true } }),
      'all 900 issues that match {"open":true} in list_'
    )
    assert.include(selectionText({ ...all, filter: {} }), "all 900 issues in list_issues (the first 1 of them")
  })
})
