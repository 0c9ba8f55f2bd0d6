/**
 * Builds what the package ships: `node scripts/build.ts` builds all, `node scripts/build.ts runtime cli` some.
 */
import { build, type BuildOptions } from "esbuild"
import { copyFile, mkdir } from "node:fs/promises"

const browser: BuildOptions = { bundle: true, minify: true, format: "iife", target: "es2022", platform: "browser" }

const node: BuildOptions = {
  bundle: true,
  minify: true,
  keepNames: false,
  format: "esm",
  target: "node22",
  platform: "node",
  legalComments: "none"
}

// Loaded on first use from node_modules: they would triple the time to the first answer.
const onFirstUse = ["@anthropic-ai/sdk", "openai", "htmlparser2", "acorn", "acorn-walk", "liquidjs"]

const targets: Record<string, () => Promise<unknown>> = {
  runtime: () => build({ ...browser, entryPoints: ["src/browser/runtime/main.ts"], outfile: "dist/runtime.js" }),
  preview: async () => {
    await mkdir("dist/preview", { recursive: true })
    await build({ ...browser, entryPoints: ["src/browser/preview/host.ts"], outfile: "dist/preview/host.js" })
    await copyFile("src/browser/preview/host.html", "dist/preview/host.html")
    await copyFile("src/browser/preview/sandbox.html", "dist/preview/sandbox.html")
  },
  cli: () => build({ ...node, entryPoints: ["src/programs/cli.ts"], outfile: "dist/cli.mjs", external: onFirstUse }),
  library: () =>
    build({ ...node, minify: false, entryPoints: ["src/index.ts"], outfile: "dist/index.mjs", packages: "external" })
}

const asked = process.argv.slice(2)
for (const name of asked.length > 0 ? asked : Object.keys(targets)) {
  const target = targets[name]
  if (target === undefined) throw new Error(`no build target "${name}"; there are ${Object.keys(targets).join(", ")}`)
  await target()
}
