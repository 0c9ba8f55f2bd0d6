import { assert, describe, it } from "@effect/vitest"
import { fixtureServer } from "../../fixtures/RawClient.ts"
import { pageTitled, startWithModel } from "../../fixtures/wrapperWithModel.ts"

describe("results that are learned from", () => {
  it("keep nobody waiting, whatever is in them", async () => {
    const wrapper = await startWithModel({
      answer: () => ({ text: pageTitled("Said") }),
      server: [process.execPath, fixtureServer("texts.mjs")]
    })
    const { call, client } = wrapper
    await client.request("tools/list")
    // Text as pages made on a server have it: 500 bytes of it stopped the process for longer than anybody waits.
    for (const [text, times] of [
      ["<!--[-->", 60],
      ["<!--[-->", 10_000],
      ["`", 100_000],
      ["curl -u-u", 50_000],
      ["a.b-", 120_000],
      ["-eyJ", 120_000],
      ["\r", 400_000],
      ['{"name":"', 50_000],
      ["[", 400_000],
      ["1,", 200_000]
    ] as const) {
      await call("say", { text, times })
      await client.request("ping")
      // The prompt of a UI tells what was learned: then it was looked at.
      await call("_ui_inspect", { toolName: "say" })
      await client.request("ping")
    }
    assert.strictEqual((await wrapper.ask("_ui_regenerate", { toolName: "say" })).level, 0)
  })
})
