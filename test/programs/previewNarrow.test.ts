import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { afterAll } from "vitest"
import type { PreviewOptions } from "../../src/programs/preview/runPreview.ts"
import { closeChromium, launchChromium } from "../browser/harness/index.ts"
import { openPreview } from "../fixtures/preview/openPreview.ts"

afterAll(closeChromium)

const WIDTH = 320

const openPage = Effect.fn(function* (options: Partial<PreviewOptions>, state: string) {
  const { url } = yield* openPreview(options)
  const context = yield* Effect.acquireRelease(
    Effect.promise(async () => (await launchChromium()).newContext({ viewport: { width: WIDTH, height: 700 } })),
    (context) => Effect.promise(() => context.close())
  )
  const page = yield* Effect.promise(() => context.newPage())
  yield* Effect.promise(async () => {
    await page.goto(url)
    await page.locator(`#status[data-state=${state}]`).waitFor()
  })
  return page
})

/** What of these is cut off at a side of the window, or lies on another one. */
const collisions = async (page: Page, selector: string): Promise<ReadonlyArray<string>> => {
  const nodes = await page.locator(selector).filter({ visible: true }).all()
  const boxes = await Promise.all(
    nodes.map(async (node) => {
      const { height, width, x, y } = (await node.boundingBox()) ?? { height: 0, width: 0, x: 0, y: 0 }
      return { name: (await node.textContent())?.trim() ?? "", left: x, right: x + width, top: y, bottom: y + height }
    })
  )
  const cut = boxes.filter(({ left, right }) => left < 0 || right > WIDTH).map(({ name }) => `${name} is cut off`)
  const covered = boxes.flatMap((one, at) =>
    boxes
      .slice(at + 1)
      .filter(
        ({ bottom, left, right, top }) =>
          left < one.right - 1 && right > one.left + 1 && top < one.bottom - 1 && bottom > one.top + 1
      )
      .map(({ name }) => `${name} lies on ${one.name}`)
  )
  assert.isAbove(boxes.length, 10)
  return [...cut, ...covered]
}

describe("the preview in a narrow window", () => {
  it.effect("has all of its controls beside each other, and room for the address of a view", () =>
    Effect.gen(function* () {
      const page = yield* openPage({}, "connected")
      yield* Effect.promise(async () => {
        assert.deepStrictEqual(
          await collisions(page, "main .switch span, main .button, .bar .switch span, .bar .button"),
          []
        )
        const uri = page.locator("#view-uri")
        assert.strictEqual(await uri.textContent(), "ui://get_current_weather")
        assert.isAtLeast((await uri.boundingBox())?.width ?? 0, 120)
      })
    }).pipe(Effect.scoped)
  )

  it.effect("says where its tools are when there is no server, and what can be done", () =>
    Effect.gen(function* () {
      const page = yield* openPage({ wrapperArgs: ["--", "no-such-command-here"] }, "closed")
      yield* Effect.promise(async () => {
        await page.getByText("There are no tools while the server is not connected.").waitFor()
        const notice = (await page.locator(".notice p").textContent()) ?? ""
        assert.match(notice, /^[A-Z][^]*\. The log may say why; Restart tries again\.$/)
        assert.notInclude(notice, "..")
      })
    }).pipe(Effect.scoped)
  )
})
