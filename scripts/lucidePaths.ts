import lucide from "@iconify-json/lucide/icons.json" with { type: "json" }

/** An oval by its centre and its two radii. */
const oval = (x: number, y: number, rx: number, ry: number): string =>
  `M${x - rx} ${y}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0`

const box = (x: number, y: number, width: number, height: number, r: number): string => {
  const corner = (dx: number, dy: number): string => (r === 0 ? "" : `a${r} ${r} 0 0 1 ${dx} ${dy}`)
  return (
    `M${x + r} ${y}h${width - 2 * r}${corner(r, r)}v${height - 2 * r}${corner(-r, r)}` +
    `h${2 * r - width}${corner(-r, -r)}v${2 * r - height}${corner(r, -r)}z`
  )
}

/** A path that does not begin where another one has ended: its first move, and only that, is absolute. */
const standalone = (d: string): string =>
  d.replace(/^m\s*(-?[\d.]+)[ ,]?(-?(?:\d+\.?\d*|\.\d+))\s*(?=(.?))/, (_, x: string, y: string, next: string) => {
    const goesOn = /[-\d.]/.test(next)
    return `M${x} ${y}${goesOn ? "l" : ""}`
  })

const pathOf = (tag: string, attributes: string): string => {
  const text = (name: string): string => new RegExp(`(?:^| )${name}="([^"]*)"`).exec(attributes)?.[1] ?? ""
  const number = (name: string): number => Number(text(name))
  if (tag === "path") return standalone(text("d"))
  if (tag === "circle") return oval(number("cx"), number("cy"), number("r"), number("r"))
  if (tag === "ellipse") return oval(number("cx"), number("cy"), number("rx"), number("ry"))
  if (tag === "rect")
    return box(number("x"), number("y"), number("width"), number("height"), number("rx") || number("ry"))
  throw new Error(`an icon of Lucide has <${tag}>, which has no path here`)
}

const drawingOf = (body: string): string =>
  Array.from(body.matchAll(/<(?!g\b)(\w+) ([^>]*?)\/?>/g), ([, tag = "", attributes = ""]) =>
    pathOf(tag, attributes)
  ).join("")

/** The icons of Lucide on their grid of 24 by 24, each as one path, by all names that they have had. */
export const lucidePaths = (): Readonly<Record<string, string>> => {
  const paths = Object.entries(lucide.icons).map(([name, { body }]) => [name, drawingOf(body)] as const)
  const byName = new Map(paths)
  const former = Object.entries(lucide.aliases).flatMap(([name, { parent }]) => {
    const path = byName.get(parent)
    return path === undefined ? [] : [[name, path] as const]
  })
  return Object.fromEntries([...paths, ...former])
}
