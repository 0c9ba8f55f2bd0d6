import { assert, describe, it } from "@effect/vitest"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright-core"
import {
  accessibilityProblems,
  callTool,
  makeFolder,
  openHostBar,
  openPage
} from "../../fixtures/preview/wrapperPage.ts"
import type { PageOptions } from "../../fixtures/preview/wrapperPage.ts"
import { fixtureServer } from "../../fixtures/RawClient.ts"

const WIDTH = 320

/** What of a view cannot be scrolled to, and where the page scrolls though nothing is there. */
const outOfReach = (page: Page): Promise<ReadonlyArray<string>> =>
  page.evaluate(`(() => {
    const [canvas, sheet] = [document.querySelector("#canvas"), document.querySelector(".canvas-sheet")]
    const [frame, whole] = [canvas.getBoundingClientRect(), document.documentElement]
    canvas.scrollLeft = 0
    const left = frame.left - sheet.getBoundingClientRect().left
    canvas.scrollLeft = canvas.scrollWidth
    const right = sheet.getBoundingClientRect().right - frame.right
    canvas.scrollLeft = 0
    const [across, down] = [whole.scrollWidth - innerWidth, whole.scrollHeight - innerHeight]
    return [
      left > 0 && left + " pixels are cut off on the left",
      right > 0 && right + " pixels are cut off on the right",
      across > 0 && "the page is " + across + " pixels too wide",
      innerWidth > 680 && down > 0 && "the page scrolls " + down + " pixels into nothing"
    ].filter((fault) => fault !== false)
  })()`)

const narrow: PageOptions = { width: WIDTH, height: 700 }

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

describe("the preview in windows of all widths", () => {
  it("has all of a view in reach at every preset, and scrolls nowhere that the keyboard does not", async () => {
    const file = join(makeFolder(), "tools.json")
    const description = "What it does takes a while to tell. ".repeat(60)
    const properties = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`field_${index}`, { description }]))
    writeFileSync(file, JSON.stringify([{ name: "long", description, inputSchema: { type: "object", properties } }]))
    const wrapperArgs = ["--", process.execPath, fixtureServer("listed.mjs"), file]
    const { page } = await openPage({ wrapperArgs }, narrow)
    await callTool(page)
    await page.frameLocator(".view-frame").frameLocator("iframe").getByRole("status").waitFor()
    for (const row of await page.locator(".exchange summary").all()) await row.click()
    const faults: Array<string> = []
    await openHostBar(page)
    for (const theme of ["Light", "Dark"]) {
      await page.getByRole("radio", { name: theme }).check()
      for (const width of [320, 768, 1024, 1280, 1440]) {
        await page.setViewportSize({ width, height: 900 })
        const note = (where: string, found: ReadonlyArray<string>) =>
          faults.push(...found.map((fault) => `${where} in a window of ${width}, ${theme}: ${fault}`))
        for (const preset of ["Full", "320", "480", "768"]) {
          await page.getByRole("radio", { name: preset, exact: true }).check()
          note(preset, await outOfReach(page))
        }
        note("768", await accessibilityProblems(page))
      }
    }
    assert.deepStrictEqual(faults, [])
  })
})

describe("the preview in a narrow window", () => {
  it("has all of its controls beside each other", async () => {
    const { page } = await openPage({}, narrow)
    await openHostBar(page)
    assert.deepStrictEqual(
      await collisions(page, "main .switch span, main .button, .bar .switch span, .bar .button"),
      []
    )
  })

  it("says where its tools are when there is no server, and what can be done", async () => {
    const { page } = await openPage({ wrapperArgs: ["--", "no-such-command-here"] }, { ...narrow, state: "closed" })
    await page.getByText("There are no tools while the server is not connected.").waitFor()
    const lost = (await page.getByRole("alert").textContent()) ?? ""
    assert.match(lost, /^[A-Z][^]*\. The log may say why\.$/)
    assert.notInclude(lost, "..")
    assert.strictEqual(await page.locator(".exchange", { hasText: "waiting" }).count(), 0)
    assert.deepStrictEqual(await accessibilityProblems(page), [])
  })
})
