/**
 * Takes the pictures of README.md and docs again, from the studio as people start it, around the example servers:
 * `npm run pictures [-- --only NAME] [--corpus FOLDER]`. A stand-in for a model writes the pages in `evaluation/pictures`.
 * Those of docs/evaluation.md show tools of a corpus, and are taken where one is named.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { type Browser, chromium } from "playwright-core"
import { chromiumPath } from "../test/browser/harness/chromium.ts"
import { startModelStandIn } from "../test/fixtures/model-stand-in/ModelStandIn.ts"
import { casesOf } from "./eval/casesOf.ts"
import { readCorpus } from "./eval/corpus.ts"
import { takePictures } from "./eval/pictures.ts"
import { type StudioPicture, studioPictures } from "./pictures/studioPictures.ts"
import { cleanEnvironment, evaluation, wrapperBin } from "./support/paths.ts"

/** Tools that the stand-in has a page for; all others have the built-in UI. */
const WRITTEN = readdirSync(join(evaluation, "pictures")).flatMap((name) => /^(\w+)\.html$/.exec(name)?.[1] ?? [])

const repository = join(evaluation, "..")

/** The studio around a server, until its process ends. */
const startStudio = async (words: ReadonlyArray<string>, env: NodeJS.ProcessEnv) => {
  const given = [wrapperBin, "preview", "--port", "0", ...words]
  const child = spawn(process.execPath, given, { cwd: repository, env, stdio: ["ignore", "pipe", "inherit"] })
  let printed = ""
  for await (const chunk of child.stdout.setEncoding("utf8")) {
    printed += chunk
    const url = /http:\S+/.exec(printed)?.[0]
    if (url !== undefined) return { url, stop: () => (child.kill(), once(child, "exit")) }
  }
  throw new Error(`The studio did not start: ${printed}`)
}

/** Answers with the page in `evaluation/pictures` for the tool of the prompt. */
const startModel = () =>
  startModelStandIn({
    answer: ({ prompt }) => {
      const tool = WRITTEN.find((name) => prompt.includes(`name: ${name}\n`)) ?? "get_forecast"
      return { text: readFileSync(join(evaluation, "pictures", `${tool}.html`), "utf8") }
    }
  })

/** Wide enough for the list of tools beside the view. */
const STUDIO_WIDTH = 1280
/** What the studio offers for a view. */
const OFFERED_WIDTHS = new Set([320, 480, 768])
/** What stands left and right of a view that fills the studio. */
const BESIDE_VIEW = 242

/** Calls the tool as a person does, and takes what is then to be seen. */
const take = async (browser: Browser, url: string, asked: StudioPicture): Promise<void> => {
  const { args, file, height, host, shows, tab, theme, tool, typed, width } = asked
  const isView = shows === "view"
  const isOffered = OFFERED_WIDTHS.has(width)
  const context = await browser.newContext({
    viewport: isView
      ? { width: isOffered ? STUDIO_WIDTH : width + BESIDE_VIEW, height: height + 400 }
      : { width, height },
    colorScheme: theme,
    locale: "en-GB",
    timezoneId: "UTC"
  })
  const page = await context.newPage()
  const state = new URLSearchParams({ tool, args: JSON.stringify(args), theme, host: host ?? "studio" })
  state.set("width", isView && isOffered ? String(width) : "full")
  await page.goto(`${url}#${state}`)
  await page.locator("#status[data-state=connected]").waitFor()
  await page.getByRole("button", { name: "Call tool", exact: true }).click()
  await page.locator("#call-status", { hasText: "Answered" }).waitFor()
  if (typed !== undefined) await page.getByLabel("Change this UI").fill(typed)
  const frame = page.locator("#canvas .view-frame")
  const view = page.locator("#canvas").frameLocator(".view-frame").frameLocator("iframe")
  if (tab !== undefined) await view.getByRole("tab", { name: tab }).click()
  const look = async () => {
    const box = isView ? await frame.boundingBox() : undefined
    return page.screenshot(box ? { clip: { ...box, height: Math.min(box.height, height) } } : {})
  }
  let picture = await look()
  for (let before: Buffer | undefined; before === undefined || !before.equals(picture);) {
    before = picture
    await page.waitForTimeout(300)
    picture = await look()
  }
  writeFileSync(join(repository, file), picture)
  console.log(`${file}: ${Math.round(picture.length / 1000)} kB`)
  await context.close()
}

const main = async (): Promise<void> => {
  const options = { only: { type: "string", default: "" }, corpus: { type: "string" } } as const
  const { values } = parseArgs({ options })
  const folder = mkdtempSync(join(tmpdir(), "mcp-gen-ui-pictures-"))
  const model = await startModel()
  const env = { ...cleanEnvironment(), OLLAMA_HOST: model.url, HOME: folder, XDG_CONFIG_HOME: folder }
  const browser = await chromium.launch({ executablePath: await chromiumPath(), args: ["--no-sandbox"] })
  try {
    const wanted = studioPictures.filter(({ file }) => file.includes(values.only))
    for (const server of new Set(wanted.map((picture) => picture.server))) {
      for (const isWritten of [true, false]) {
        const pictures = wanted.filter((picture) => picture.server === server && picture.isWritten === isWritten)
        if (pictures.length === 0) continue
        const words = server.map((word) => (word === "SHOP" ? join(folder, "shop.sqlite") : word))
        const llm = isWritten ? ["--llm", "ollama", "--model", "stand-in"] : ["--llm", "none", "--no-library"]
        const studio = await startStudio([...llm, ...words], env)
        try {
          for (const picture of pictures) await take(browser, studio.url, picture)
        } finally {
          await studio.stop()
        }
      }
    }
    if (values.corpus !== undefined)
      await takePictures(casesOf(readCorpus(values.corpus), []), join(repository, "docs/pictures"))
  } finally {
    await browser.close()
    await model.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

await main()
