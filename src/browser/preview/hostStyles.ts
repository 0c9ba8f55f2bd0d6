import type { McpUiHostStyles, McpUiTheme } from "@modelcontextprotocol/ext-apps/app-bridge"

type Variables = NonNullable<McpUiHostStyles["variables"]>
type Pair = readonly [light: string, dark: string]

const kinds = ["info", "danger", "success", "warning"] as const

const backgrounds: Record<string, Pair> = {
  primary: ["#ffffff", "#1b1d21"],
  secondary: ["#f5f6f7", "#23262b"],
  tertiary: ["#ebedef", "#2c3036"],
  inverse: ["#1d2025", "#f1f2f4"],
  ghost: ["transparent", "transparent"],
  info: ["#e8f0fe", "#1a2b45"],
  danger: ["#fdecea", "#43201f"],
  success: ["#e6f4ea", "#173424"],
  warning: ["#fdf3dc", "#3d2f12"],
  disabled: ["#f0f1f2", "#26292e"]
}

const texts: Record<string, Pair> = {
  primary: ["#1d2025", "#f1f2f4"],
  secondary: ["#4d545e", "#b8bec7"],
  tertiary: ["#646b76", "#9aa1ac"],
  inverse: ["#ffffff", "#1d2025"],
  ghost: ["#646b76", "#9aa1ac"],
  info: ["#1a55b8", "#9cc3ff"],
  danger: ["#b3261e", "#ffaaa3"],
  success: ["#1c6b3a", "#8fdcae"],
  warning: ["#7a5200", "#f2cd7d"],
  disabled: ["#858b94", "#757c87"]
}

const borders: Record<string, Pair> = {
  primary: ["#d5d9de", "#3a3f47"],
  secondary: ["#e3e6e9", "#30343b"],
  tertiary: ["#eef0f2", "#292d33"],
  inverse: ["#1d2025", "#f1f2f4"],
  ghost: ["transparent", "transparent"],
  info: ["#a9c6f5", "#2c4d80"],
  danger: ["#f1b5b0", "#7a3733"],
  success: ["#a8d8b9", "#2a6444"],
  warning: ["#ecd08d", "#6d5521"],
  disabled: ["#e3e6e9", "#30343b"]
}

const ring = (name: string): Pair =>
  name === "inverse" ? ["#ffffff", "#1b1d21"] : (texts[name] ?? ["#2f6fde", "#7fb0ff"])

const sized = (
  kind: string,
  names: string,
  sizes: string,
  heights: string
): ReadonlyArray<readonly [string, string]> => {
  const [rems, lines] = [sizes.split(" "), heights.split(" ")]
  return names.split(" ").flatMap((name, at) => [
    [`--font-${kind}-${name}-size`, `${rems[at]}rem`],
    [`--font-${kind}-${name}-line-height`, String(lines[at])]
  ])
}

const sizes = [
  ...sized("text", "xs sm md lg", "0.75 0.8125 0.9375 1.0625", "1.4 1.45 1.5 1.5"),
  ...sized("heading", "xs sm md lg xl 2xl 3xl", "0.875 1 1.125 1.375 1.625 2 2.5", "1.4 1.35 1.3 1.25 1.25 1.2 1.15")
]

const fixed: Record<string, string> = {
  "--font-sans": 'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  "--font-mono": "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace",
  "--font-weight-normal": "400",
  "--font-weight-medium": "500",
  "--font-weight-semibold": "600",
  "--font-weight-bold": "700",
  "--border-radius-xs": "3px",
  "--border-radius-sm": "5px",
  "--border-radius-md": "8px",
  "--border-radius-lg": "12px",
  "--border-radius-xl": "16px",
  "--border-radius-full": "9999px",
  "--border-width-regular": "1px",
  "--shadow-hairline": "0 0 0 1px rgb(0 0 0 / 6%)",
  "--shadow-sm": "0 1px 2px rgb(0 0 0 / 8%)",
  "--shadow-md": "0 2px 8px rgb(0 0 0 / 10%)",
  "--shadow-lg": "0 8px 24px rgb(0 0 0 / 14%)"
}

const meanings: Record<string, Pair> = {
  info: ["#00308f", "#9ecbff"],
  danger: ["#8b0000", "#ffb3ad"],
  success: ["#004d1a", "#8ff0b0"],
  warning: ["#5c3a00", "#ffd97a"]
}

const inked = (name: string): Pair | undefined =>
  Object.hasOwn(meanings, name) ? meanings[name] : ["#000000", "#ffffff"]

/** In high contrast all that is written or drawn is black on white, or white on black; only meanings keep a hue. */
const strong: Record<"background" | "text" | "border", (name: string) => Pair | undefined> = {
  background: (name) => {
    if (name === "inverse") return ["#000000", "#ffffff"]
    return name === "ghost" ? undefined : ["#ffffff", "#000000"]
  },
  text: (name) => (name === "inverse" ? ["#ffffff", "#000000"] : inked(name)),
  border: (name) => (name === "ghost" ? undefined : inked(name))
}

/** Every style variable of MCP Apps, in the colours of the preview page, for one theme. */
export const hostStyles = (theme: McpUiTheme, contrast: "normal" | "more" = "normal"): McpUiHostStyles => {
  const pick = ([light, dark]: Pair) => (theme === "dark" ? dark : light)
  const named = (prefix: "background" | "text" | "border", pairs: Record<string, Pair>) =>
    Object.entries(pairs).map(([name, pair]) => {
      const stronger = contrast === "more" ? strong[prefix](name) : undefined
      return [`--color-${prefix}-${name}`, pick(stronger ?? pair)] as const
    })
  const rings = ["primary", "secondary", "inverse", ...kinds].map(
    (name) => [`--color-ring-${name}`, pick(name === "primary" ? ["#2f6fde", "#7fb0ff"] : ring(name))] as const
  )
  const variables = Object.fromEntries([
    ...named("background", backgrounds),
    ...named("text", texts),
    ...named("border", borders),
    ...rings,
    ...sizes,
    ...Object.entries(fixed)
  ])
  return { variables: variables as Variables }
}
