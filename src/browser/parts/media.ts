import { isObject } from "../../domain/isObject.ts"
import type { CodeOptions, ImageOptions } from "../../../types/parts.d.ts"
import { numberOf } from "../../domain/results/ResultColumn.ts"
import { isSvg, withoutEscapes } from "../../domain/results/ResultText.ts"
import { button } from "./button.ts"
import { coloured, hasColours } from "./codeColours.ts"
import { copyButton } from "./copyButton.ts"
import { type Child, h, link, safeUrl } from "./dom.ts"
import { icon } from "./icons.ts"
import { fmt } from "./format.ts"
import { changesIn, lines } from "./lines.ts"
import { jsonOf, optionsOf, textOf } from "./values.ts"

const bytesOf = (text: string): number => new TextEncoder().encode(text).length

/** Shows at most about `max` UTF-8 bytes of a text, with a button for all of it. `draw` makes the node for a text. */
export const bounded = (text: string, max: number, draw: (text: string) => Node): Node => {
  if (text.length <= max && (text.length * 3 <= max || bytesOf(text) <= max)) return draw(text)
  // Decode as a stream: it drops half a character at the end.
  const cut = new TextDecoder().decode(new TextEncoder().encode(text.slice(0, max)).slice(0, max), { stream: true })
  const frame = h("div", { class: "mg-stack" }, draw(cut))
  const note = h(
    "div",
    { class: "mg-toolbar" },
    h("span", { class: "mg-muted" }, `The first ${fmt.bytes(bytesOf(cut))} of ${fmt.bytes(bytesOf(text))}.`),
    button("Show all", () => frame.replaceChildren(draw(text)), { small: true })
  )
  frame.appendChild(note)
  return frame
}

/** Lines behind their numbers, which stand as wide as the last of them. */
const numbered = (text: string, first: number, language: string): Child => {
  const all = text.replace(/\n$/, "").split("\n")
  return h(
    "code",
    { style: { "--n": `${first + all.length - 1}`.length } },
    all.map((line, at) =>
      h("span", { class: "mg-numbered", data: { line: first + at } }, hasColours(language) ? coloured(line) : line)
    )
  )
}

export const code = (content?: unknown, options?: Partial<CodeOptions> | string): HTMLElement => {
  const given = typeof options === "string" ? { language: options } : optionsOf<CodeOptions>(options)
  const language = textOf(given.language)
  const source =
    typeof content === "object" && content !== null && !(content instanceof Node) ? jsonOf(content, 2) : textOf(content)
  const label = textOf(given.title) || language
  const isNumbered = given.lines !== undefined && given.lines !== false
  const changes = language === "diff" ? changesIn(source) : undefined
  const draw = (text: string): HTMLElement =>
    h(
      "pre",
      {
        class: `mg-pre${(given.wrap ?? (hasColours(language) || isNumbered)) ? " mg-wrap" : ""}`,
        tabindex: 0,
        role: "group",
        "aria-label": label || "Text"
      },
      isNumbered
        ? numbered(text, numberOf(given.lines) ?? 1, language)
        : h("code", {}, hasColours(language) ? coloured(withoutEscapes(text)) : lines(text, language))
    )
  const body = h("div", {}, bounded(source, numberOf(given.maxBytes) ?? 102_400, draw))
  return h(
    "div",
    { class: "mg-code" },
    h(
      "div",
      { class: "mg-code-head" },
      h("span", {}, textOf(given.title)),
      changes !== undefined && [
        h("span", { class: "mg-tone-success" }, `+${changes.added}`),
        h("span", { class: "mg-tone-danger" }, `−${changes.removed}`)
      ],
      copyButton(() => withoutEscapes(source), body)
    ),
    body
  )
}

export const json = (
  value?: unknown,
  options?: { readonly maxBytes?: number; readonly title?: string }
): HTMLElement => {
  const given = optionsOf<{ readonly maxBytes: number; readonly title: string }>(options)
  return code(value === undefined ? "" : jsonOf(value, 2), { language: "JSON", wrap: true, ...given })
}

/** A picture that is smaller than this is shown two to four times its size, in CSS pixels. */
const SMALL = 240

/** Hosts block all addresses but `data:`: the others become links. */
export const image = (source?: unknown, options?: Partial<ImageOptions>): HTMLElement => {
  const given = optionsOf<ImageOptions>(options)
  const record = isObject(source) && !(source instanceof Node) ? source : undefined
  const raw = textOf(record === undefined ? source : (record.data ?? record.src ?? record.url)).trim()
  const mimeType = textOf(record?.mimeType) || "image/png"
  const isBase64 = record !== undefined && raw !== "" && /^[A-Za-z0-9+/=\s_-]+$/.test(raw.slice(0, 200))
  const url = isSvg(raw)
    ? `data:image/svg+xml;charset=utf-8,${encodeURIComponent(raw.replace(/[\uD800-\uDFFF]/gu, "\uFFFD"))}`
    : isBase64
      ? `data:${mimeType};base64,${raw.replace(/\s/g, "")}`
      : raw
  const alt = textOf(given.alt) || textOf(given.caption)
  if (!/^data:image\//i.test(url))
    return safeUrl(url) === undefined
      ? h("p", { class: "mg-muted" }, "No picture.")
      : h("p", {}, link(url, alt || undefined))
  const picture = h("img", {
    src: url,
    alt,
    class: "mg-image",
    width: numberOf(given.width),
    height: numberOf(given.height)
  })
  const caption = h(
    "figcaption",
    { class: "mg-muted" },
    given.caption !== undefined && given.caption !== null && h("span", {}, given.caption)
  )
  const figure = h("figure", { class: "mg-figure" }, h("div", { class: "mg-frame" }, picture), caption)
  picture.addEventListener("load", () => {
    const { naturalWidth, naturalHeight } = picture
    const times = Math.floor(SMALL / Math.max(1, naturalWidth, naturalHeight))
    if (times > 1 && !picture.hasAttribute("width")) {
      picture.style.width = `${naturalWidth * Math.min(4, times)}px`
      if (naturalWidth < 64) picture.style.imageRendering = "pixelated"
    }
    requestAnimationFrame(() => offerFullSize(figure, picture, alt))
  })
  picture.addEventListener("error", () => {
    figure.replaceChildren(
      h(
        "p",
        { class: "mg-muted mg-lost" },
        icon("file"),
        alt || "Picture",
        " — this host does not show it, or it is damaged."
      )
    )
  })
  return figure
}

const offerFullSize = (figure: HTMLElement, picture: HTMLImageElement, alt: string): void => {
  const isCut = picture.clientWidth > 0 && picture.naturalWidth > picture.clientWidth * 1.15
  if (!isCut || figure.querySelector("button") !== null) return
  const frame = picture.parentElement as HTMLElement
  const toggle = button(
    "Full size",
    () => {
      const isFull = frame.classList.toggle("mg-full")
      frame.tabIndex = isFull ? 0 : -1
      toggle.textContent = isFull ? "Fit" : "Full size"
      toggle.setAttribute("aria-pressed", String(isFull))
    },
    { small: true, kind: "plain", title: `Full size: ${alt || "picture"}` }
  )
  frame.setAttribute("role", "group")
  frame.setAttribute("aria-label", alt || "Picture")
  picture.addEventListener("click", () => toggle.click())
  figure.lastElementChild?.append(toggle)
}
