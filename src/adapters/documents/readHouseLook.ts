import { Effect } from "effect"
import { extname } from "node:path"
import type { DefaultTreeAdapterTypes } from "parse5"
import type { HouseLook } from "../../domain/documents/DocumentTemplate.ts"
import { type HouseTheme, houseThemeCss } from "../../domain/tools/HouseTheme.ts"
import { localFiles } from "../platform/localFiles.ts"
import { readSmallBytes } from "../platform/readSmallFile.ts"
import { readTextFile, textFileProblem } from "../platform/readTextFile.ts"
import { systemErrorCode } from "../platform/replaceFile.ts"

/** What is said of the look of the house, with the paths of its files. */
export interface HouseFiles {
  readonly theme: HouseTheme
  readonly baseTemplate: string | undefined
}

/** A file of the house that cannot be used. */
export interface HouseProblem {
  readonly setting: "theme.logo" | "generation.baseTemplate"
  readonly path: string
  readonly text: string
}

/** Every document carries them, and hosts limit what documents have together. */
const MAX_BYTES = 32_768

const PICTURES: Readonly<Record<string, string>> = {
  ".svg": "svg+xml",
  ".png": "png",
  ".jpg": "jpeg",
  ".jpeg": "jpeg",
  ".webp": "webp",
  ".gif": "gif"
}

/** Elements that would run, load or end something, or that a view must be the only one to have. */
const REFUSED = new Set(
  "base embed frame frameset iframe link meta noscript object plaintext script template title".split(" ")
)

/** The foot of a view hangs into the padding of the page, which is below the frame. */
const ROOM_FOR_FOOT = ".mg-app{padding-bottom:26px}"

const logoOf = Effect.fnUntraced(function* (path: string | undefined) {
  if (path === undefined) return undefined
  const problem = (text: string): HouseProblem => ({ setting: "theme.logo", path, text })
  const kind = PICTURES[extname(path).toLowerCase()]
  if (kind === undefined) {
    return yield* Effect.fail(problem(`is no picture by its name; allowed: ${Object.keys(PICTURES).join(", ")}`))
  }
  const bytes = yield* readSmallBytes(path, MAX_BYTES).pipe(
    Effect.provide(localFiles),
    Effect.mapError((error) => problem(textFileProblem(systemErrorCode(error), MAX_BYTES)))
  )
  return `data:image/${kind};base64,${bytes.toString("base64")}`
})

type Node = DefaultTreeAdapterTypes.ChildNode

const elementsIn = (nodes: ReadonlyArray<Node>): ReadonlyArray<DefaultTreeAdapterTypes.Element> =>
  nodes.flatMap((node) => ("tagName" in node ? [node, ...elementsIn(node.childNodes)] : []))

/** What is wrong with an element of the template. */
const wrongWith = ({ attrs, tagName }: DefaultTreeAdapterTypes.Element): string | undefined => {
  if (REFUSED.has(tagName)) return `<${tagName}> is not allowed`
  const handler = attrs.find(({ name }) => name.startsWith("on"))
  if (handler !== undefined) return `${handler.name} is not allowed: a template runs no code`
  const loaded = attrs.find(({ name, value }) => /^(src|srcset)$/.test(name) && !/^data:/i.test(value.trim()))
  return loaded === undefined ? undefined : `${loaded.name} has to be a data: address, as hosts block all others`
}

const isBlank = (node: Node): boolean =>
  node.nodeName === "style" || node.nodeName === "#comment" || ("value" in node && node.value.trim() === "")

/** The template as a frame and styles, as a browser would read it. The parser is loaded for it only. */
const readTemplate = async (text: string): Promise<HouseLook | string> => {
  const { parseFragment, serialize } = await import("parse5")
  const fragment = parseFragment(text, { sourceCodeLocationInfo: true })
  const elements = elementsIn(fragment.childNodes)
  for (const element of elements) {
    const wrong = wrongWith(element)
    if (wrong !== undefined) return `line ${element.sourceCodeLocation?.startLine ?? 1}: ${wrong}`
  }
  const css = elements.filter(({ tagName }) => tagName === "style").map((style) => serialize(style))
  const slots = elements.filter(({ tagName }) => tagName === "slot").length
  if (fragment.childNodes.every(isBlank)) return { css: css.join("\n"), frame: "" }
  return slots === 1
    ? { css: css.join("\n") + ROOM_FOR_FOOT, frame: serialize(fragment) }
    : `has ${slots} <slot></slot>; one has to stand where the UI goes`
}

const templateOf = Effect.fnUntraced(function* (path: string | undefined) {
  if (path === undefined) return { css: "", frame: "" }
  const problem = (text: string): HouseProblem => ({ setting: "generation.baseTemplate", path, text })
  const text = yield* readTextFile(path, MAX_BYTES).pipe(
    Effect.mapError((code) => problem(textFileProblem(code, MAX_BYTES)))
  )
  const isCss = extname(path).toLowerCase() === ".css"
  const look = yield* Effect.promise(() => readTemplate(isCss ? `<style>${text}</style>` : text))
  return typeof look === "string" ? yield* Effect.fail(problem(look)) : look
})

/** Reads the files of the house's look. Fails with the first that cannot be used. */
export const readHouseLook = Effect.fn("readHouseLook")(function* (
  house: HouseFiles
): Effect.fn.Return<HouseLook, HouseProblem> {
  const logo = yield* logoOf(house.theme.logo)
  const { css, frame } = yield* templateOf(house.baseTemplate)
  return { css: houseThemeCss(house.theme, logo) + css, frame }
})
