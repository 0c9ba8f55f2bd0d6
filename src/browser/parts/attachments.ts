import type { ResultPart } from "../../domain/results/ResultBlocks.ts"
import { attachmentsView } from "./resultView.ts"

/** A picture, sound, file or link of a result. */
export interface Attachment {
  readonly node: HTMLElement
  /** Whether a view shows it in some way of its own. */
  readonly isShownIn: (view: Element) => boolean
}

const addresses = (view: Element): ReadonlyArray<string> =>
  [...view.querySelectorAll("[src],[href]")].map((node) => node.getAttribute("src") ?? node.getAttribute("href") ?? "")

/** As much of a file as tells it from others. */
const START = 100

const plain = (text: string): string => text.replace(/\s/g, "")

/** What a result has beside data and prose. */
export const attachmentsOf = (parts: ReadonlyArray<ResultPart>, toolTitle: string): ReadonlyArray<Attachment> =>
  parts.flatMap((part) => {
    if (part.kind !== "media" && part.kind !== "link") return []
    const node = attachmentsView([part], { toolTitle })
    const isText = part.kind === "link" || part.media.kind === "text"
    const start = plain(part.kind === "link" ? part.link.uri : part.media.data.slice(0, START))
    const isShownIn = (view: Element): boolean =>
      view.contains(node) ||
      // It draws the whole result with the part for that.
      view.querySelector(".mg-result") !== null ||
      addresses(view).some((address) => address.startsWith("blob:") || address.includes(start)) ||
      (isText && plain(view.textContent ?? "").includes(start))
    return [{ node, isShownIn }]
  })
