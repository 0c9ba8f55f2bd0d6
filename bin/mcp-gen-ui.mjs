#!/usr/bin/env node
// Only syntax and modules of Node 14 here: an old Node must get far enough to be told that it is old.
import { existsSync } from "fs"
import module from "module"
import { fileURLToPath } from "url"

const NEEDED = [22, 19]
const found = process.versions.node
const [major, minor] = found.split(".").map(Number)
const program = new URL("../dist/cli.mjs", import.meta.url)

const refuse = (message) => {
  process.stderr.write(`mcp-gen-ui: ${message}\n`)
  process.exitCode = 1
}

if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) {
  refuse(
    `Node ${found} is too old; ${NEEDED.join(".")} or newer is needed. ` +
      "Install it from https://nodejs.org, or name a newer node in the host's configuration."
  )
} else if (!existsSync(program)) {
  refuse(`${fileURLToPath(program)} is missing; in a checkout, run "npm run build" first.`)
} else {
  // Compiled code is written when the process ends in order. A host may kill it instead, so write once before.
  module.enableCompileCache()
  setTimeout(() => module.flushCompileCache(), 2000).unref()
  import(program.href)
}
