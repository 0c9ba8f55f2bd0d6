/**
 * Runs inside the document of a case, as generated code does: finds the case that the root element names and draws it
 * with what the page runtime brings.
 */
import * as pageParts from "../pageParts/index.ts"
import { areas } from "./areas.ts"
import type { Parts } from "./GalleryCase.ts"

interface GalleryApp {
  readonly connect: () => Promise<void>
  readonly callServerTool: (params: { readonly name: string; readonly arguments: unknown }) => Promise<unknown>
}

/** What the linker binds the two imports of generated code to. */
interface PageRuntime {
  readonly parts: Parts
  readonly extApps: { readonly App: new (info: { readonly name: string; readonly version: string }) => GalleryApp }
}

declare const mcpGenUi: PageRuntime

Object.assign(mcpGenUi.parts, pageParts)

const id = document.documentElement.dataset["galleryCase"]
const found = areas.flatMap(({ cases }) => cases).find((other) => other.id === id)
if (found === undefined) throw new Error(`the gallery has no case "${id}"`)

const { call, draw, form = "none", press, tool } = found
if (draw !== undefined) {
  mcpGenUi.parts.show((data: never, context) => draw(mcpGenUi.parts, data, context), { form })
}

const pressButton = (text: string): void => {
  const button = [...document.querySelectorAll("button")].find(
    (other) => other.textContent.trim() === text && other.checkVisibility()
  )
  if (button === undefined) setTimeout(() => pressButton(text), 20)
  else button.click()
}

if (call !== undefined || press !== undefined) {
  // `App` must be made before the page is connected.
  const app = call === undefined ? undefined : new mcpGenUi.extApps.App({ name: "gallery", version: "1.0.0" })
  void app?.connect()
  // The host says when to act: everything it sends comes first.
  addEventListener("message", ({ data }) => {
    if (data?.method !== "notifications/gallery-act") return
    if (press !== undefined) pressButton(press)
    app?.callServerTool({ name: tool?.name ?? "sample_tool", arguments: call }).catch(() => undefined)
  })
}
