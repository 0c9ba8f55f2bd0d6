import { readFileSync } from "node:fs"
import { join } from "node:path"
import { type FinishedUi, READ_SCREEN, type RecordedCall, servedDocument } from "../../test/fixtures/finishedUis.ts"
import { dataShown } from "../eval/dataShown.ts"
import type { Page, Stage, Theme } from "../eval/Stage.ts"

export interface DrawnUi {
  readonly name: string
  /** Why it is not served. */
  readonly refused: ReadonlyArray<string>
  readonly errors: ReadonlyArray<string>
  /** What of the results cannot be read outside of the raw JSON. */
  readonly missing: ReadonlyArray<string>
  /** The result that the contact sheet shows, and the same in the built-in UI. */
  readonly pictures: ReadonlyArray<string>
}

const FAILED: RecordedCall = {
  tool: "",
  arguments: {},
  result: { isError: true, content: [{ type: "text", text: "MCP error -32603: the server did not answer in time" }] }
}

const MOST_HEIGHT = 1100

/** Draws the first answer wide and narrow, the others wide, then the form and an error. */
export const drawUi = async (stage: Stage, ui: FinishedUi, folder: string, withBuiltIn: boolean): Promise<DrawnUi> => {
  const { html, verdict } = await servedDocument(ui)
  const name = `${ui.server}/${ui.tool.name}`
  const file = (what: string) => join(folder, `${ui.server}-${ui.tool.name}-${what}.png`)
  const errors = new Set<string>()
  const missing = new Set<string>()
  const pictures: Array<string> = []

  const draw = async (what: string, page: string, call: RecordedCall | undefined, theme: Theme, width: number) => {
    await stage.show({ html: page, toolName: ui.tool.name, theme, width })
    if (call === undefined) {
      await stage.openForm()
    } else {
      await stage.sendInput(JSON.stringify(call.arguments))
      await stage.sendResult(JSON.stringify(call.result))
    }
    if (!(await stage.settled())) errors.add("still busy after 10 s")
    await stage.shot(file(what), MOST_HEIGHT)
    for (const fault of Object.values(await stage.faults()).flat()) errors.add(fault)
    pictures.push(file(what))
  }

  for (const [index, call] of ui.calls.slice(0, withBuiltIn ? 1 : undefined).entries()) {
    await draw(`${index}-light`, html, call, "light", index === 0 ? 760 : 480)
    if (call.result.isError !== true) {
      const shown = await stage.readEverything()
      const text = `${shown.text}\n${await stage.frame.evaluate<string>(READ_SCREEN)}`
      for (const leaf of dataShown(call.result, { ...shown, text }).unseen) missing.add(leaf)
    }
    if (index === 0) await draw("0-dark", html, call, "dark", 360)
  }
  if (withBuiltIn) {
    const builtIn = await servedDocument({ tool: ui.tool, source: null })
    await draw("built-in", builtIn.html, ui.calls[0], "light", 760)
  } else {
    await draw("form", html, undefined, "light", 360)
    await draw("error", html, { ...FAILED, arguments: ui.calls[0]?.arguments ?? {} }, "dark", 360)
  }
  const refused = verdict?._tag === "Rejected" ? verdict.problems.map(({ message }) => message) : []
  return { name, refused, errors: [...errors], missing: [...missing].slice(0, 12), pictures }
}

const image = (path: string) => `<img src="data:image/png;base64,${readFileSync(path, "base64")}">`

/** All pictures of a server on one sheet. */
export const drawSheet = async (page: Page, path: string, drawn: ReadonlyArray<DrawnUi>): Promise<void> => {
  const all = drawn.map(
    ({ name, pictures }) => `<div><b>${name}</b><main>${pictures.map((one) => image(one)).join("")}</main></div>`
  )
  await page.setContent(
    `<!doctype html><style>body{margin:10px;background:#8d8d93;font:15px system-ui;columns:2}div{break-inside:avoid;margin-bottom:14px}main{display:flex;flex-wrap:wrap;gap:8px;align-items:start}img{zoom:.64}</style>${all.join("")}`,
    { waitUntil: "load" }
  )
  await page.screenshot({ path, fullPage: true })
}

/** One of each server for docs/library.md, wide. */
const SHOWN = [
  "github/list_issues",
  "git/git_log",
  "slack/slack_get_channel_history",
  "kubernetes/kubectl_get",
  "notion/API-get-block-children",
  "postgres/query",
  "fetch/fetch",
  "google-maps/maps_search_places",
  "filesystem/list_directory_with_sizes",
  "memory/read_graph",
  "playwright/browser_snapshot",
  "task-master/get_tasks"
]

/** Of the others, narrow and dark. */
const SHOWN_DARK = [
  "time/convert_time",
  "git/git_status",
  "github/get_pull_request",
  "brave-search/brave_web_search",
  "obsidian-mcp/obsidian_read_note",
  "tailwindcss/generate_color_palette"
]

/** What the contact sheets show. */
export const isOnContactSheet = ({ server, tool }: FinishedUi): boolean =>
  [...SHOWN, ...SHOWN_DARK].includes(`${server}/${tool.name}`)

const sheetHtml = (tiles: ReadonlyArray<string>, columns: number, tile: string): string =>
  `<!doctype html><style>body{margin:12px;background:#8d8d93;font:600 11px system-ui;display:grid;grid-template-columns:repeat(${columns},max-content);gap:14px}
main{display:flex;gap:6px;margin-top:4px}main div{${tile};overflow:hidden}img{width:100%;display:block}</style>${tiles.join("")}`

/** Beside the built-in UI in the light; narrow ones in the dark. */
export const drawContactSheets = async (page: Page, drawn: ReadonlyArray<DrawnUi>, folder: string): Promise<void> => {
  const tile = (name: string, endings: ReadonlyArray<string>): string => {
    const pictures = drawn.find((one) => one.name === name)?.pictures ?? []
    const found = endings.flatMap((ending) => pictures.filter((path) => path.endsWith(ending)))
    if (found.length < endings.length) throw new Error(`${name}: the library has no such UI, or it was not drawn`)
    return `<div>${name.replace("/", "<br>")}<main>${found.map((path) => `<div>${image(path)}</div>`).join("")}</main></div>`
  }
  const sheets = [
    [
      "library.png",
      SHOWN.map((name) => tile(name, ["-0-light.png", "-built-in.png"])),
      2,
      "width:255px;max-height:144px"
    ],
    ["library-dark.png", SHOWN_DARK.map((name) => tile(name, ["-0-dark.png"])), 6, "width:165px;max-height:230px"]
  ] as const
  for (const [name, tiles, columns, style] of sheets) {
    await page.setViewportSize({ width: 1130, height: 100 })
    await page.setContent(sheetHtml(tiles, columns, style), { waitUntil: "load" })
    await page.screenshot({ path: join(folder, name), fullPage: true })
  }
}
