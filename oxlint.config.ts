import { defineConfig, type OxlintOverride } from "oxlint"

/**
 * The doors of the house (docs/architecture.md has the plan). A file of a room imports files of its own room, contracts in
 * `services`, and what all rooms share. Programs compose rooms, so they may import any of them.
 */
const ROOMS = [
  "host",
  "upstream",
  "session",
  "library",
  "generation",
  "inspection",
  "documents",
  "cache",
  "settings",
  "observability",
  "wrapping"
]

/** Rooms of `domain` that have no machines behind them: what the page shares, and what keeps secrets out of texts. */
const SHARED: ReadonlySet<string> = new Set(["forms", "results", "tools", "wire", "observability"])

/** Neighbours in `domain`: a page is linked from what inspection has parsed; the session tells of the library's versions; what hosts say of a server becomes its settings. */
const NEIGHBOURS: Readonly<Record<string, ReadonlyArray<string>>> = {
  documents: ["inspection"],
  session: ["library"],
  wrapping: ["settings"]
}

const PLATFORM = ["node:*", "@effect/platform-node*"]
const PAGE = ["effect", "effect/*", "@effect/*", "node:*"]

const doors = (files: string, closed: ReadonlyArray<string>, message: string): OxlintOverride => ({
  files: [files],
  rules: { "no-restricted-imports": ["error", { patterns: [{ group: [...closed], message }] }] }
})

const floors = (...names: ReadonlyArray<string>) => names.map((name) => `**/${name}/**`)

/** Other rooms of the floor that a file stands on: its imports of them do not name the floor. */
const beside = (rooms: ReadonlyArray<string>) => rooms.flatMap((room) => [`../${room}/**`, `../../${room}/**`])
const inFloor = (floor: string, rooms: ReadonlyArray<string>) => rooms.map((room) => `**/${floor}/${room}/**`)

const othersThan = (room: string) => ROOMS.filter((other) => other !== room)
const closedDomain = (room: string) =>
  othersThan(room).filter((other) => !SHARED.has(other) && NEIGHBOURS[room]?.includes(other) !== true)

const doorsOf = (room: string) => [
  doors(
    `src/domain/${room}/**`,
    [...floors("services", "adapters", "layers", "programs", "browser"), ...beside(closedDomain(room)), ...PLATFORM],
    `domain/${room} is plain data and pure functions: it imports its own room and what domain shares.`
  ),
  doors(
    `src/adapters/${room}/**`,
    [...floors("layers", "programs", "browser"), ...beside(othersThan(room)), ...inFloor("domain", closedDomain(room))],
    `adapters/${room} wraps a library for its room: it imports that room, the platform, and contracts of others.`
  ),
  doors(
    `src/layers/${room}/**`,
    [
      ...floors("programs", "browser"),
      ...beside(othersThan(room)),
      ...inFloor("adapters", othersThan(room)),
      ...inFloor("domain", closedDomain(room))
    ],
    `layers/${room} knows other rooms by their contracts in services only.`
  )
]

export default defineConfig({
  plugins: ["typescript", "unicorn", "import", "oxc", "promise"],
  categories: { correctness: "error", suspicious: "error", perf: "error" },
  ignorePatterns: ["dist", "node_modules", "coverage"],
  rules: {
    "typescript/no-explicit-any": "error",
    "import/no-cycle": "error",
    "no-console": "error",
    "no-await-in-loop": "off",
    "no-shadow": "off",
    "unicorn/no-array-sort": "off",
    "unicorn/consistent-function-scoping": "off",
    "import/no-unassigned-import": "off",
    "no-underscore-dangle": "off"
  },
  overrides: [
    doors(
      "src/domain/**",
      [...floors("services", "adapters", "layers", "programs", "browser"), ...beside(ROOMS), ...PLATFORM],
      "what domain shares is plain data and pure functions: it imports no room."
    ),
    doors(
      "src/adapters/platform/**",
      [...floors("layers", "programs", "browser"), ...beside(ROOMS)],
      "the platform is below all rooms."
    ),
    ...ROOMS.flatMap(doorsOf),
    doors(
      "src/services/**",
      [...floors("adapters", "layers", "programs", "browser"), ...PLATFORM],
      "services are contracts: they import domain and other services only."
    ),
    doors(
      "src/browser/**",
      [...floors("services", "adapters", "layers", "programs"), ...PAGE],
      "browser code runs in the page: it imports domain and browser only."
    ),
    {
      files: ["scripts/**", "test/fixtures/**", "bin/**", "examples/**", "bench/**", "evaluation/**"],
      rules: { "no-console": "off" }
    }
  ]
})
