import { assert, describe, it } from "@effect/vitest"
import { fileIn, testFolder } from "../../fixtures/folders.ts"
import { type Json, startWithModel } from "../../fixtures/wrapperWithModel.ts"

const declared = {
  csp: { connectDomains: ["https://api.example.com"], resourceDomains: ["https://tiles.example.com"] },
  permissions: ["geolocation"],
  prefersBorder: false,
  displayModes: ["inline", "pip"],
  title: "Map of the weather"
}

describe("what the file beside a UI made by hand declares", () => {
  it("is on the resource, in the document's policy and in _ui_inspect; nothing else is open", async () => {
    const uiDirectory = testFolder()
    fileIn(uiDirectory, "get_forecast.html", "<h1 style='color: var(--color-text-primary)'>Map</h1>")
    fileIn(uiDirectory, "get_forecast.json", declared)
    fileIn(uiDirectory, "get_current_weather.html", "<h1>Places</h1>")
    const { client, inspect, list } = await startWithModel({ answer: "", config: { generation: { uiDirectory } } })
    const read = async (tool: string): Promise<Json> => {
      const { result } = (await client.request("resources/read", { uri: `ui://${tool}` })).message
      return (result as { readonly contents: ReadonlyArray<Json> }).contents[0] ?? {}
    }
    const map = await read("get_forecast")
    assert.deepStrictEqual(map._meta, {
      ui: { csp: declared.csp, permissions: { geolocation: {} }, prefersBorder: false }
    })
    const html = String(map.text)
    assert.match(html, /connect-src https:\/\/api\.example\.com;/)
    assert.match(html, /img-src 'self' data: blob: https:\/\/tiles\.example\.com;/)
    assert.match(html, /script-src 'unsafe-inline' https:\/\/tiles\.example\.com;/)
    assert.include(html, "<title>Map of the weather</title>")
    assert.include(html, ":where(:root){--color-text-primary:")
    assert.include(html, `"displayModes":["inline","pip"]`)
    assert.deepStrictEqual((await inspect("get_forecast")).declared, declared)
    assert.include(
      (await list("resources")).map(({ title }) => title),
      declared.title
    )

    const places = await read("get_current_weather")
    assert.deepStrictEqual(places._meta, {
      ui: { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true }
    })
    assert.notInclude(String(places.text), "connect-src")
    assert.strictEqual((await inspect("get_current_weather")).declared, null)
  })
})
