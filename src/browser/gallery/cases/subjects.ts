import type { GalleryCase } from "../GalleryCase.ts"
import { days, issues, longPath, longWord, paragraph, regions } from "../sampleData.ts"

const tasks = [
  { title: "Read the plan", status: "completed" },
  { title: "Build it", status: "in progress", text: paragraph },
  { title: "Ask Ada", status: "failed", text: "She is away" },
  { title: longWord }
]

const problems = [
  { message: "Unused variable", severity: "warning", file: "src/add.ts", line: 3 },
  { message: longWord, severity: "error", file: longPath, line: 12, fix: paragraph },
  { message: "Could be shorter", severity: "info" }
]

const places = [
  { name: "London", lat: 51.5072, lon: -0.1276, note: "The office" },
  { name: "Paris", lat: 48.8566, lon: 2.3522 },
  { name: longWord, lat: 50.8503, lon: 4.3517 }
]

const meetings = [
  { title: "Stand-up", start: "2026-05-20T08:00:00Z", end: "2026-05-20T08:15:00Z", location: "Room 4" },
  { title: longWord, start: "2026-05-20T10:00:00Z", text: paragraph, status: "cancelled" },
  { title: "Fair", start: { date: "2026-05-21" } }
]

const lines = [
  "2026-05-20T08:00:01Z INFO The server is up",
  `2026-05-20T08:00:02Z WARN ${paragraph}`,
  `2026-05-20T08:00:03Z ERROR ${longPath}`,
  "a line without a time"
].join("\n")

type Draw = NonNullable<GalleryCase["draw"]>

const subject = (id: string, title: string, part: NonNullable<GalleryCase["part"]>, draw: Draw): GalleryCase => ({
  id: `subject-${id}`,
  title,
  part,
  draw
})

