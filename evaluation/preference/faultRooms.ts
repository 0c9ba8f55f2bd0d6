import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { isRecord } from "../eval/json.ts"
import type { ChosenTool } from "./chosenTools.ts"
import { picturesOf } from "./drawSide.ts"

const INSTRUCTIONS = `You check web pages for faults. Each folder here holds a page that shows the answer of one call of a tool: \`call.json\` is the tool, what
it was called with and what it answered; \`wide.png\` the page at 760 pixels in light, \`narrow.png\` at 360 in dark. Long texts and long pages are cut.

Say of each page whether something is wrong or missing on screen: a value that is false or contradicts the call; a part of the answer that a person
would want and that is neither on screen nor evidently one press away; text cut off without a way to the rest; things that overlap; a drawing that
misplaces or mislabels what it shows; a broken layout; a control whose effect is plainly wrong; leftovers of code. Taste is no fault, and no fault of
the tool's own answer is. What fades out at the edge of a box scrolls there; a line with a chevron opens. Look at every number.

Write \`verdicts.json\` here: a list of {"id": name of the folder, "verdict": "fine" | "fault", "why": one sentence that names the place}.
`

/** A text that is longer says no more to who compares. */
const LONGEST = 6000
const LARGEST = 60_000

const callText = ({ arguments: given, result, tool }: ChosenTool): string =>
  JSON.stringify(
    { tool: tool.name, description: tool.description, arguments: given, result },
    (_, value: unknown) =>
      typeof value === "string" && value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value,
    1
  ).slice(0, LARGEST)

/** Where strangers find the pages of a round that was drawn, in as many rooms as there are strangers; answers with the rooms. */
export const writeFaultRooms = (
  tools: ReadonlyArray<ChosenTool>,
  folder: string,
  round: string,
  rooms: number
): ReadonlyArray<string> => {
  const drawn = tools.flatMap((chosen) => {
    const [light = "", dark = ""] = ["760-light", "360-dark"].map((size) =>
      picturesOf(folder, round, chosen.id, "ours").find((path) => path.includes(size))
    )
    return existsSync(light) && existsSync(dark) ? [{ chosen, light, dark }] : []
  })
  return Array.from({ length: rooms }, (_, at) => {
    const room = join(folder, round, "faults", String(at + 1))
    mkdirSync(room, { recursive: true })
    writeFileSync(join(room, "README.md"), INSTRUCTIONS)
    for (const { chosen, dark, light } of drawn.filter((__, index) => index % rooms === at)) {
      const place = join(room, chosen.id)
      mkdirSync(place, { recursive: true })
      writeFileSync(join(place, "call.json"), callText(chosen))
      copyFileSync(light, join(place, "wide.png"))
      copyFileSync(dark, join(place, "narrow.png"))
    }
    return room
  })
}

/** What the strangers found so far: how many pages are fine, and the faults of the others. */
export const faultsText = (rooms: ReadonlyArray<string>): string => {
  const verdicts = rooms.flatMap((room) => {
    const file = join(room, "verdicts.json")
    const found: unknown = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : []
    if (!Array.isArray(found)) throw new Error(`${file} holds no list of verdicts`)
    const pages = readdirSync(room)
    return found.map((one: unknown, index) => {
      const { id, verdict, why } = isRecord(one) ? one : {}
      if (typeof id !== "string" || !pages.includes(id) || (verdict !== "fine" && verdict !== "fault"))
        throw new Error(
          `${file}, verdict ${index + 1}: wanted {id: a folder of the room, verdict: "fine" or "fault", why}`
        )
      return { id, verdict, why }
    })
  })
  const faults = verdicts.filter(({ verdict }) => verdict === "fault")
  return [
    ...faults.map(({ id, why }) => `${id}: ${String(why)}`),
    `${verdicts.length - faults.length} of ${verdicts.length} pages are fine`
  ].join("\n")
}
