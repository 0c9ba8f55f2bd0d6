import { isObject } from "../../domain/isObject.ts"
import type { ResultLink, ResultMedia } from "../../domain/results/ResultBlocks.ts"
import { resultShape } from "../../domain/results/ResultShape.ts"
import { button } from "./button.ts"
import { type Child, h, link, safeUrl } from "./dom.ts"
import { icon } from "./icons.ts"
import { fmt } from "./format.ts"
import { sessionOrNone } from "./host.ts"
import { section, status } from "./layout.ts"
import { image, json } from "./media.ts"
import { resourceViews } from "./resourceViews.ts"
import type { ResultContext } from "./resultContext.ts"

const nameFor = (media: ResultMedia, index: number): string => {
  const last = (media.uri ?? "").split(/[?#]/)[0]?.split("/").at(-1) ?? ""
  const name = /\.\w{1,5}$/.test(media.name ?? "") ? (media.name ?? "") : decoded(last)
  const extension = media.mimeType.split("/").at(-1)?.split(/[+;]/)[0]?.replace("plain", "txt") ?? ""
  return /\.\w{1,5}$/.test(name)
    ? name
    : `${name || `file-${index + 1}`}.${/^\w{1,5}$/.test(extension) ? extension : "bin"}`
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const saveButton = (media: ResultMedia, index: number): Child => {
  const session = sessionOrNone()
  const { mimeType, data } = media
  const content = media.kind === "text" ? { text: data } : { blob: data }
  return (
    session !== undefined &&
    button("Download", () => session.download({ name: nameFor(media, index), mimeType, ...content }), {
      small: true,
      kind: "plain",
      icon: "down",
      needs: "ui/download-file"
    })
  )
}

const typeText = ({ mimeType, data, uri = "" }: ResultMedia): string => {
  const kind = mimeType === "application/pdf" || /\.pdf$/i.test(uri) ? "PDF document" : mimeType
  return `${kind}, ${fmt.bytes(Math.floor((data.replace(/={1,2}$/, "").length * 3) / 4))}`
}

/** A picture, recording, film, embedded text or file of a result. */
export const mediaView = (media: ResultMedia, index: number, context: ResultContext): Child => {
  const { block, data, mimeType } = media
  const own = block && resourceViews.draw?.(block)
  if (own !== undefined) return own
  const name = media.name ?? media.uri
  const isFilm = mimeType.startsWith("video/")
  const about =
    name ??
    `${media.kind === "audio" ? "Recording" : isFilm ? "Film" : "Picture"} ${index + 1} from ${context.toolTitle}`
  if (media.kind === "image") {
    const size = h("span", {}, typeText(media))
    const figure = image(
      { data, mimeType },
      { alt: about, caption: h("span", { class: "mg-facts" }, name, size, saveButton(media, index)) }
    )
    const picture = figure.querySelector("img")
    picture?.addEventListener("load", () => {
      size.textContent = `${picture.naturalWidth} × ${picture.naturalHeight}, ${typeText(media)}`
    })
    return figure
  }
  if (media.kind === "audio" || isFilm) {
    return h(
      "figure",
      { class: "mg-figure" },
      h(isFilm ? "video" : "audio", { controls: true, src: `data:${mimeType};base64,${data}`, "aria-label": about }),
      h("figcaption", { class: "mg-muted mg-facts" }, about, h("span", {}, typeText(media)), saveButton(media, index))
    )
  }
  if (media.kind === "text") {
    const shape = resultShape({ content: [{ type: "text", text: data }] })
    const isData = shape.records !== undefined || shape.tree !== undefined || shape.source === "json"
    const body = isData ? context.value(shape.records?.rows ?? shape.data, 1) : context.text(data, mimeType)
    return section(name ?? "Embedded text", body, { badge: mimeType, open: true, actions: saveButton(media, index) })
  }
  return h(
    "div",
    { class: "mg-file" },
    icon("file"),
    h(
      "div",
      { class: "mg-grow" },
      h("div", {}, name ?? "File"),
      h("div", { class: "mg-muted mg-small" }, typeText(media))
    ),
    saveButton(media, index)
  )
}

const contentsOf = (answer: unknown): ReadonlyArray<unknown> =>
  isObject(answer) && Array.isArray(answer.contents) ? answer.contents : []

/** A resource that the result points to: opened by the host, or read through it and shown in place. */
export const linkView = (given: ResultLink, context: ResultContext): Child => {
  const { uri, name, description, mimeType, size } = given
  const url = safeUrl(uri)
  const app = sessionOrNone()?.app
  const shown = h("div", { class: "mg-stack" })
  const read = async (): Promise<void> => {
    const contents = contentsOf(await app?.readServerResource({ uri }))
    const content = contents.map((resource) => ({ type: "resource", resource }))
    const { parts } = resultShape({ content })
    shown.replaceChildren(
      ...(contents.length === 0
        ? [status("The resource is empty.", "neutral")]
        : [
            h(
              "div",
              { class: "mg-stack" },
              parts.map((part, index) =>
                part.kind === "media"
                  ? mediaView(part.media, index, context)
                  : part.kind === "other" && json(part.block)
              )
            )
          ])
    )
  }
  const canRead = url === undefined && app?.getHostCapabilities()?.serverResources !== undefined
  return h(
    "div",
    { class: "mg-stack" },
    h(
      "div",
      { class: "mg-file" },
      icon(url === undefined ? "file" : "open"),
      h(
        "div",
        { class: "mg-grow" },
        h("div", {}, link(uri, name)),
        description !== undefined && h("div", { class: "mg-item-text" }, description),
        h(
          "div",
          { class: "mg-muted mg-small" },
          [name === uri ? "" : uri, mimeType ?? "", size === undefined ? "" : fmt.bytes(size)]
            .filter((part) => part !== "")
            .join(" · ")
        )
      ),
      canRead && button("Read", read, { small: true, title: `Read ${name}` })
    ),
    shown
  )
}