export const subjects: ReadonlyArray<GalleryCase> = [
  subject("hero", "An answer", "hero", ({ hero, stack }) =>
    stack(hero("200 OK", "Status"), hero(21.4, { label: "Now", unit: "°C", facts: { wind: "12 km/h" } }))
  ),
  subject("hero-long", "A long answer", "hero", ({ hero }) => hero(paragraph, { label: "Why", icon: "chat" })),
  subject("hero-failed", "An answer that failed", "hero", ({ hero }) => hero("Failed", { note: paragraph })),
  subject("hero-empty", "No answer", "hero", ({ hero }) => hero(null)),
  subject("steps", "Steps", "steps", ({ steps }) => steps(tasks)),
  subject("steps-empty", "No steps", "steps", ({ steps }) => steps([])),
  subject("files", "Files by folder", "files", ({ files }) =>
    files(["src/main.ts", "src/lib/wire.ts", "README.md", { path: longPath, size: 8841 }])
  ),
  subject("files-empty", "No files", "files", ({ files }) => files([])),
  subject("hits", "What a search found", "hits", ({ hits }) =>
    hits([...issues(3), { title: longWord, text: paragraph }], { query: "the last dog" })
  ),
  subject("hits-empty", "Nothing was found", "hits", ({ hits }) => hits([])),
  subject("findings", "Problems", "findings", ({ findings }) => findings(problems)),
  subject("findings-empty", "No problems", "findings", ({ findings }) => findings([])),
  subject("log", "A log", "log", ({ log }) => log(lines)),
  subject("log-empty", "An empty log", "log", ({ log }) => log("")),
  subject("compare", "Before and after", "compare", ({ compare, stack }) =>
    stack(
      compare("cat", longWord),
      compare({ name: "Ada", city: "London", age: 36 }, { name: "Ada", city: longWord, age: 37 }),
      compare([["1 km", "0.62 mi", "about"]])
    )
  ),
  subject("compare-empty", "Nothing to compare", "compare", ({ compare }) => compare({}, {})),
  subject("request", "A request", "request", ({ request }) =>
    request({
      method: "POST",
      url: `https://example.com/${longWord}`,
      status: 404,
      ms: 320,
      body: { a: 1 },
      response: "no"
    })
  ),
  subject("request-empty", "A request of nothing", "request", ({ request }) => request()),
  subject("page", "A page of a document", "page", ({ page }) =>
    page(`## Scope\n\n${paragraph}`, { title: "Contract", source: longPath, number: 3, of: 12 })
  ),
  subject("bars", "Ranked bars", "bars", ({ bars }) =>
    bars(regions, { value: "sales", type: "money", currency: "EUR" })
  ),
  subject("bars-empty", "No bars", "bars", ({ bars }) => bars([])),
  subject("rating", "Ratings", "rating", ({ rating, stack }) => stack(rating(4.5, { count: 128 }), rating("none"))),
  subject("people", "People", "people", ({ people }) =>
    people([
      { name: "Ada Byron", role: "Engineer", status: "active" },
      { name: longWord, email: "long@example.com" },
      "grace@example.com"
    ])
  ),
  subject("people-empty", "Nobody", "people", ({ people }) => people([])),
  subject("schedule", "Appointments", "schedule", ({ schedule }) => schedule(meetings)),
  subject("schedule-empty", "No appointments", "schedule", ({ schedule }) => schedule([])),
  subject("days", "A strip of days", "days", ({ days: strip }) => strip(days(14), { unit: "°C" })),
  subject("map", "Places", "map", ({ map }) => map(places, { text: "note" })),
  subject("map-empty", "No places", "map", ({ map }) => map([])),
  subject("graph", "Things and relations", "graph", ({ graph }) =>
    graph(
      [{ name: "Ada", entityType: "person" }, { name: longWord, entityType: "place" }, { name: "Alone" }],
      [{ from: "Ada", to: longWord, relationType: "lives in" }]
    )
  ),
  subject("graph-empty", "No relations", "graph", ({ graph }) => graph([])),
  subject("card", "A small answer as a card", "card", ({ card, copy, input }) =>
    card(
      {
        icon: "calendar",
        subject: "Between two dates",
        title: "364 days",
        facts: [[52, "weeks"]],
        actions: copy("364", "Copy")
      },
      input("Another date", { onEnter: () => undefined, submit: "Count" })
    )
  ),
  subject("card-long", "A long answer as a card", "card", (parts) => {
    const { badge, bar, bars, button, card, chart, code, copy, facts, h, markdown, section, stats, table, tree } = parts
    return card(
      {
        icon: "warning",
        tone: "danger",
        subject: ["Workflow ", h("code", {}, longWord), copy(longWord)],
        title: `3 problems in ${longWord}`,
        text: paragraph,
        facts: [
          [12, "nodes"],
          [longWord, "name"],
          [0, "warnings"],
          [null, "unknown"]
        ],
        actions: [button("Mend them", () => undefined, { kind: "primary" }), button("Check again", () => undefined)],
        foot: ["Revision ", longPath, copy(longPath)]
      },
      stats({ Open: 3, Closed: 12 }),
      bar(
        "Rows",
        button("Copy", () => undefined)
      ),
      table(issues(12), { columns: ["title", "state"] }),
      bar("What was sent"),
      code(`{"url": "${longPath}"}`, { language: "json", lines: true }),
      bars(regions, { value: "sales" }),
      chart.bar(regions, { x: "region", y: "sales" }),
      facts([
        ["Path", longPath],
        ["Name", longWord]
      ]),
      markdown(`## Scope\n\n${paragraph}`),
      h("div", {}, badge("failed"), paragraph),
      section("What it is made of", () => tree({ camelCase: [1, null, longWord] }))
    )
  }),
  subject("card-empty", "A card of nothing", "card", ({ card, bar }) => card({}, bar())),
  subject("anatomy", "A value in pieces", "anatomy", ({ anatomy, stack }) =>
    stack(
      anatomy([["https", "scheme"], "://", ["example.com", "host"], [":8080", "port"], ["/a/b", "path"]]),
      anatomy([..."1011"].map((digit, at) => [digit, 8 >> at])),
      anatomy([longWord])
    )
  ),
  subject("anatomy-empty", "Nothing in pieces", "anatomy", ({ anatomy }) => anatomy([])),
  subject("cells", "Squares", "cells", ({ cells, stack }) =>
    stack(
      cells({
        Hour: Array.from({ length: 24 }, (_, hour) => ({ label: hour, on: hour > 8 && hour < 18 })),
        Day: ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].map((label, day) => ({ label, on: day < 5 }))
      }),
      cells({ Jan: [1, 2, 3, 4, 9], Feb: [3, 4, 5, 6, 7] })
    )
  ),
  subject("copy", "Copy", "copy", ({ copy, row }) =>
    row("c4d5dcb3", copy("c4d5dcb3"), copy(longPath, "Copy the path"))
  ),
  subject("facts", "Facts in lines", "facts", ({ facts }) =>
    facts([
      ["Path", longPath, "in the sandbox"],
      ["Transaction", "c4d5dcb3-50f9-4b49-bd26-5e8ff2394013", "for an undo"],
      ["Size", 5],
      ["Why", paragraph]
    ])
  ),
  subject("scale", "Numbers on a line", "scale", ({ scale, stack }) =>
    stack(
      scale([1, 2, 2, 3, 8], { marks: { Mean: 3.2 }, band: [1, 4] }),
      scale(5, { unit: "km", second: { unit: "mi", factor: 0.6214 } })
    )
  ),
  subject("frames", "Frames", "frame", ({ frame, stack, text }) =>
    stack(
      ["browser", "terminal", "paper"].map((kind) =>
        frame(kind, text(paragraph), {
          title: kind,
          url: `https://example.com/${longWord}`,
          badge: "open",
          foot: "At the foot"
        })
      )
    )
  ),
  subject("avatar", "Initials", "avatar", ({ avatar, row }) =>
    row(avatar("Ada Byron"), avatar("grace@example.com"), avatar())
  ),
  subject("icon", "Icons", "icon", ({ icon, row }) =>
    row("rain snow sun commit database calendar error done nothing".split(" ").map((word) => icon(word, 24)))
  ),
  subject("swatches", "Colours", "swatches", ({ swatches }) => swatches({ sky: "#0b7fb5", [longWord]: "#cf3a68" }))
]
