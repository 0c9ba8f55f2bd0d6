import { fileURLToPath } from "node:url"

const inRepository = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

export const evaluation = inRepository("evaluation/")

/** The wrapper as users start it, or another one to judge in its place. */
export const wrapperBin = process.env.MCP_GEN_UI_BIN ?? inRepository("bin/mcp-gen-ui.mjs")

export const referenceServer = inRepository("evaluation/reference/main.ts")
/** Serves tools and answers that were recorded. */
export const recordedServer = inRepository("evaluation/support/recordedServer.ts")
export const oddJsonServer = inRepository("evaluation/reference/oddJson.ts")
export const weatherServer = inRepository("examples/weather-server.mjs")

/** A file of a package that only the evaluation has. */
export const packageFile = (path: string): string => inRepository(`evaluation/node_modules/${path}`)

/** The environment of a run that knows no model and no settings of the person who runs it. */
export const cleanEnvironment = (): NodeJS.ProcessEnv => {
  const kept = Object.entries(process.env).filter(([name]) => !/^(?:MCP_GEN_UI_|ANTHROPIC_|OPENAI_|OLLAMA_)/.test(name))
  return { ...Object.fromEntries(kept), NODE_NO_WARNINGS: "1" }
}
