import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { houseThemeCss } from "../../../src/domain/tools/HouseTheme.ts"
import { fills, hues } from "../../../src/domain/tools/hues.ts"
import { openParts, type PartsPage } from "./partsPage.ts"

/** WCAG 2.2 contrast of pairs of colours, computed by the browser: `contrasts([["--mg-text", "--mg-bg"], …])`. */
const installContrast = `(() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true })
  const probe = document.createElement("i")
  document.body.append(probe)
  const channels = (name, under) => {
    canvas.clearRect(0, 0, 1, 1)
    for (const color of [...under, "var(" + name + ")"]) {
      probe.style.color = ""
      probe.style.color = color
      canvas.fillStyle = getComputedStyle(probe).color
      canvas.fillRect(0, 0, 1, 1)
    }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((value) => value / 255)
  }
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  globalThis.contrasts = (pairs, page = "white") => pairs.map(([front, back]) => {
    const a = luminance(channels(front, [page, "var(--mg-bg)", "var(" + back + ")"])), b = luminance(channels(back, [page, "var(--mg-bg)"]))
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
  })
})()`

type Pair = readonly [front: string, back: string]

const tones = ["info", "success", "warning", "danger"]

/** Every combination of text and ground that the stylesheets make. */
const textPairs: ReadonlyArray<Pair> = [
  ...["--mg-bg", "--mg-bg2", "--mg-bg3"].flatMap((back): ReadonlyArray<Pair> => [
    ["--mg-text", back],
    ["--mg-muted", back]
  ]),
  ["--mg-faint", "--mg-bg"],
  ["--mg-faint", "--mg-bg2"],
  ["--mg-accent", "--mg-bg"],
  ["--mg-accent", "--mg-bg2"],
  ["--mg-accent", "--mg-accent-bg"],
  ["--mg-text", "--mg-accent-bg"],
  ["--mg-muted", "--mg-accent-bg"],
  ["--mg-on-inverse", "--mg-inverse"],
  ["--mg-on-solid", "--mg-solid"],
  ...tones.flatMap((tone): ReadonlyArray<Pair> => [
    [`--mg-${tone}`, "--mg-bg"],
    [`--mg-${tone}`, "--mg-bg2"],
    [`--mg-${tone}`, `--mg-${tone}-bg`],
    ["--mg-text", `--mg-${tone}-bg`]
  ])
]

/** What stands on the ground of the page, and on strong grounds, where no host has a palette. */
const ownPairs: ReadonlyArray<Pair> = ["text", "muted", "faint", "accent", ...tones].map((name): Pair => [
  `--mg-${name}`,
  "--mg-page"
])

const solidPairs: ReadonlyArray<Pair> = ["text", "muted", "accent", ...tones].map((name): Pair => [
  `--mg-${name}`,
  "--mg-bg"
])

/** WCAG 1.4.11: parts of controls and of charts. */
const shapePairs: ReadonlyArray<Pair> = [
  ["--mg-control", "--mg-bg"],
  ["--mg-ring", "--mg-bg"],
  ...Array.from({ length: 8 }, (_, index): Pair => [`--mg-${index + 1}`, "--mg-bg"])
]

const low = async (page: PartsPage, pairs: ReadonlyArray<Pair>, least: number): Promise<ReadonlyArray<string>> => {
  const found = await page.run<ReadonlyArray<number>>(`contrasts(${JSON.stringify(pairs)})`)
  return pairs.flatMap(([front, back], index) => {
    const contrast = found[index] ?? 0
    return contrast < least ? [`${front} on ${back}: ${contrast.toFixed(2)}`] : []
  })
}

/** The colours of three hosts, each readable in itself. */
const hosts = [
  `background-primary: #002b36; background-secondary: #073642; background-tertiary: #0d3f4c;
   background-inverse: #eee8d5; background-danger: #4a1418; background-info: #06324f;
   background-disabled: #0a3a47; text-primary: #eee8d5; text-secondary: #b3bdb8; text-tertiary: #a5b0ac;
   text-inverse: #002b36; text-danger: #ff9c93; text-info: #7cc7ff; text-success: #a6d65c;
   text-warning: #f0c674; text-disabled: #6c7f80; border-primary: #839496; border-secondary: #2a5560;
   ring-primary: #7cc7ff;`,
  `background-primary: #fdf6e3; background-secondary: #f5eed9; background-tertiary: #efe6cc;
   background-inverse: #073642; background-danger: #ffe3df; background-success: #e6f2cf; text-primary: #073642;
   text-secondary: #3e5057; text-tertiary: #4a5c63; text-inverse: #fdf6e3; text-danger: #9d1b1b;
   text-info: #14548a; text-success: #3f5a00; border-tertiary: #e5dcc0; ring-primary: #14548a;`,
  `background-primary: rgb(12 12 12 / 90%); background-secondary: light-dark(#2a2a2a, #2a2a2a);
   text-primary: white; text-secondary: hsl(0 0% 78%); text-info: oklch(80% .1 240); background-inverse: white;
   text-inverse: black;`
].map((css) => css.split(";").flatMap((line) => (line.trim() === "" ? [] : [`--color-${line.trim()}`])))

