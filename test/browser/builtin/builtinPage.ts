import { assert } from "@effect/vitest"
import { openView, viewDocument } from "../harness/index.ts"
import type { OpenViewOptions, View } from "../harness/index.ts"

/** A tool with a control of most kinds. */
export const forecast = {
  name: "get_forecast",
  title: "Get forecast",
  description: "The weather of the next days.",
  inputSchema: {
    type: "object",
    properties: {
      city: { type: "string", title: "City", examples: ["Paris"] },
      days: { type: "integer", title: "Days", minimum: 1, maximum: 14 },
      share: { type: "number", title: "Share" },
      unit: { title: "Unit", enum: ["C", 2, false] },
      hourly: { type: "boolean", title: "Hourly" },
      kinds: { type: "array", title: "Kinds", items: { enum: ["rain", "sun"] } }
    },
    required: ["city"]
  }
}

export const every = {
  name: "everything",
  inputSchema: {
    type: "object",
    properties: {
      note: { type: "string", title: "Note", maxLength: 900 },
      on: { type: "boolean", title: "On", default: true },
      date: { type: "string", title: "Date", format: "date" },
      tags: { type: "array", title: "Tags", items: { type: "integer" } },
      area: { type: "object", title: "Area", properties: { lat: { type: "number", title: "Latitude" } } },
      filter: { title: "Filter" }
    }
  }
}

export const days = {
  structuredContent: {
    days: [
      { date: "2026-01-01", high: 5 },
      { date: "2026-01-02", high: 7 }
    ]
  },
  content: []
}

export const text = (value: string): Record<string, unknown> => ({ content: [{ type: "text", text: value }] })

export type Options = Omit<OpenViewOptions, "html"> & { readonly data?: Record<string, unknown> }

/** Opens the built-in view of a tool and waits until it is drawn. */
export const open = async (
  tool: Readonly<Record<string, unknown>>,
  { data, ...options }: Options = {}
): Promise<View> => {
  const view = await openView({
    html: await viewDocument({ tool, ...(data === undefined ? {} : { data }) }),
    ...options
  })
  await view.frame.locator("h1").waitFor()
  return view
}

export const button = (view: View, name: string) => view.frame.getByRole("button", { name, exact: true })

/** Holds that a view broke no rule: policy, console, axe. */
export const clean = async (view: View): Promise<void> => {
  assert.deepStrictEqual(view.violations, [])
  assert.deepStrictEqual(view.consoleErrors, [])
  assert.deepStrictEqual(await view.axe(), [])
}

export const focusedLabel = (view: View): Promise<string> =>
  view.frame.evaluate("document.activeElement.labels?.[0]?.textContent ?? ''")

export const overflow = (view: View): Promise<number> =>
  view.frame.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
