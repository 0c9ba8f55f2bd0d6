import { fills, hues } from "./hues.ts"

/** Small, usual and large radius, and that of pills. */
const RADII = {
  none: "0 0 0 0",
  small: "3px 5px 7px 7px",
  large: "10px 16px 22px 999px"
} as const

const DENSITIES = {
  compact:
    "body{padding:12px 12px 24px}.mg-stack{gap:8px}.mg-app,.mg-content{gap:14px}.mg-button,.mg-input{min-height:30px;padding-block:2px}.mg-table th,.mg-table td{padding:4px 10px}",
  roomy:
    "body{padding:32px}.mg-stack{gap:18px}.mg-app,.mg-content{gap:28px}.mg-button,.mg-input{min-height:44px;padding-block:9px}.mg-table th,.mg-table td{padding:13px 16px}"
} as const

export const HOUSE_RADII = ["none", "small", "large"] as const satisfies ReadonlyArray<keyof typeof RADII>
export const HOUSE_DENSITIES = ["compact", "roomy"] as const satisfies ReadonlyArray<keyof typeof DENSITIES>

/** An accent of the house: a name of `hues`, or a colour. */
export const HOUSE_ACCENT =
  /^(?:blue|indigo|violet|plum|rose|orange|amber|green|teal|sky|slate|#[\dA-Fa-f]{3}|#[\dA-Fa-f]{6})$/

/** The name of one font family. */
export const FONT_NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,59}$/u

/** How all UIs look, built-in and generated (configuration `theme`). What is not said stays the host's, or ours. */
export interface HouseTheme {
  readonly accent?: string
  readonly radius?: (typeof HOUSE_RADII)[number]
  readonly density?: (typeof HOUSE_DENSITIES)[number]
  /** A file with a picture. */
  readonly logo?: string
  readonly font?: string
  readonly monoFont?: string
}

/** Relative luminance (WCAG 2.2). */
const luminance = (colour: ReadonlyArray<number>): number => {
  const [red = 0, green = 0, blue = 0] = colour.map((value) =>
    value <= 10 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4
  )
  return red * 0.2126 + green * 0.7152 + blue * 0.0722
}

/** The luminance that our own accents have, so that text of them can be read on the grounds that are mixed for them. */
const DARKEST = 0.11
const BRIGHTEST = 0.21

/** A colour of the house as text and lines can have it: a step at a time darker or brighter, until it can be read. */
const readable = (colour: ReadonlyArray<number>): ReadonlyArray<number> => {
  if (luminance(colour) > BRIGHTEST) return readable(colour.map((value) => value * 0.96))
  if (luminance(colour) < DARKEST) return readable(colour.map((value) => value + (255 - value) * 0.04))
  return colour
}

/** What `--mg-hue`, `--mg-fill` and `--mg-on-fill` are. Large surfaces have a colour of the house as it is. */
const accentOf = (accent: string): readonly [string, string, string] => {
  const named = hues[accent]
  const fill = fills[accent]
  if (named !== undefined) return [named, fill ?? "initial", fill === undefined ? "initial" : "#1d1300"]
  const digits = accent.length === 4 ? accent.replaceAll(/[^#]/g, "$&$&") : accent
  const colour = [1, 3, 5].map((at) => Number.parseInt(digits.slice(at, at + 2), 16))
  const hue = readable(colour).map(Math.round).join(" ")
  return [`rgb(${hue})`, digits, luminance(colour) > 0.179 ? "#000" : "#fff"]
}

/** The accent goes before what a view asks for, and before the one colour of a host that is its accent. */
const accentCss = (accent: string): string => {
  const [hue, fill, onFill] = accentOf(accent)
  return (
    `:root{--mg-hue:${hue}!important;--mg-fill:${fill}!important;--mg-on-fill:${onFill}!important;` +
    "--mg-solid:var(--h-accent,var(--mg-fill,color-mix(in oklab,var(--mg-hue) var(--f-vivid),var(--f-deep))))}" +
    ":root,.mg-own:not(.mg-solid){--mg-accent:var(--h-accent,color-mix(in oklab,var(--mg-hue) var(--f-vivid),var(--mg-text)))}"
  )
}

const radiusCss = (radius: keyof typeof RADII): string => {
  const [r1 = "", r2 = "", r3 = "", round = ""] = RADII[radius].split(" ")
  return `:root,.mg-own{--mg-r1:${r1};--mg-r2:${r2};--mg-r3:${r3};--mg-round:${round}}`
}

const fontCss = (name: string, font: string, others: string): string =>
  `:root,.mg-own{--mg-${name}:"${font}",${others}}`

const logoCss = (address: string): string =>
  `body::before{content:"";display:block;height:28px;margin-bottom:16px;background:url("${address}") left/contain no-repeat}`

/** The theme as a style sheet, to stand after that of the parts. `logo` is the picture as a `data:` URL. */
export const houseThemeCss = ({ accent, density, font, monoFont, radius }: HouseTheme, logo?: string): string =>
  [
    accent === undefined ? "" : accentCss(accent),
    radius === undefined ? "" : radiusCss(radius),
    density === undefined ? "" : DENSITIES[density],
    font === undefined ? "" : fontCss("font", font, "var(--font-sans,system-ui,sans-serif)"),
    monoFont === undefined ? "" : fontCss("mono", monoFont, "var(--font-mono,ui-monospace,monospace)"),
    logo === undefined ? "" : logoCss(logo)
  ].join("")
