import { build } from "esbuild"
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import type { TestProject } from "vitest/node"
import { serveChromium } from "./chromium.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** Where the one Chromium of all tests listens. */
    readonly chromium: string
    /** The bundles of test/browser/pages, by the names of their files. */
    readonly scripts: {
      readonly host: string
      readonly parts: string
      readonly session: string
      readonly mcpUi: string
    }
    readonly axe: string
  }
}

const bundle = async (name: string): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`../pages/${name}.ts`, import.meta.url))],
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    platform: "browser",
    define: { "process.env.NODE_ENV": '"production"' },
    write: false
  })
  return outputFiles[0]?.text ?? ""
}

/** What all files of tests share is made once: the browser, and the scripts of the pages. */
export default async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  const [server, axe, host, parts, session, mcpUi] = await Promise.all([
    serveChromium(),
    readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"),
    ...["host", "parts", "session", "mcpUi"].map(bundle)
  ])
  provide("chromium", server.wsEndpoint())
  provide("axe", axe)
  provide("scripts", { host: host ?? "", parts: parts ?? "", session: session ?? "", mcpUi: mcpUi ?? "" })
  return () => server.close()
}
