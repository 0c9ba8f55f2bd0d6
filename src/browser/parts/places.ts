import type { MapOptions } from "../../../types/parts.d.ts"
import { type JsonRecord, numberOf } from "../../domain/results/ResultColumn.ts"
import { type Child, h } from "./dom.ts"
import { fmt } from "./format.ts"
import { empty } from "./layout.ts"
import { picked, titleNode } from "./picks.ts"
import { clip, firstMember, memberOf, optionsOf, rowsOf, textOf } from "./values.ts"

const [width, height, margin] = [640, 320, 36]
const most = 300

interface Place {
  readonly item: JsonRecord
  readonly lat: number
  readonly lon: number
}

const within = (item: JsonRecord): JsonRecord => {
  const inner = firstMember(item, ["location", "coordinates", "position", "geometry.location", "geo"])
  return typeof inner === "object" && inner !== null ? (inner as JsonRecord) : {}
}

const placeOf = (item: JsonRecord, given: Partial<MapOptions>): Place | undefined => {
  const read = (pick: unknown, names: string): number | undefined => {
    if (typeof pick === "string") return numberOf(memberOf(item, pick))
    const keys = names.split(" ")
    return numberOf(firstMember(item, keys) ?? firstMember(within(item), keys))
  }
  const lat = read(given.lat, "lat latitude y")
  const lon = read(given.lon, "lon lng longitude long x")
  return lat === undefined || lon === undefined || Math.abs(lat) > 90 || Math.abs(lon) > 360
    ? undefined
    : { item, lat, lon }
}

/** A round length for the scale: 1, 2 or 5 of some power of ten, in metres. */
const roundLength = (metres: number): number => {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, metres)))
  return power * (metres / power >= 5 ? 5 : metres / power >= 2 ? 2 : 1)
}

/** Points where they lie to each other, with a scale: no tiles, because hosts load nothing. */
export const map = (items?: unknown, options?: Partial<MapOptions>): HTMLElement => {
  const given = optionsOf<MapOptions>(options)
  const places = rowsOf(items, ["title"])
    .map((item) => placeOf(item, given))
    .filter((place) => place !== undefined)
    .slice(0, most)
  if (places.length === 0) return empty(given.empty ?? "No places.")
  const lats = places.map(({ lat }) => lat)
  const lons = places.map(({ lon }) => lon)
  const middle = (Math.min(...lats) + Math.max(...lats)) / 2
  const squeeze = Math.max(0.05, Math.cos((middle * Math.PI) / 180))
  const centre = (Math.min(...lons) + Math.max(...lons)) / 2
  const spanX = Math.max((Math.max(...lons) - Math.min(...lons)) * squeeze, 0.002)
  const spanY = Math.max(Math.max(...lats) - Math.min(...lats), 0.002)
  const scale = Math.min((width - 2 * margin - 60) / spanX, (height - 2 * margin) / spanY)
  const x = (lon: number): number => width / 2 + (lon - centre) * squeeze * scale
  const y = (lat: number): number => height / 2 - (lat - middle) * scale
  const metresPerPixel = 111_320 / scale
  const length = roundLength(metresPerPixel * 120)
  const name = (item: JsonRecord): string => textOf(picked(item, given.title, "title"))
  const labelled = places.length <= 12
  return h(
    "figure",
    { class: "mg-map" },
    h(
      "svg",
      { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `Map of ${fmt.plural(places.length, "place")}` },
      Array.from({ length: 9 }, (_, at) =>
        h("path", { class: "mg-grid", d: `M${at * 80} 0V${height}M0 ${at * 80}H${width}` })
      ),
      places.map((place, at): Child => {
        const end = x(place.lon) > width * 0.66
        return h(
          "g",
          {},
          h("title", {}, name(place.item)),
          h("circle", { class: "mg-place", cx: x(place.lon), cy: y(place.lat), r: labelled ? 7 : 4 }),
          labelled &&
            h(
              "text",
              {
                class: "mg-place-name",
                x: x(place.lon) + (end ? -12 : 12),
                y: y(place.lat) + 4,
                "text-anchor": end ? "end" : "start"
              },
              places.length > 1 ? `${at + 1}  ` : "",
              clip(name(place.item), 28)
            )
        )
      }),
      h("path", { class: "mg-axis", fill: "none", d: `M16 ${height - 22}v6h${length / metresPerPixel}v-6` }),
      h(
        "text",
        { class: "mg-tick", x: 20, y: height - 26 },
        length >= 1000 ? `${fmt.number(length / 1000)} km` : `${length} m`
      )
    ),
    places.length > 1 &&
      labelled &&
      h(
        "ol",
        { class: "mg-map-list" },
        places.map(({ item }) =>
          h(
            "li",
            {},
            titleNode(item, given),
            " ",
            h("span", { class: "mg-muted" }, textOf(picked(item, given.text, "text")))
          )
        )
      )
  )
}
