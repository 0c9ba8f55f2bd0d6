import { assert, describe, it } from "@effect/vitest"
import { DEFAULT_CSP } from "../harness/defaultCsp.ts"
import { openView, type View, viewDocument } from "../harness/index.ts"

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
const SVG = btoa('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')

const open = async (blocks: ReadonlyArray<readonly [mimeType: string, data: string]>): Promise<View> =>
  openView({
    html: await viewDocument({ tool: { name: "take_photo", title: "Camera", inputSchema: { type: "object" } } }),
    csp: DEFAULT_CSP.replace("img-src 'self' data:", "img-src 'none'"),
    toolInput: {},
    toolResult: { content: blocks.map(([mimeType, data]) => ({ type: "image", mimeType, data })) }
  })

describe("pictures in a host that blocks them", () => {
  it("are drawn in another way, with the same name and size", async () => {
    const view = await open([["image/png", PNG]])
    const picture = view.frame.getByRole("img", { name: "Picture 1 from Camera" })
    await picture.waitFor()
    const drawn = `(({ localName, width, height }) => [localName, width, height])(document.querySelector(".mg-image"))`
    assert.deepStrictEqual(await view.frame.evaluate(drawn), ["canvas", 1, 1])
    const pixel = `[...document.querySelector("canvas").getContext("2d").getImageData(0, 0, 1, 1).data]`
    assert.deepStrictEqual(await view.frame.evaluate(pixel), [0, 255, 0, 127])
    assert.deepStrictEqual(await view.axe(), [])
  })

  it.each([
    ["damaged", "image/png", "AAAA"],
    ["SVG", "image/svg+xml", SVG]
  ])("are named where that does not work either: %s", async (_, mimeType, data) => {
    const view = await open([[mimeType, data]])
    await view.frame.getByText("Picture 1 from Camera — this host does not show it, or it is damaged.").waitFor()
    assert.strictEqual(await view.frame.locator("canvas").count(), 0)
  })
})
