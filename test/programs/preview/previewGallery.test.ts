import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Scope } from "effect"
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import type { Frame, Page } from "playwright-core"
import type { PreviewError } from "../../../src/programs/preview/runPreview.ts"
import { afterAll } from "vitest"
import { namesOfParts } from "../../../src/domain/inspection/PartNames.ts"
import { loadSourceParsers } from "../../../src/domain/inspection/SourceParsers.ts"
import { closeChromium, launchChromium, readableRuntimeScript } from "../../browser/harness/index.ts"
import { openPreview } from "../../fixtures/preview/openPreview.ts"

const areas = ["view", "form", "result", "show", "table", "chart", "record", "text", "layout", "action", "value"]

/** An area has up to forty documents, three at a time. */
const AREA_TIMEOUT = 300_000

afterAll(closeChromium)

interface Opened {
  readonly page: Page
  /** Errors and violations of the policy in the page and all its frames. */
  readonly problems: ReadonlyArray<string>
}

const reportViolations = `addEventListener("securitypolicyviolation", (event) =>
  console.error("policy violation", event.violatedDirective, event.blockedURI))`

/** Opens the gallery at a place, and goes on when all cases there are drawn. */
const onGallery = (
  where: string,
  use: (opened: Opened) => Promise<void>,
  colorScheme: "light" | "dark" = "light"
): Effect.Effect<void, PreviewError, Scope.Scope> =>
  Effect.gen(function* () {
    const { galleryUrl } = yield* openPreview()
    const context = yield* Effect.acquireRelease(
      Effect.promise(async () =>
        (await launchChromium()).newContext({
          colorScheme,
          viewport: { width: 1280, height: 900 },
          reducedMotion: "reduce"
        })
      ),
      (context) => Effect.promise(() => context.close())
    )
    yield* Effect.promise(async () => {
      const page = await context.newPage()
      const problems: Array<string> = []
      page.on("console", (message) => {
        const text = message.text()
        if (message.type() === "error" || text.includes("Content Security Policy")) problems.push(text)
      })
      page.on("pageerror", (error) => void problems.push(error.message))
      await page.addInitScript(reportViolations)
      await page.goto(galleryUrl + where)
      await page.locator("#cases[data-state=drawn]").waitFor({ timeout: AREA_TIMEOUT })
      await use({ page, problems })
    })
  })

const frameOf = async (page: Page, id: string): Promise<Frame> => {
  const proxy = await (await page.locator(`[id="${id}"] iframe`).elementHandle())?.contentFrame()
  const view = await (await proxy?.waitForSelector("iframe"))?.contentFrame()
  if (view === null || view === undefined) throw new Error(`the case ${id} has no view`)
  return view
}

const axeSource = readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** What axe finds: by all its rules, or by those whose answer differs in a narrow dark frame. */
const violationsIn = async (frame: Frame | Page, where: string, rules: "all" | "narrow" = "all") => {
  const runOnly = rules === "all" ? "" : `, runOnly: ["color-contrast", "scrollable-region-focusable"]`
  await frame.evaluate(await axeSource)
  return frame.evaluate<ReadonlyArray<string>>(
    `axe.run(${where}, { resultTypes: ["violations"], iframes: false${runOnly} }).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) =>
        nodes.map(({ failureSummary, html }) => id + ": " + html.slice(0, 200) + " " + failureSummary)))`
  )
}

/** What is not as it should be in the cases of the area that is shown. */
const faultsIn = async (page: Page, rules?: "narrow"): Promise<ReadonlyArray<string>> => {
  const faults: Array<string> = []
  for (const id of await page.locator(".case").evaluateAll((cases) => cases.map((shown) => shown.id))) {
    const state = await page.locator(`[id="${id}"]`).getAttribute("data-state")
    if (state !== "drawn") faults.push(`${id}: ${state}`)
    const frame = await frameOf(page, id)
    const text = await frame.evaluate<string>("document.body.innerText.trim()")
    if (text === "") faults.push(`${id}: nothing is drawn`)
    const isBroken = text.includes("This view could not show the result") || text.includes("The generated view failed")
    if (isBroken && id !== "show-throws") faults.push(`${id}: ${text.slice(0, 200)}`)
    const over = await frame.evaluate<number>("document.documentElement.scrollWidth - innerWidth")
    if (over > 0) faults.push(`${id}: ${over} pixels wider than its frame`)
    for (const violation of await violationsIn(frame, "document", rules)) faults.push(`${id}: ${violation}`)
  }
  return faults
}

