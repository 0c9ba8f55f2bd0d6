import { readFileSync } from "node:fs"
import { setTimeout as delay } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { dataShown } from "../eval/dataShown.ts"
import { isRecord, type JsonRecord } from "../eval/json.ts"
import type { ChosenTool } from "../preference/chosenTools.ts"
import { EmulatedHost } from "./EmulatedHost.ts"
import type { HostWindow, Windows } from "./HostWindow.ts"
import { pressControls } from "./pressControls.ts"
import type { Profile } from "./profiles.ts"

/** What is looked at: the data of the result, the controls of the view, and what a person has done there, once it is opened again. */
export const CHECKS = ["shown", "controls", "kept"] as const
export type Check = (typeof CHECKS)[number]

/** One tool in one host. */
export interface Cell {
  readonly host: string
  readonly tool: string
  readonly page: "built-in" | "generated"
  /** What is wrong, by check; nothing where all is well. */
  readonly faults: Readonly<Record<Check, ReadonlyArray<string>>>
  readonly pressed: number
}

/** A page may ask the wrapper for what it lacks; it begins within two seconds. */
const RECALL_MS = 4000
const CELL_MS = 90_000
const MOST_NAMED = 4
const GENERATED = readFileSync(fileURLToPath(new URL("page.html", import.meta.url)), "utf8")

const imagesIn = ({ content }: JsonRecord): number =>
  (Array.isArray(content) ? content : []).filter((block) => isRecord(block) && block.type === "image").length

/** What of the recorded result is not on screen, however long one waits. */
const missingIn = async (window: HostWindow, result: JsonRecord): Promise<ReadonlyArray<string>> => {
  const end = Date.now() + RECALL_MS
  for (;;) {
    const { missing } = dataShown(result, await window.readEverything())
    const drawn = await window.inView<number>("evalControls.pictures()")
    const wanted = imagesIn(result)
    const faults = [
      ...(drawn < wanted ? [`${wanted - drawn} of ${wanted} pictures are not drawn`] : []),
      ...missing.slice(0, MOST_NAMED),
      ...(missing.length > MOST_NAMED ? [`and ${missing.length - MOST_NAMED} more`] : [])
    ]
    if (faults.length === 0 || Date.now() > end) return faults
    await delay(250)
  }
}

/** Leaves marks as a person does, and looks for them in a frame that is opened for the same call. */
const lostMarks = async (window: HostWindow, again: () => Promise<void>): Promise<ReadonlyArray<string>> => {
  for (const [kind, key] of [
    ["tab", "Enter"],
    ["filter", "a"]
  ] as const)
    if (await window.inView<boolean>(`evalControls.focusMark("${kind}")`)) await window.page.keyboard.press(key)
  await window.inView("evalView.settled(2000)")
  const left = await window.inView<string>("evalControls.marks()")
  await window.takeDown()
  await again()
  const end = Date.now() + RECALL_MS
  for (;;) {
    const found = await window.inView<string>("evalControls.marks()")
    if (found === left) return []
    if (Date.now() > end) return [`left ${left}, found ${found}`]
    await delay(100)
  }
}

const runCell = async (
  profile: Profile,
  host: EmulatedHost,
  window: HostWindow,
  { arguments: given, result, tool }: ChosenTool,
  checks: ReadonlyArray<Check>
): Promise<Pick<Cell, "faults" | "pressed">> => {
  const html = await host.documentOf(tool.name)
  if (html === undefined) throw new Error("no UI is offered")
  const answer = await host.request("tools/call", { name: tool.name, arguments: given })
  const brought = isRecord(answer) ? answer : {}
  const open = (bent: Profile["bent"]) => window.show(html, given, bent(brought))
  const { bent, bentAgain = bent } = profile
  await open(bent)
  if (bentAgain !== bent) {
    await window.takeDown()
    await open(bentAgain)
  }
  const shown = checks.includes("shown") ? await missingIn(window, result) : []
  // First of all that is done there: it goes by what is kept of the same call.
  const kept = checks.includes("kept") ? await lostMarks(window, () => open(bentAgain)) : []
  const watched = { arrived: () => host.arrived(), delayMs: profile.delayMs }
  const { dead, pressed } = checks.includes("controls")
    ? await pressControls(window, watched)
    : { dead: [], pressed: 0 }
  return { faults: { shown: [...shown, ...window.errors], controls: dead, kept }, pressed }
}

const withinTime = async <A>(work: Promise<A>): Promise<A> => {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`it takes longer than ${CELL_MS / 1000} s`)), CELL_MS)
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer))
}

export interface HostRun {
  readonly profile: Profile
  readonly tools: ReadonlyArray<ChosenTool>
  readonly checks: ReadonlyArray<Check>
  readonly page: Cell["page"]
  readonly onCell: (cell: Cell) => void
}

/** All tools in one host: with the built-in UI, or with a page that a model has written. */
export const runHost = async (windows: Windows, { checks, onCell, page, profile, tools }: HostRun): Promise<void> => {
  const aboutOf = (chosen: ChosenTool) => ({
    host: profile.name,
    tool: `${chosen.server}/${chosen.tool.name}`,
    page
  })
  const onFailure = (chosen: ChosenTool, error: unknown): void => {
    const why = [error instanceof Error ? error.message : String(error)]
    onCell({ ...aboutOf(chosen), faults: { shown: why, controls: why, kept: why }, pressed: 0 })
  }
  const host = await EmulatedHost.start(profile, tools, page === "generated" ? GENERATED : undefined).catch(
    (error: unknown) => {
      for (const chosen of tools) onFailure(chosen, error)
      return undefined
    }
  )
  if (host === undefined) return
  try {
    for (const chosen of tools) {
      // What a view asks of its server goes there; the rest the host does itself.
      const window = await windows.open(profile, async (method, params) =>
        method.startsWith("ui/") ? {} : host.request(method, params)
      )
      try {
        onCell({ ...aboutOf(chosen), ...(await withinTime(runCell(profile, host, window, chosen, checks))) })
      } catch (error) {
        onFailure(chosen, error)
      } finally {
        await window.close()
      }
    }
  } finally {
    await host.close()
  }
}
