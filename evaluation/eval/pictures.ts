import { join } from "node:path"
import { argumentsFrom } from "./argumentsFrom.ts"
import type { Case } from "./casesOf.ts"
import { chanceOf, seedOf } from "./Chance.ts"
import { makeDocumentOf } from "./documentOf.ts"
import { fillForm } from "./fillForm.ts"
import { type Stage, startStages, type Theme } from "./Stage.ts"
import { validatorOf } from "./validatorOf.ts"

interface Picture {
  /** Of the file, without its ending. */
  readonly name: string
  readonly id: string
  readonly theme: Theme
  readonly width: number
  /** CSS pixels of its top that are shown. */
  readonly height: number
  /** A tab to press first. */
  readonly tab?: string
}

/** Cases of the corpus that show what the built-in UI can do: for docs/evaluation.md. */
export const corpusPictures: ReadonlyArray<Picture> = [
  { name: "form", id: "modelcontextprotocol__server-memory/create_entities", theme: "light", width: 720, height: 900 },
  { name: "form-narrow", id: "coo-quack__calc-mcp/random", theme: "dark", width: 320, height: 900 },
  { name: "form-variants", id: "postman__postman-mcp-server/createSpec", theme: "light", width: 720, height: 900 },
  { name: "table", id: "mcp-sqlite/query#4", theme: "light", width: 720, height: 700 },
  {
    name: "table-large",
    id: "modelcontextprotocol__server-customer-segmentation/get-customer-data#0",
    theme: "dark",
    width: 720,
    height: 700
  },
  {
    name: "chart",
    id: "modelcontextprotocol__server-cohort-heatmap/get-cohort-data#0",
    theme: "light",
    width: 720,
    height: 700
  },
  {
    name: "record",
    id: "modelcontextprotocol__server-budget-allocator/get-budget-data#0",
    theme: "dark",
    width: 720,
    height: 700
  },
  {
    name: "tree",
    id: "modelcontextprotocol__server-filesystem/directory_tree#4",
    theme: "light",
    width: 320,
    height: 700
  },
  { name: "picture", id: "playwright__mcp/browser_take_screenshot#9", theme: "light", width: 720, height: 700 },
  {
    name: "markdown",
    id: "modelcontextprotocol__server-threejs/learn_threejs#1",
    theme: "dark",
    width: 320,
    height: 700
  },
  {
    name: "difference",
    id: "modelcontextprotocol__server-filesystem/edit_file#24",
    theme: "dark",
    width: 720,
    height: 500
  },
  { name: "error", id: "coo-quack__calc-mcp/random#32", theme: "light", width: 320, height: 500 }
]

const take = async (
  stage: Stage,
  { tool, call }: Case,
  html: string,
  { height, name, tab, theme, width }: Picture,
  folder: string
) => {
  await stage.show({ html, toolName: tool.name, theme, width })
  if (call === undefined) {
    const chance = chanceOf(seedOf(1, tool.name, "picture"))
    const value = argumentsFrom(tool.inputSchema, { kind: "full", chance, validator: validatorOf(tool.inputSchema) })
    await stage.openForm()
    await stage.settled()
    await fillForm(stage.frame, tool.inputSchema, value ?? {})
    await stage.frame.evaluate("document.activeElement?.blur()")
  } else {
    await stage.sendInput(JSON.stringify(call.arguments))
    if ("result" in call.answer) await stage.sendResult(JSON.stringify(call.answer.result))
    if (tab !== undefined) await stage.frame.getByRole("tab", { name: tab }).click()
  }
  await stage.settled()
  await stage.shot(join(folder, `${name}.png`), height)
}

/** Takes the pictures again, one PNG each, into a folder that is there. Cases that the corpus does not have are an error. */
export const takePictures = async (cases: ReadonlyArray<Case>, folder: string): Promise<void> => {
  const documentOf = await makeDocumentOf()
  const stages = await startStages()
  try {
    const stage = await stages.open()
    for (const picture of corpusPictures) {
      const one = cases.find(({ id }) => id === picture.id)
      if (one === undefined) throw new Error(`The corpus has no ${picture.id}`)
      await take(stage, one, (await documentOf(one.tool)).html, picture, folder)
      console.log(`${picture.name}: ${picture.id}`)
    }
  } finally {
    await stages.close()
  }
}
