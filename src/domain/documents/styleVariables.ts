/**
 * Values for the style variables of MCP Apps (2026-01-26, "Theming") in hosts that send none, light and dark. Pages that a
 * person wrote may use them without fallbacks.
 */

type Values = Readonly<Record<string, string>>

/** Light and dark; one value is for both. */
const COLORS: Readonly<Record<string, Values>> = {
  background: {
    primary: "#fff #191b20",
    secondary: "#f5f6f8 #22252b",
    tertiary: "#ebedf0 #2c3037",
    inverse: "#131418 #f4f5f7",
    ghost: "transparent",
    info: "#e8f1fd #16283f",
    danger: "#fdecea #3d1c1a",
    success: "#e6f5ec #16301f",
    warning: "#fdf3e0 #38290f",
    disabled: "#f0f1f3 #26292f"
  },
  text: {
    primary: "#131418 #f4f5f7",
    secondary: "#565a64 #b4b8c1",
    tertiary: "#6b7079 #979ca6",
    inverse: "#fff #131418",
    ghost: "#565a64 #b4b8c1",
    info: "#0f55b8 #8cb8f7",
    danger: "#b3261e #f5958f",
    success: "#0b6e36 #72d299",
    warning: "#865100 #eab45c",
    disabled: "#8c9099 #6f747d"
  },
  border: {
    primary: "#d3d6db #3d424b",
    secondary: "#e2e4e8 #30343b",
    tertiary: "#eceef1 #272a31",
    inverse: "#131418 #f4f5f7",
    ghost: "transparent",
    info: "#9cc2f5 #2f5a93",
    danger: "#f0a9a4 #8a3a35",
    success: "#93d2ad #2c6b45",
    warning: "#ecc988 #7d5b21",
    disabled: "#e2e4e8 #30343b"
  },
  ring: {
    primary: "#1a6be8 #8cb8f7",
    secondary: "#d3d6db #3d424b",
    inverse: "#fff #131418",
    info: "#1a6be8 #8cb8f7",
    danger: "#e23228 #f5958f",
    success: "#119848 #72d299",
    warning: "#bf7400 #eab45c"
  }
}

/** Size in rem and line height. */
const SIZES: Readonly<Record<string, Values>> = {
  text: { xs: ".75 1.4", sm: ".875 1.45", md: "1 1.5", lg: "1.125 1.5" },
  heading: {
    xs: ".875 1.4",
    sm: "1 1.4",
    md: "1.125 1.35",
    lg: "1.25 1.3",
    xl: "1.5 1.25",
    "2xl": "1.875 1.2",
    "3xl": "2.25 1.15"
  }
}

const OTHERS: Values = {
  "--font-sans": `system-ui,-apple-system,"Segoe UI",Roboto,sans-serif`,
  "--font-mono": "ui-monospace,SFMono-Regular,Menlo,Consolas,monospace",
  "--font-weight-normal": "400",
  "--font-weight-medium": "500",
  "--font-weight-semibold": "600",
  "--font-weight-bold": "700",
  "--border-radius-xs": "2px",
  "--border-radius-sm": "4px",
  "--border-radius-md": "6px",
  "--border-radius-lg": "8px",
  "--border-radius-xl": "12px",
  "--border-radius-full": "9999px",
  "--border-width-regular": "1px",
  "--shadow-hairline": "0 0 0 1px rgb(0 0 0/.08)",
  "--shadow-sm": "0 1px 2px rgb(0 0 0/.1)",
  "--shadow-md": "0 2px 8px rgb(0 0 0/.12)",
  "--shadow-lg": "0 8px 24px rgb(0 0 0/.16)"
}

const both = (groups: Readonly<Record<string, Values>>) =>
  Object.entries(groups).flatMap(([group, values]) =>
    Object.entries(values).map(([name, value]) => {
      const [first = "", second = first] = value.split(" ")
      return { name: `${group}-${name}`, first, second }
    })
  )

/** By name: the light value and the dark one. */
export const STYLE_VARIABLES: ReadonlyMap<string, readonly [light: string, dark: string]> = new Map([
  ...both(COLORS).map(({ first, name, second }) => [`--color-${name}`, [first, second]] as const),
  ...both(SIZES).flatMap(({ first, name, second }) => [
    [`--font-${name}-size`, [`${first}rem`, `${first}rem`]] as const,
    [`--font-${name}-line-height`, [second, second]] as const
  ]),
  ...Object.entries(OTHERS).map(([name, value]) => [name, [value, value]] as const)
])

/**
 * A style element with those that a source names; empty where it names none. What the host sends goes before it, and so
 * does what the page sets itself.
 */
export const styleVariablesFor = (source: string): string => {
  const named = [...STYLE_VARIABLES].filter(([name]) => source.includes(name))
  const rule = (selector: string, at: 0 | 1): string => {
    const values = named.filter(([, value]) => at === 0 || value[0] !== value[1])
    return values.length === 0
      ? ""
      : `:where(${selector}){${values.map(([name, value]) => `${name}:${value[at]}`).join(";")}}`
  }
  return named.length === 0 ? "" : `<style>${rule(":root", 0)}${rule(":root[data-theme=dark]", 1)}</style>`
}
