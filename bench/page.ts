/**
 * The page that the built-in UI is: `npm run bench -- page`. Times are measured inside the frame, from the event that brings a
 * message to the end of the frame that paints what it brought, in headless Chromium; medians, all sides of a row alternating.
 */
import { toolFromDefinition } from "../src/domain/tools/Tool.ts"
import { makeDocumentOf } from "../evaluation/eval/documentOf.ts"
import { type Stage, startStages } from "../evaluation/eval/Stage.ts"

export type Row = Readonly<Record<string, string>>

const KEYS = 120
const FIELDS = 200
const STATES = ["open", "blocked", "in review", "done"]

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN

const p95 = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? NaN

const toolOf = (properties: Readonly<Record<string, unknown>>) => {
  const tool = toolFromDefinition({ name: "list_orders", inputSchema: { type: "object", properties } })
  if (tool === undefined) throw new Error("the tool has no name")
  return tool
}

const resultOf = (count: number): string =>
  JSON.stringify({
    content: [],
    structuredContent: {
      orders: Array.from({ length: count }, (_, index) => ({
        id: `ord_${100_000 + index}`,
        customer: `Customer ${(index * 7919) % 977}`,
        status: STATES[(index * 31) % STATES.length],
        amount: ((index * 104_729) % 99_991) / 100,
        currency: "EUR",
        created_at: new Date(1_760_000_000_000 + index * 61_000).toISOString(),
        express: index % 3 === 0,
        url: `https://example.org/orders/${100_000 + index}`
      }))
    }
  })

/** For scale: all rows as a table without anything, made in the fastest way there is. */
const PLAIN = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Plain</title></head><body><script>
const post = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*")
const cell = (value) => "<td>" + String(value).replaceAll("&", "&amp;").replaceAll("<", "&lt;") + "</td>"
addEventListener("message", ({ data }) => {
  if (data.id === 1) post({ method: "ui/notifications/initialized" })
  if (data.method !== "ui/notifications/tool-result") return
  const rows = data.params.structuredContent.orders
  document.body.innerHTML = "<table><tbody>" + rows.map((row) => "<tr>" + Object.values(row).map(cell).join("") + "</tr>").join("") + "</tbody></table>"
})
post({ id: 1, method: "ui/initialize", params: { appInfo: { name: "plain", version: "1" }, appCapabilities: {}, protocolVersion: "2026-01-26" } })
</script></body></html>`

/** A plain table of 100,000 rows takes its time on a busy machine. */
const PAINT_MS = 180_000

const WATCH_PAINT = `globalThis.painted = new Promise((resolve, reject) => {
  setTimeout(() => reject(new Error("no row was painted in ${PAINT_MS} ms")), ${PAINT_MS})
  addEventListener("message", ({ data, timeStamp }) => {
    if (data?.method !== "ui/notifications/tool-result") return
    const look = () => {
      if (document.querySelector("tbody tr") === null) return requestAnimationFrame(look)
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => resolve(performance.now() - timeStamp)
      port2.postMessage(0)
    }
    requestAnimationFrame(look)
  }, { capture: true })
}); undefined`

const WATCH_KEYS = `globalThis.keys = []; globalThis.longest = 0
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) longest = Math.max(longest, duration)
}).observe({ type: "longtask" })
let start = 0
addEventListener("keydown", () => { start = performance.now() }, { capture: true })
addEventListener("input", () => {
  const handled = performance.now() - start
  requestAnimationFrame(() => {
    const frame = performance.now()
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => keys.push(handled + performance.now() - frame)
    port2.postMessage(0)
  })
}); undefined`

const firstPaint = async (stage: Stage, html: string, result: string): Promise<number> => {
  await stage.show({ html, toolName: "list_orders", theme: "light", width: 720 })
  await stage.sendInput("{}")
  await stage.frame.evaluate(WATCH_PAINT)
  await stage.sendResult(result)
  return stage.frame.evaluate<number>("painted")
}

const typing = async (stage: Stage, html: string): Promise<{ keys: ReadonlyArray<number>; longest: number }> => {
  await stage.show({ html, toolName: "list_orders", theme: "light", width: 720 })
  await stage.openForm()
  await stage.frame.evaluate('evalView.unfold("")')
  const field = stage.frame.locator("form input").first()
  await field.focus()
  await stage.frame.evaluate(WATCH_KEYS)
  for (let key = 0; key < KEYS; key += 1) {
    await stage.page.keyboard.press(String.fromCharCode(97 + (key % 26)))
    // Every now and then a person pauses: what is done then must not be in the way of the next key.
    await stage.page.waitForTimeout(key % 12 === 11 ? 400 : 30)
  }
  return stage.frame.evaluate("({ keys, longest })")
}

const ms = (value: number): string => value.toFixed(1)

/** Measures and answers the rows of a table. */
export const benchPage = async (): Promise<ReadonlyArray<Row>> => {
  const documentOf = await makeDocumentOf()
  const stages = await startStages()
  const rows: Array<Row> = []
  try {
    const small = await documentOf(toolOf({ status: { type: "string", enum: STATES } }))
    const form = await documentOf(
      toolOf(
        Object.fromEntries(
          Array.from({ length: FIELDS }, (_, index) => [
            `field_${index + 1}`,
            { type: "string", description: `What is to be said about part ${index + 1}.` }
          ])
        )
      )
    )
    const stage = await stages.open()
    for (const { allowed, count, rounds } of [
      { count: 1000, rounds: 11, allowed: 100 },
      { count: 100_000, rounds: 3, allowed: 500 }
    ]) {
      const result = resultOf(count)
      const ours: Array<number> = []
      const plain: Array<number> = []
      for (let round = 0; round < rounds; round += 1) {
        ours.push(await firstPaint(stage, small.html, result))
        plain.push(await firstPaint(stage, PLAIN, result))
      }
      rows.push({
        what: `first paint of ${count.toLocaleString("en-GB")} rows`,
        "built-in": `${ms(median(ours))} ms`,
        "plain table of all rows": `${ms(median(plain))} ms`,
        allowed: `${allowed} ms`
      })
    }
    const { keys, longest } = await typing(stage, form.html)
    rows.push(
      {
        what: `a key in a form of ${FIELDS} fields, its handlers and its frame`,
        "built-in": `median ${ms(median(keys))} ms, 95% ${ms(p95(keys))} ms`,
        allowed: "16 ms"
      },
      { what: "longest task while typing", "built-in": longest === 0 ? "below 50 ms" : `${ms(longest)} ms` },
      {
        what: "document of a small tool",
        "built-in": `${small.bytes} bytes, gzip ${small.gzipBytes}`,
        allowed: "125,000 bytes"
      }
    )
    return rows
  } finally {
    await stages.close()
  }
}