describe("the gallery", () => {
  it.effect(
    "has a case for every part, and an address of its own for each case",
    () =>
      onGallery("#value", async ({ page }) => {
        const links = await page
          .locator("#areas a")
          .evaluateAll((all) =>
            all.map((link) => ({ id: String(link.getAttribute("href")).slice(1), part: link.dataset["part"] }))
          )
        const ids = links.map(({ id }) => id)
        assert.strictEqual(new Set(ids).size, ids.length)
        assert.deepStrictEqual(
          ids.filter((id) => !id.includes("-")),
          areas
        )
        for (const id of ids) assert.include(areas, id.split("-")[0])

        const shown = new Set(links.map(({ part }) => part))
        const exported = namesOfParts(await loadSourceParsers(), await readableRuntimeScript())
        assert.isAbove(exported.size, 20)
        assert.deepStrictEqual(
          [...exported].filter((name) => name !== "installStyles" && !shown.has(name)),
          []
        )
      }),
    AREA_TIMEOUT
  )

  for (const area of areas) {
    it.effect(
      `draws the area ${area} without an error, and axe finds nothing`,
      () =>
        onGallery(`#${area}`, async ({ page, problems }) => {
          assert.deepStrictEqual(await faultsIn(page), [])
          assert.deepStrictEqual(problems, [])
        }),
      AREA_TIMEOUT
    )
    it.effect(
      `draws the area ${area} in narrow dark frames from right to left, with the host's colours`,
      () =>
        onGallery(
          `?theme=dark&colours=host&width=320&direction=rtl#${area}`,
          async ({ page, problems }) => {
            assert.deepStrictEqual(await faultsIn(page, "narrow"), [])
            assert.deepStrictEqual(problems, [])
          },
          "dark"
        ),
      AREA_TIMEOUT
    )
  }

  it.effect(
    "leads to a case by its address, and keeps what is set on the bar in it",
    () =>
      onGallery("?theme=light&colours=host#value-meters", async ({ page, problems }) => {
        const heading = page.getByRole("heading", { name: "Meters" })
        await heading.waitFor()
        assert.isAtMost((await heading.boundingBox())?.y ?? Infinity, 900)
        assert.strictEqual(await page.locator("#areas a[aria-current=true]").textContent(), "Values")

        const drawn = () => page.locator("#cases[data-state=drawn]").waitFor()
        const view = () => frameOf(page, "value-meters")
        const theme = async () => (await view()).evaluate<string>("document.documentElement.dataset.theme")
        assert.strictEqual(await theme(), "light")
        await page.getByRole("radio", { name: "Dark" }).check()
        await drawn()
        assert.strictEqual(await theme(), "dark")
        await page.getByRole("radio", { name: "480" }).check()
        assert.strictEqual(await (await view()).evaluate<number>("innerWidth"), 480)
        await page.getByRole("radio", { name: "200%" }).check()
        await drawn()
        assert.strictEqual(await (await view()).evaluate<number>("innerWidth"), 240)
        await page.getByRole("radio", { name: "RTL" }).check()
        await drawn()
        assert.strictEqual(await (await view()).evaluate<string>("document.documentElement.dir"), "rtl")
        const { hash, searchParams } = new URL(page.url())
        assert.strictEqual(hash, "#value-meters")
        assert.deepStrictEqual(Object.fromEntries(searchParams), {
          theme: "dark",
          colours: "host",
          width: "480",
          direction: "rtl",
          zoom: "200"
        })
        assert.deepStrictEqual(await violationsIn(page, `{ exclude: [".view-frame"] }`), [])
        await page.setViewportSize({ width: 320, height: 700 })
        assert.deepStrictEqual(await violationsIn(page, `{ exclude: [".view-frame"] }`), [])
        await page.setViewportSize({ width: 1280, height: 900 })

        await page.getByRole("link", { name: "Layout", exact: true }).click()
        await page.getByRole("heading", { name: "Error box", exact: true }).waitFor()
        assert.strictEqual(await page.locator("#value-meters").count(), 0)
        assert.deepStrictEqual(problems, [])
      }),
    AREA_TIMEOUT
  )

  it.effect(
    "says what a view asks of its host",
    () =>
      onGallery("#table-select", async ({ page }) => {
        const view = await frameOf(page, "table-select")
        await view.locator("tbody input[type=checkbox]").first().check()
        await page.locator("[id=table-select]").getByText("The view told the model what is selected.").waitFor()
      }),
    AREA_TIMEOUT
  )
})
