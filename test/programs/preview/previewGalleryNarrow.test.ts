import { assert, describe, it } from "@effect/vitest"
import { AREA_TIMEOUT, areas, faultsIn, openGallery } from "../../fixtures/preview/gallery.ts"

const narrow = openGallery()("?theme=dark&colours=host&width=320&direction=rtl", "dark")

/** The rules whose answer differs in a narrow dark frame. */
const NARROW_RULES = ["color-contrast", "scrollable-region-focusable"]

describe("the gallery in narrow frames", { timeout: AREA_TIMEOUT }, () => {
  it.each(areas)(
    "draws the area %s in narrow dark frames from right to left, with the host's colours",
    async (area) => {
      const { page, problems, show } = await narrow()
      await show(area)
      assert.deepStrictEqual(await faultsIn(page, { rules: NARROW_RULES }), [])
      assert.deepStrictEqual(problems, [])
    }
  )
})
