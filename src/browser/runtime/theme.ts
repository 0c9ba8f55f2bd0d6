import { isObject } from "../../domain/isObject.ts"
import type { HostContext } from "./types.ts"

export type Theme = "light" | "dark"

/** ext-apps: the theme that the document has now. */
export const getDocumentTheme = (): Theme => {
  const { dataset, classList } = document.documentElement
  if (dataset.theme === "dark" || dataset.theme === "light") return dataset.theme
  return classList.contains("dark") ? "dark" : "light"
}

/** ext-apps: sets `data-theme` and `color-scheme` on the root element. */
export const applyDocumentTheme = (theme: Theme): void => {
  document.documentElement.dataset.theme = theme
  document.documentElement.style.colorScheme = theme
}

/** ext-apps: sets the host's style variables on an element. */
export const applyHostStyleVariables = (
  variables: Readonly<Record<string, unknown>>,
  root: HTMLElement = document.documentElement
): void => {
  for (const [name, value] of Object.entries(variables)) {
    if (name.startsWith("--") && typeof value === "string") root.style.setProperty(name, value)
  }
}

const FONTS_ID = "__mcp-host-fonts"

/** ext-apps: adds the host's font rules; a second call replaces them. */
export const applyHostFonts = (css: string): void => {
  let element = document.getElementById(FONTS_ID)
  if (element === null) {
    element = document.createElement("style")
    element.id = FONTS_ID
    document.head.append(element)
  }
  if (element.textContent !== css) element.textContent = css
}

const isColour = (name: string): boolean => name.startsWith("--color-") || name.startsWith("--shadow-")

/** The theme that a background suits; none where it knows both. */
const themeOfBackground = (background: unknown): Theme | undefined => {
  if (typeof background !== "string" || background.includes("light-dark(")) return undefined
  const probe = document.createElement("i")
  probe.style.color = `rgb(from ${background} r g b)`
  if (probe.style.color === "") return undefined
  document.documentElement.append(probe)
  const [red = 0, green = 0, blue = 0] =
    getComputedStyle(probe)
      .color.match(/[\d.]+/g)
      ?.map(Number) ?? []
  probe.remove()
  return red * 0.3 + green * 0.6 + blue * 0.1 < 0.5 ? "dark" : "light"
}

const givenDirection = document.documentElement.dir
/** Languages that are written from right to left. */
const RIGHT_TO_LEFT = /^(ar|fa|he|iw|ur|ps|sd|ug|yi|dv|ckb)\b/

const dark = matchMedia("(prefers-color-scheme: dark)")
let appliedVariables: ReadonlyArray<string> = []
let latest: { context: HostContext; wanted: Theme | "system" } = { context: {}, wanted: "system" }

const applyLatest = (): void => {
  const { context, wanted } = latest
  const root = document.documentElement
  const styles = isObject(context.styles?.variables) ? context.styles.variables : {}
  // Some hosts send their colours and no theme.
  const hostTheme =
    context.theme === "dark" || context.theme === "light"
      ? context.theme
      : themeOfBackground(styles["--color-background-primary"])
  const theme = wanted === "system" ? hostTheme : wanted
  if (theme === undefined) root.dataset.theme = dark.matches ? "dark" : "light"
  else applyDocumentTheme(theme)

  // The host's colours belong to the host's theme: another theme takes only those that know both.
  const foreign = wanted !== "system" && hostTheme !== undefined && hostTheme !== wanted
  const variables = Object.entries(styles).filter(
    ([name, value]) => !foreign || !isColour(name) || (typeof value === "string" && value.includes("light-dark("))
  )
  for (const name of appliedVariables) root.style.removeProperty(name)
  applyHostStyleVariables(Object.fromEntries(variables))
  appliedVariables = variables.map(([name]) => name)

  const { locale } = context
  if (typeof locale === "string") {
    root.lang = locale
    root.dir = RIGHT_TO_LEFT.test(locale) ? "rtl" : givenDirection
  }

  const fonts = context.styles?.css?.fonts
  if (typeof fonts === "string") applyHostFonts(fonts)

  const insets = context.safeAreaInsets
  for (const side of ["top", "right", "bottom", "left"] as const) {
    const inset = Number(insets?.[side])
    root.style.setProperty(`padding-${side}`, inset > 0 ? `${inset}px` : "")
  }

  const { height, maxWidth } = context.containerDimensions ?? {}
  root.style.minHeight = typeof height === "number" ? `${height}px` : ""
  root.style.maxWidth = typeof maxWidth === "number" ? `${maxWidth}px` : ""
  root.style.boxSizing = "border-box"
}

dark.addEventListener("change", applyLatest)

/**
 * Makes the document follow the host: theme, style variables, fonts, safe area, container. `wanted`
 * other than `system` is the tool's own choice and stands above the host's theme.
 */
export const applyHostContext = (context: HostContext, wanted: Theme | "system"): void => {
  latest = { context, wanted }
  applyLatest()
}