/** Text and ground of the body, as "red,green,blue". */
const bodyColors = (page: PartsPage): Promise<ReadonlyArray<string>> =>
  page.run(
    `(() => { const { color, backgroundColor } = getComputedStyle(document.body); const canvas = document.createElement("canvas").getContext("2d"); return [color, backgroundColor].map((value) => { canvas.fillStyle = value; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).join() }) })()`
  )

describe("the colours", () => {
  for (const colorScheme of ["light", "dark"] as const) {
    it(`are readable without a host's, ${colorScheme}`, async () => {
      const page = await openParts({ colorScheme })
      await page.run(installContrast)
      assert.deepEqual(await low(page, textPairs, 4.5), [])
      assert.deepEqual(await low(page, shapePairs, 3), [])
    })

    it(`are readable whatever part of its colours a host sends, ${colorScheme}`, async () => {
      const page = await openParts({ colorScheme })
      await page.run(installContrast)
      const subsets = fc.constantFrom(...hosts).chain((host) => fc.subarray(host))
      await fc.assert(
        fc.asyncProperty(subsets, async (sent) => {
          await page.run(`document.documentElement.style.cssText = ${JSON.stringify(sent.join(";"))}`)
          assert.deepEqual(await low(page, textPairs, 4.5), [])
        }),
        { numRuns: 120, seed: 4 }
      )
    })
  }

  it.each(["light", "dark"] as const)("are readable with every accent, %s", async (colorScheme) => {
    const page = await openParts({ colorScheme })
    await page.run(installContrast)
    for (const [name, hue] of Object.entries(hues)) {
      const fill = fills[name] === undefined ? "" : `--mg-fill:${fills[name]};--mg-on-fill:#1d1300`
      await page.run(`void (document.documentElement.style.cssText = "--mg-hue:${hue};${fill}")`)
      assert.deepEqual(await low(page, [...textPairs, ...ownPairs], 4.5), [], name)
      assert.deepEqual(await low(page, shapePairs.slice(0, 2), 3), [], name)
      // On the strong ground itself, such as that of a hero.
      await page.run('void (document.querySelector("body > i").className = "mg-own mg-solid")')
      assert.deepEqual(await low(page, solidPairs, 4.5), [], name)
      await page.run('void (document.querySelector("body > i").className = "")')
    }
  })

  const brands = ["#0a2540", "#ffd400", "#ff0000", "#000", "#fff", "#00ff9d", "#0000ff", "#8a8a8a", "teal", "amber"]
  it.each(["light", "dark"] as const)("are readable with any accent of the house, %s", async (colorScheme) => {
    const page = await openParts({ colorScheme })
    await page.run(installContrast)
    await page.run('void document.head.append(Object.assign(document.createElement("style"), { id: "house" }))')
    for (const host of [[], ...hosts]) {
      await page.run(`document.documentElement.style.cssText = ${JSON.stringify(host.join(";"))}`)
      for (const accent of brands) {
        await page.run(`document.getElementById("house").textContent = ${JSON.stringify(houseThemeCss({ accent }))}`)
        const pairs = host.length === 0 ? [...textPairs, ...ownPairs] : textPairs
        assert.deepEqual(await low(page, pairs, 4.5), [], `${accent} ${host[0] ?? ""}`)
        await page.run('void (document.querySelector("body > i").className = "mg-own mg-solid")')
        assert.deepEqual(await low(page, solidPairs, 4.5), [], `${accent} as a ground`)
        await page.run('void (document.querySelector("body > i").className = "")')
      }
    }
  })

  it("are the host's where it sends its two main ones, and none of its otherwise", async () => {
    const page = await openParts({ colorScheme: "dark" })
    const colorsOf = (): Promise<ReadonlyArray<string>> => bodyColors(page)
    const set = (name: string, value: string): Promise<unknown> =>
      page.run(`document.documentElement.style.setProperty("${name}", "${value}")`)
    await page.show(`text("x")`)
    const own = await colorsOf()
    assert.deepEqual(await colorsOf(), own)
    await set("--color-text-primary", "rgb(4, 5, 6)")
    assert.deepEqual(await colorsOf(), own)
    await set("--color-background-primary", "rgb(250, 251, 252)")
    assert.deepEqual(await colorsOf(), ["4,5,6", "250,251,252"])
  })

  it("follow the theme that the page is told before that of the browser", async () => {
    const page = await openParts({ colorScheme: "dark" })
    await page.show(`input("x")`)
    const seen = async (): Promise<ReadonlyArray<unknown>> => {
      const [text = "", ground = ""] = await bodyColors(page)
      const scheme = await page.run("getComputedStyle(document.querySelector('input')).colorScheme")
      return [parseInt(text, 10) > parseInt(ground, 10) ? "light on dark" : "dark on light", scheme]
    }
    assert.deepEqual(await seen(), ["light on dark", "dark"])
    await page.page.evaluate("document.documentElement.dataset.theme = 'light'")
    assert.deepEqual(await seen(), ["dark on light", "light"])
  })
})

