import { defineConfig } from "vitest/config"

/** Tests that open pages: they share one Chromium, which the set-up starts. */
const pages = [
  "test/browser/**/*.test.ts",
  "test/programs/preview/preview?*.test.ts",
  "test/programs/generation/generation.test.ts",
  "test/programs/library/healingPage.test.ts",
  "test/programs/library/livingPage.test.ts",
  "test/programs/session/recalledPage.test.ts"
]

/** No test waits for less: a busy machine is slow, not wrong. */
const patience = { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 30_000, interval: 20 } } }

export default defineConfig({
  test: {
    maxWorkers: 2,
    // Files share a process and what they import: to load it anew for each takes half the time of all tests.
    isolate: false,
    projects: [
      {
        test: {
          name: "pages",
          include: pages,
          globalSetup: "test/browser/harness/globalSetup.ts",
          setupFiles: "test/browser/harness/setup.ts",
          // Wrappers that a preview starts show the built-in UI of the example server.
          env: { MCP_GEN_UI_NO_LIBRARY: "1" },
          ...patience
        }
      },
      { test: { name: "all else", include: ["test/**/*.test.ts"], exclude: pages, ...patience } }
    ]
  }
})
