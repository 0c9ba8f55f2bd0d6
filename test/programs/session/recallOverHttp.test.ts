import { assert, describe, it } from "@effect/vitest"
import { partial } from "../../fixtures/RawClient.ts"
import { overHttp, sdkHost } from "../../fixtures/sdkHosts.ts"
import { serveSessions } from "../../fixtures/wrapperSession.ts"
import { factsOf, type Json } from "../../fixtures/wrapperWithModel.ts"

const tool = "list_cities"
const args = { country: "FR" }
const values = { filter: "private" }

/** A page of the session, as its document makes it ask. */
const pageIn = async (host: ReturnType<typeof sdkHost>) => {
  const tools = factsOf(await host.read(tool)).wrapperTools as Json | undefined
  const about = { toolName: tool, token: tools?.token, version: "1" }
  return {
    tools,
    asks: (more: Json, by = host) => by.call("_ui_current", { ...about, ...more })
  }
}

describe("what is kept over HTTP", () => {
  it("is given to pages of its own session only", async () => {
    const { url } = await serveSessions(partial)
    const [mine, other] = [sdkHost(await overHttp("legacy", url)), sdkHost(await overHttp("legacy", url))]
    const [page, stranger] = [await pageIn(mine), await pageIn(other)]
    await mine.call(tool, args)
    await page.asks({ view: { args, values } })
    const question = { shows: { args }, view: { args } }

    const own = JSON.stringify(await page.asks(question))
    assert.include(own, "Nice 1")
    assert.include(own, "private")
    // With a page of its own, with the token of the other's page, and with its page in the other's session.
    for (const answer of [
      await stranger.asks(question),
      await page.asks(question, other),
      await stranger.asks(question, mine)
    ]) {
      assert.notInclude(JSON.stringify(answer), "Nice 1")
      assert.notInclude(JSON.stringify(answer), "private")
    }
    // Nor can it change anything there.
    await page.asks({ view: { args, values: { filter: "theirs" } } }, other)
    assert.include(JSON.stringify(await page.asks(question)), "private")
  })

  it("is nothing in the modern era, where no session tells one person from another", async () => {
    const { url } = await serveSessions(partial, { flags: ["--llm", "none"] })
    const host = sdkHost(await overHttp("modern", url))
    const page = await pageIn(host)
    assert.notProperty(page.tools, "keeps")
    assert.notProperty(page.tools, "current")
    await host.call(tool, args)
    const answer = await page.asks({ shows: { args }, view: { args, values } })
    assert.notInclude(JSON.stringify(answer), "Nice 1")
    assert.notInclude(JSON.stringify(await page.asks({ view: { args } })), "private")
  })

  it("is in no log, and in no answer to the model", async () => {
    const { url, wrapper } = await serveSessions(partial, { flags: ["--log-level", "debug"] })
    const host = sdkHost(await overHttp("legacy", url))
    const page = await pageIn(host)
    await host.call(tool, args)
    await page.asks({ shows: { args }, view: { args, values } })
    for (const name of ["_ui_list", "_ui_selection"]) {
      assert.notInclude(JSON.stringify(await host.call(name)), "private")
    }
    assert.notInclude(JSON.stringify(await host.call("_ui_inspect", { toolName: tool })), "private")
    assert.match(wrapper.log(), /forwarded/)
    assert.notInclude(wrapper.log(), "private")
    assert.notInclude(wrapper.log(), "Nice 1")
  })
})
