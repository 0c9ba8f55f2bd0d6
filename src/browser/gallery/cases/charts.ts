import type { GalleryCase } from "../GalleryCase.ts"
import { days, longWord, regions } from "../sampleData.ts"

const part = "chart"
const line = { x: "date", y: ["high", "low"], unit: "°C" }

export const charts: ReadonlyArray<GalleryCase> = [
  {
    id: "chart-line",
    title: "Line",
    part,
    draw: ({ chart }) => chart.line(days(14), { ...line, title: "Temperatures" })
  },
  { id: "chart-area", title: "Area", part, draw: ({ chart }) => chart.area(days(14), { x: "date", y: "high" }) },
  {
    id: "chart-stacked",
    title: "Area, stacked",
    part,
    draw: ({ chart }) => chart.area(days(14), { x: "date", y: ["high", "low"], stacked: true })
  },
  {
    id: "chart-gaps",
    title: "Gaps",
    about: "Every fourth value is missing.",
    part,
    draw: ({ chart }) => chart.line(days(14), { x: "date", y: "rain", unit: "mm" })
  },
  {
    id: "chart-many",
    title: "Many points",
    about: "5,000 of them.",
    part,
    draw: ({ chart }) => chart.line(days(5000), line)
  },
  { id: "chart-one", title: "One point", part, draw: ({ chart }) => chart.line(days(1), line) },
  { id: "chart-bar", title: "Bars", part, draw: ({ chart }) => chart.bar(regions, { x: "region", y: "sales" }) },
  {
    id: "chart-bar-groups",
    title: "Bars in groups",
    part,
    draw: ({ chart }) =>
      chart.bar(regions, { x: "region", y: { sales: "Sales", target: "Target" }, type: "money", currency: "EUR" })
  },
  {
    id: "chart-bar-stacked",
    title: "Bars, stacked",
    part,
    draw: ({ chart }) => chart.bar(regions, { x: "region", y: ["sales", "returns"], stacked: true })
  },
  {
    id: "chart-bar-horizontal",
    title: "Bars with long names",
    part,
    draw: ({ chart }) =>
      chart.bar({ "A name of some length": 12, [longWord]: 30, "Of the third": 7 }, { horizontal: true })
  },
  {
    id: "chart-negative",
    title: "Below zero",
    part,
    draw: ({ chart }) =>
      chart.bar(
        [
          { month: "Jan", balance: -340 },
          { month: "Feb", balance: 120 },
          { month: "Mar", balance: -15 },
          { month: "Apr", balance: 410 }
        ],
        { x: "month", y: "balance" }
      )
  },
  {
    id: "chart-scatter",
    title: "Scatter",
    part,
    draw: ({ chart }) => chart.scatter(days(60), { x: "low", y: "high", unit: "°C" })
  },
  { id: "chart-pie", title: "Pie", part, draw: ({ chart }) => chart.pie(regions, { x: "region", y: "sales" }) },
  {
    id: "chart-pie-many",
    title: "Pie of many",
    part,
    draw: ({ chart }) =>
      chart.pie(Object.fromEntries(Array.from({ length: 18 }, (_, index) => [`Part ${index + 1}`, 60 - 3 * index])))
  },
  { id: "chart-empty", title: "No data", part, draw: ({ chart }) => chart.line([], line) },
  {
    id: "chart-odd",
    title: "Odd data",
    about: "Numbers as text, and what is no number.",
    part,
    draw: ({ chart }) =>
      chart.bar([{ x: "a", y: "12" }, { x: "b", y: "n/a" }, { x: null, y: 3 }, { x: "d" }], { x: "x", y: "y" })
  }
]
