import type { GraphOptions } from "../../../types/parts.d.ts"
import type { JsonRecord } from "../../domain/results/ResultColumn.ts"
import { readTone } from "./badge.ts"
import { h } from "./dom.ts"
import { fmt } from "./format.ts"
import { empty } from "./layout.ts"
import { picked } from "./picks.ts"
import { clip, firstMember, optionsOf, rowsOf, textOf } from "./values.ts"

const most = 40

interface Edge {
  readonly from: string
  readonly to: string
  readonly label: string
}

/** How many steps each thing is from where its arrows begin. Circles end where they meet themselves. */
const layersOf = (ids: ReadonlyArray<string>, edges: ReadonlyArray<Edge>): ReadonlyArray<ReadonlyArray<string>> => {
  const depth = new Map<string, number>()
  const depthOf = (id: string, above: ReadonlySet<string>): number => {
    const known = depth.get(id)
    if (known !== undefined) return known
    const before = edges.filter(({ from, to }) => to === id && !above.has(from))
    const found = Math.max(0, ...before.map(({ from }) => depthOf(from, new Set([...above, id])) + 1))
    depth.set(id, found)
    return found
  }
  const layers: Array<Array<string>> = []
  for (const id of ids) (layers[depthOf(id, new Set([id]))] ??= []).push(id)
  return layers.filter((layer) => layer !== undefined)
}

/** Where along a line its name stands when it is near the second of its boxes. */
const NEAR_END = 0.7

const svg = "http://www.w3.org/2000/svg"

/** Draws the bonds between boxes that have their places, and again whenever these change. */
const drawBonds = (frame: HTMLElement, bonds: ReadonlyArray<readonly [HTMLElement, HTMLElement, string]>): void => {
  const drawing = document.createElementNS(svg, "svg")
  drawing.setAttribute("class", "mg-bonds")
  drawing.setAttribute("aria-hidden", "true")
  frame.prepend(drawing)
  const countAt = (box: HTMLElement): number => bonds.filter(([from, to]) => from === box || to === box).length
  const draw = (): void => {
    const whole = frame.getBoundingClientRect()
    const names: Array<Element> = []
    const isColumn = getComputedStyle(frame).flexDirection === "column"
    drawing.replaceChildren(
      ...bonds.flatMap(([from, to, label]): ReadonlyArray<Element> => {
        const [a, b] = [from.getBoundingClientRect(), to.getBoundingClientRect()]
        const isDown = b.top >= a.bottom && (isColumn || (b.left < a.right && a.left < b.right))
        const side = b.left >= a.left ? 1 : -1
        const start = isDown
          ? { x: a.left + a.width / 2, y: a.bottom }
          : { x: side > 0 ? a.right : a.left, y: a.top + a.height / 2 }
        const end = isDown
          ? { x: b.left + b.width / 2, y: b.top }
          : { x: side > 0 ? b.left : b.right, y: b.top + b.height / 2 }
        const [x1, y1, x2, y2] = [start.x - whole.left, start.y - whole.top, end.x - whole.left, end.y - whole.top].map(
          Math.round
        ) as [number, number, number, number]
        const [mx, my] = [(x1 + x2) / 2, (y1 + y2) / 2]
        const line = document.createElementNS(svg, "path")
        line.setAttribute(
          "d",
          isDown
            ? `M${x1} ${y1}C${x1} ${my} ${x2} ${my} ${x2} ${y2}`
            : `M${x1} ${y1}C${mx} ${y1} ${mx} ${y2} ${x2} ${y2}`
        )
        const head = document.createElementNS(svg, "path")
        head.setAttribute("class", "mg-arrow")
        head.setAttribute("d", `M${x2} ${y2}l${isDown ? "-4-8h8" : `${-8 * side}-4v8`}z`)
        // Where the line has more room: at the end that has fewer of them.
        const isNearEnd = countAt(from) > countAt(to)
        const share = isNearEnd ? NEAR_END : 1 - NEAR_END
        const at = (first: number, last: number): number => Math.round(first + (last - first) * share)
        const name = document.createElementNS(svg, "text")
        name.setAttribute("x", String(isDown ? at(x1, x2) : mx))
        name.setAttribute("y", String((isDown ? at(y1, y2) : my) + 4))
        name.textContent = clip(label, 24)
        if (label !== "" && bonds.length <= 14) names.push(name)
        return [line, head]
      })
    )
    // Above all lines.
    drawing.append(...names)
  }
  new ResizeObserver(draw).observe(frame)
}

