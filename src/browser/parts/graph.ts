import type { GraphOptions } from "../../../types/parts.d.ts"
import type { JsonRecord } from "../../domain/results/ResultColumn.ts"
import { hashOf } from "./accent.ts"
import { type Child, h } from "./dom.ts"
import { fmt } from "./format.ts"
import { empty } from "./layout.ts"
import { picked } from "./picks.ts"
import { clip, firstMember, optionsOf, rowsOf, textOf } from "./values.ts"

const [width, most] = [640, 40]

interface Edge {
  readonly from: string
  readonly to: string
  readonly label: string
}

/** Things and what binds them, as a drawing; of more than forty, those with the most bonds. */
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
  const shown = [...known].toSorted(([left], [right]) => degree(right) - degree(left)).slice(0, most)
  const height = shown.length < 3 ? 160 : Math.min(440, 200 + shown.length * 16)
  // Springs and repulsion from a circle: the same drawing for the same data.
  const at = shown.map((_, index) => {
    const angle = (index / shown.length) * 2 * Math.PI - Math.PI / 2
    return { x: width / 2 + Math.cos(angle) * width * 0.33, y: height / 2 + Math.sin(angle) * height * 0.34 }
  })
  const indexOf = new Map(shown.map(([id], index) => [id, index]))
  const lines = read.flatMap((edge) => {
    const [from, to] = [indexOf.get(edge.from), indexOf.get(edge.to)]
    return from === undefined || to === undefined || from === to ? [] : [{ edge, from, to }]
  })
  for (let round = 0; round < 120; round++) {
    const heat = 12 * (1 - round / 120)
    const force = at.map(() => ({ x: 0, y: 0 }))
    const push = (left: number, right: number, strength: (distance: number) => number): void => {
      const [a, b] = [at[left], at[right]]
      const [fa, fb] = [force[left], force[right]]
      if (a === undefined || b === undefined || fa === undefined || fb === undefined) return
      const [dx, dy] = [a.x - b.x || 0.1, (a.y - b.y) * 1.6 || 0.1]
      const distance = Math.hypot(dx, dy)
      const size = strength(distance) / distance
      fa.x += dx * size
      fa.y += dy * size
      fb.x -= dx * size
      fb.y -= dy * size
    }
    for (let left = 0; left < at.length; left++)
      for (let right = 0; right < left; right++) push(left, right, (distance) => 9000 / distance ** 1.4)
    for (const { from, to } of lines) push(from, to, (distance) => -(distance - 120) / 4)
    at.forEach((place, index) => {
      const { x = 0, y = 0 } = force[index] ?? {}
      const size = Math.max(1, Math.hypot(x, y))
      place.x = Math.min(width - 70, Math.max(70, place.x + (x / size) * Math.min(size, heat)))
      place.y = Math.min(height - 26, Math.max(22, place.y + (y / size) * Math.min(size, heat)))
    })
  }
  const groups = [
    ...new Set(
      shown.map(([, node]) =>
        textOf(
          picked(
            node,
            given.group ?? ((record: JsonRecord) => record.entityType ?? record.type ?? record.group ?? record.kind),
            "badge"
          )
        )
      )
    )
  ]
  const colourOf = (node: JsonRecord): number => {
    const group = textOf(
      picked(
        node,
        given.group ?? ((record: JsonRecord) => record.entityType ?? record.type ?? record.group ?? record.kind),
        "badge"
      )
    )
    return groups.length > 1 ? groups.indexOf(group) % 8 : hashOf(group) % 8
  }
  const label = (id: string, node: JsonRecord): string => clip(textOf(picked(node, given.title, "title")) || id, 22)
  return h(
    "figure",
    { class: "mg-graph" },
    h(
      "svg",
      {
        viewBox: `0 0 ${width} ${height}`,
        role: "img",
        "aria-label": `${fmt.plural(known.size, "node")}, ${fmt.plural(read.length, "relation")}`
      },
      lines.map(({ edge, from, to }): Child => {
        const [a, b] = [at[from] ?? { x: 0, y: 0 }, at[to] ?? { x: 0, y: 0 }]
        return [
          h("line", { class: "mg-edge", x1: a.x, y1: a.y, x2: b.x, y2: b.y }),
          lines.length <= 16 &&
            h(
              "text",
              { class: "mg-tick mg-edge-name", x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 - 4, "text-anchor": "middle" },
              clip(edge.label, 24)
            )
        ]
      }),
      shown.map(([id, node], index) => {
        const { x, y } = at[index] ?? { x: 0, y: 0 }
        return h(
          "g",
          { class: `mg-s${colourOf(node)}` },
          h("title", {}, id),
          h("circle", { class: "mg-mark mg-dot", cx: x, cy: y, r: 8 }),
          h("text", { class: "mg-place-name", x, y: y + 22, "text-anchor": "middle" }, label(id, node))
        )
      })
    ),
    groups.length > 1 &&
      groups.length <= 8 &&
      h(
        "ul",
        { class: "mg-legend" },
        groups.filter(Boolean).map((group) => h("li", { class: `mg-s${groups.indexOf(group) % 8}` }, h("i"), group))
      ),
    known.size > most &&
      h("p", { class: "mg-muted mg-small" }, `${fmt.number(most)} of ${fmt.number(known.size)} are drawn.`)
  )
}
