import type { RequestOptions } from "../../../types/parts.d.ts"
import type { Tone } from "../parts/badge.ts"
import type { Child } from "../parts/dom.ts"
import {
  addSheet,
  code,
  copyButton,
  detail,
  disclosure,
  fmt,
  h,
  isEmpty,
  isPlain,
  jsonOf,
  optionsOf,
  textOf
} from "../parts/kit.ts"

const tones: Readonly<Record<string, Tone>> = { 2: "success", 3: "info", 4: "warning", 5: "danger" }

const toneOfStatus = (status: string): Tone => tones[status.slice(0, 1)] ?? "neutral"

const bodyOf = (body: unknown): string => (typeof body === "string" ? body : jsonOf(body, 2))

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const curlOf = (method: string, url: string, { body, headers }: Partial<RequestOptions>): string =>
  [
    `curl -X ${method} ${quoted(url)}`,
    ...Object.entries(isPlain(headers) ? headers : {}).map(
      ([name, value]) => `-H ${quoted(`${name}: ${textOf(value)}`)}`
    ),
    ...(isEmpty(body) ? [] : [`-d ${quoted(bodyOf(body))}`])
  ].join(" \\\n  ")

/** One HTTP request, with its response where there is one. */
export const request = (options?: Partial<RequestOptions>): HTMLElement => {
  const given = optionsOf<RequestOptions>(options)
  const method = textOf(given.method).toUpperCase() || "GET"
  const url = textOf(given.url)
  const status = textOf(given.status)
  const block = (title: string, value: unknown): Child =>
    !isEmpty(value) &&
    disclosure(
      title,
      () => (isPlain(value) && title !== "Body" && title !== "Response" ? detail(value) : code(bodyOf(value), {})),
      { open: title === "Response" }
    )
  return h(
    "div",
    { class: "mg-request" },
    h(
      "div",
      { class: "mg-request-line" },
      h("b", { class: "mg-method" }, method),
      h("code", { class: "mg-grow" }, url),
      status !== "" &&
        h(
          "span",
          { class: `mg-badge mg-${toneOfStatus(status)}` },
          status,
          isEmpty(given.statusText) ? "" : ` ${textOf(given.statusText)}`
        ),
      !isEmpty(given.ms) && h("span", { class: "mg-item-meta" }, fmt.duration(given.ms, "ms")),
      url !== "" && copyButton(() => curlOf(method, url, given), undefined, "Copy cURL")
    ),
    block("Query", given.query),
    block("Headers", given.headers),
    block("Body", given.body),
    block("Response headers", given.responseHeaders),
    block("Response", given.response)
  )
}

addSheet(
  "request",
  `
.mg-request{background:$bg;border:$bw solid $border;border-radius:$r3;padding:12px 16px;display:grid;gap:6px}
.mg-request-line{display:flex;flex-wrap:wrap;gap:6px 12px;align-items:center}
.mg-method{font:600 $xs $mono;padding:3px 8px;border-radius:$r1;background:$accent-bg;color:$accent}
`
)
