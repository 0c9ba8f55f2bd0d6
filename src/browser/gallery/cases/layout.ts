import type { GalleryCase } from "../GalleryCase.ts"
import { longWord, paragraph } from "../sampleData.ts"

const tones = ["neutral", "info", "success", "warning", "danger"]

export const layout: ReadonlyArray<GalleryCase> = [
  {
    id: "layout-header",
    title: "Header",
    part: "header",
    draw: ({ button, header }) =>
      header("Forecast for Oslo", {
        subtitle: "Updated at noon",
        badge: "live",
        actions: button("Refresh", () => undefined, { small: true })
      })
  },
  {
    id: "layout-header-long",
    title: "Header, long",
    part: "header",
    draw: ({ header }) => header(`${paragraph} ${longWord}`)
  },
  {
    id: "layout-section",
    title: "Section",
    part: "section",
    draw: ({ badge, section, text }) => [
      section("Plain", text(paragraph)),
      section("Closed", text(paragraph), { collapsible: true, open: false, badge: badge("3") }),
      section("Open", text(paragraph), { collapsible: true })
    ]
  },
  {
    id: "layout-tabs",
    title: "Tabs",
    part: "tabs",
    draw: ({ stat, tabs, text }) =>
      tabs({ Summary: () => stat("Open", 12), Details: () => text(paragraph), Nothing: null })
  },
  {
    id: "layout-tabs-many",
    title: "Many tabs",
    part: "tabs",
    draw: ({ tabs }) =>
      tabs(Array.from({ length: 14 }, (_, index) => ({ label: `Chapter ${index + 1}`, content: `Text ${index + 1}` })))
  },
  {
    id: "layout-row",
    title: "Row",
    part: "row",
    draw: ({ row, stat }) => [
      row(stat("One", 1), stat("Two", 2), stat("Three", 3)),
      row(stat("Equal", 1), stat("Width", longWord), { equal: true })
    ]
  },
  {
    id: "layout-stack",
    title: "Stack",
    part: "stack",
    draw: ({ stack, text }) => stack(text("First"), null, false, text("Second"), ["and", " ", "a list"])
  },
  {
    id: "layout-toolbar",
    title: "Toolbar",
    part: "toolbar",
    draw: ({ button, chips, toolbar }) =>
      toolbar(
        chips(["All", "Open", "Closed"], () => undefined, { value: "All" }),
        button("Export", () => undefined),
        button("New", () => undefined, { kind: "primary" })
      )
  },
  {
    id: "layout-status",
    title: "Status",
    part: "status",
    draw: ({ stack, status }) => stack(...tones.map((tone) => status(`A ${tone} remark. ${paragraph}`, tone)))
  },
  {
    id: "layout-empty",
    title: "Empty",
    part: "empty",
    draw: ({ empty }) => empty("There is nothing to see here yet.")
  },
  {
    id: "layout-error",
    title: "Error box",
    part: "errorBox",
    draw: ({ button, errorBox }) =>
      errorBox({
        title: "The export failed",
        message: "The disk of the server is full.",
        detail: `ENOSPC: no space left on device, write\n${"    at step (file:///srv/app/steps.js:10:4)\n".repeat(20)}`,
        actions: [button("Retry", () => undefined, { small: true })]
      })
  },
  {
    id: "layout-error-short",
    title: "Error box of a text",
    part: "errorBox",
    draw: ({ errorBox }) => errorBox("Something went wrong.")
  }
]