/** Things and what binds them: boxes in the order of their arrows; of more than forty, those with the most bonds. */
export const graph = (nodes?: unknown, edges?: unknown, options?: Partial<GraphOptions>): HTMLElement => {
  const given = optionsOf<GraphOptions>(options)
  const read = rowsOf(edges, ["from", "to"]).map((edge): Edge => ({
    from: textOf(firstMember(edge, ["from", "source", "start", "subject"])),
    to: textOf(firstMember(edge, ["to", "target", "end", "object"])),
    label: textOf(firstMember(edge, ["label", "relationType", "relation", "type", "name"]))
  }))
  const known = new Map<string, JsonRecord>(
    rowsOf(nodes, ["name"]).map((node) => [
      textOf(given.id === undefined ? (node.id ?? node.name ?? node.label ?? node.value) : node[given.id]),
      node
    ])
  )
  for (const name of read.flatMap(({ from, to }) => [from, to]))
    if (name !== "" && !known.has(name)) known.set(name, { name })
  if (known.size === 0) return empty(given.empty)
  const degree = (id: string): number => read.filter(({ from, to }) => from === id || to === id).length
  const shown = [...known.keys()].toSorted((left, right) => degree(right) - degree(left)).slice(0, most)
  const lines = read.filter(({ from, to }) => from !== to && shown.includes(from) && shown.includes(to))
  const groupOf = (node: JsonRecord): string =>
    textOf(
      picked(
        node,
        given.group ?? (({ entityType, type, group, kind }: JsonRecord) => entityType ?? type ?? group ?? kind),
        "badge"
      )
    )
  const groups = [...new Set(shown.map((id) => groupOf(known.get(id) ?? {})))]
  const boxes = new Map(
    shown.map((id) => {
      const node = known.get(id) ?? {}
      const group = groupOf(node)
      const tone = node.tone === undefined ? undefined : readTone(node.tone)
      return [
        id,
        h(
          "li",
          {
            class: `mg-node mg-s${groups.indexOf(group) % 8}`,
            style: tone === undefined ? undefined : { "--c": `var(--mg-${tone})` },
            title: id
          },
          h("b", {}, clip(textOf(picked(node, given.title, "title")) || id, 40)),
          group !== "" && h("small", {}, group)
        )
      ]
    })
  )
  const box = (id: string): HTMLElement => boxes.get(id) ?? h("li")
  const [bound, single] = [shown.filter((id) => degree(id) > 0), shown.filter((id) => degree(id) === 0)]
  const layers = layersOf(bound, lines)
  const frame = h(
    "figure",
    {
      // A narrow frame has no room for three boxes beside each other: there the relations stand as lines.
      class: ["mg-graph", layers.length > 4 && "mg-graph-down", layers.some(({ length }) => length > 2) && "mg-broad"],
      "aria-label": `${fmt.plural(known.size, "node")}, ${fmt.plural(read.length, "relation")}`
    },
    layers.map((layer) => h("ul", { class: "mg-layer" }, layer.map(box))),
    h(
      "ul",
      { class: "mg-hidden" },
      lines.map(({ from, to, label }) => h("li", {}, h("b", {}, from), ` ${label} → `, h("b", {}, to)))
    )
  )
  drawBonds(
    frame,
    lines.map(({ from, to, label }) => [box(from), box(to), label] as const)
  )
  return h(
    "div",
    { class: "mg-stack" },
    layers.length > 0 && frame,
    single.length > 0 && h("ul", { class: "mg-layer mg-layer-single" }, single.map(box)),
    known.size > most &&
      h("p", { class: "mg-muted mg-small" }, `${fmt.number(most)} of ${fmt.number(known.size)} are drawn.`)
  )
}
