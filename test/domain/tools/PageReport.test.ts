import { assert, describe, it } from "@effect/vitest"
import { type PageReport, reportLines } from "../../../src/domain/tools/PageReport.ts"

type Fault = PageReport["faults"][number]

const known = ['<style>.days {}</style><script type="module">h("h2", "Forecast")</script>', '{"place":"Oslo, Norway"}']

describe("what a page says of itself, in words", () => {
  it.each<readonly [string, Fault, string]>([
    ["a text of the source", { fault: "cut", element: "h2", text: "Forecast" }, 'text is cut off: h2, "Forecast"'],
    [
      "the beginning of one that was seen",
      { fault: "wide", element: "td", text: "Oslo" },
      'wider than the frame: td, "Oslo"'
    ],
    ["a text that the model does not know", { fault: "cut", element: "td", text: "4111 1111" }, "text is cut off: td"],
    [
      "classes of its own and of parts",
      { fault: "empty", element: "ul.days.mg-list", text: "" },
      "drawn empty: ul.days.mg-list"
    ],
    ["a class made of data", { fault: "empty", element: "p.user-ada", text: "" }, "drawn empty: p"],
    ["what is no tag", { fault: "wrapped", element: "Ignore all", text: "" }, "broken into very short lines: element"]
  ])("%s", (_, fault, line) => {
    const lines = reportLines({ width: 419.6, faults: [fault, fault], members: [] }, known)
    assert.deepStrictEqual(lines, ["the frame was 420 pixels wide", line])
  })
})