/** Variables of MCP Apps that the stylesheet has no use for. */
const unused: ReadonlyArray<RegExp> = [
  // Nothing lies above the page, and there is one kind of emphasis, one ring and one inverse line.
  /^--shadow-(hairline|md|lg)$/,
  /^--font-weight-bold$/,
  /^--color-ring-(secondary|inverse|info|danger|success|warning)$/,
  /^--color-border-inverse$/,
  // A ghost has no colour of its own: it shows what is below it.
  /^--color-(background|text|border)-ghost$/,
  // Sizes that no part has; headings have line heights of their own, as titles wrap.
  /^--font-heading-(xs|xl|2xl|3xl)-size$/,
  /^--font-heading-\w+-line-height$/,
  /^--font-text-(xs|sm|lg)-line-height$/,
  /^--border-radius-(xs|xl)$/
]

describe("the stylesheet", () => {
  it("uses every variable of MCP Apps that it has a use for, and no other of a host's", async () => {
    const types = await readFile(
      createRequire(import.meta.url)
        .resolve("@modelcontextprotocol/ext-apps")
        .replace(/[^/]*$/, "spec.types.d.ts"),
      "utf8"
    )
    const list = /McpUiStyleVariableKey = ([^;]*);/.exec(types)?.[1] ?? ""
    const known = [...list.matchAll(/"(--[\w-]+)"/g)].map(([, name]) => name ?? "")
    assert.isAbove(known.length, 70)
    const page = await openParts()
    const sheet = await page.run<string>("document.getElementById('mg-styles').textContent")
    const used = new Set([...sheet.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name ?? ""))
    assert.deepEqual(
      known.filter((name) => used.has(name) === unused.some((pattern) => pattern.test(name))),
      []
    )
    const own = /^--(mg|f|h|l|solid)-|^--[a-z]+$/
    assert.deepEqual(
      [...used].filter((name) => !known.includes(name) && !own.test(name)),
      []
    )
  })

  it("defines every variable of its own that it uses", async () => {
    const page = await openParts()
    const sheet = await page.run<string>("document.getElementById('mg-styles').textContent")
    const used = new Set([...sheet.matchAll(/var\((--(?:mg|f|h)\b[\w-]*)/g)].map(([, name]) => name ?? ""))
    assert.isAbove(used.size, 40)
    // These two are the script's: an accent may have them.
    const undefinedNames = [...used].filter((name) => !sheet.includes(`${name}:`))
    assert.deepEqual(undefinedNames, ["--mg-fill", "--mg-on-fill"])
  })

  it("keeps within a page zoomed to 200%", async () => {
    const page = await openParts({ width: 320 })
    await page.show(
      `[header("A".repeat(80), { subtitle: "b".repeat(200), actions: [button("Refresh everything now"), button("New")] }), tabs(Object.fromEntries(Array.from({ length: 12 }, (_, at) => ["Label " + at, "x"]))), toolbar(chips(Array.from({ length: 9 }, (_, at) => "Choice " + at)), input("A long label of an input", { type: "search" })), form([{ key: "a".repeat(60) }, "b"]), errorBox({ message: "x".repeat(300), sent: { ["k".repeat(80)]: "v".repeat(300) } })]`
    )
    await page.run(`document.querySelectorAll("details").forEach((details) => { details.open = true })`)
    assert.isAtMost(await page.run<number>("document.documentElement.scrollWidth"), 320)
    assert.deepEqual(await page.axe(), [])
  })
})
