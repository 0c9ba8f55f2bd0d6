import type { GalleryCase } from "../GalleryCase.ts"
import { longWord } from "../sampleData.ts"

const words = ["open", "closed", "failed", "pending", "warning", "success", "draft", "unknown-word"]
const tones = ["neutral", "info", "success", "warning", "danger"]

export const values: ReadonlyArray<GalleryCase> = [
  {
    id: "value-badges",
    title: "Badges",
    part: "badge",
    draw: ({ badge, row }) => [
      row(...words.map((word) => badge(word))),
      row(...tones.map((tone) => badge(tone, tone))),
      badge(["a", "list", "of", "badges"]),
      badge({ text: "As an object", tone: "info" }),
      badge(longWord),
      badge(null)
    ]
  },
  {
    id: "value-meters",
    title: "Meters",
    part: "meter",
    draw: ({ meter, stack }) =>
      stack(
        meter(0.3, { max: 1, label: "Of one" }),
        meter(30, { max: 120, label: "Disk", text: "30 of 120 GB" }),
        meter(100, { max: 100, label: "Full", tone: "danger" }),
        meter(0, { max: 10, label: "Empty" }),
        meter(140, { max: 100, label: "Too much", tone: "warning" }),
        meter("n/a", { label: "No number" })
      )
  },
  {
    id: "value-formats",
    title: "Formats",
    part: "fmt",
    draw: ({ fmt, table }) =>
      table(
        [
          ["number", fmt.number(1_234_567.891)],
          ["number, 1 digit, °C", fmt.number(21.44, { digits: 1, unit: "°C" })],
          ["number, compact", fmt.number(1_234_567, { compact: true })],
          ["number, sign", fmt.number(12, { sign: true })],
          ["money", fmt.money(1299.5, "EUR")],
          ["money, yen", fmt.money(1299, "JPY")],
          ["percent of 1", fmt.percent(0.042, { of: 1 })],
          ["percent of 100", fmt.percent(4.2, { of: 100 })],
          ["date", fmt.date("2026-05-20")],
          ["date, long, with time", fmt.date("2026-05-20T12:30:00Z", { time: true, style: "long" })],
          ["date of seconds", fmt.date(1_779_278_400)],
          ["time", fmt.time("2026-05-20T12:30:00Z")],
          ["bytes", fmt.bytes(123_456_789)],
          ["duration", fmt.duration(3725)],
          ["duration of milliseconds", fmt.duration(1500, "ms")],
          ["plural", `${fmt.plural(1, "issue")}, ${fmt.plural(4, "issue")}`],
          ["number of nothing", fmt.number(null)],
          ["date of nonsense", fmt.date("yesterday-ish")]
        ].map(([format, text]) => ({ format, text })),
        { columns: ["format", "text"], pageSize: 50 }
      )
  }
]
