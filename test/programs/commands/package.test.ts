import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { fileFolder } from "../../fixtures/folders.ts"
import { root } from "../../fixtures/RawClient.ts"

const folder = fileFolder()
/** A whole build takes its time on a busy machine. */
const BUILD_MS = 300_000

/** What a clone has that the package is made of. */
const SOURCES =
  "bin src scripts prompts types examples README.md LICENSE package.json .npmrc tsconfig.json tsconfig.build.json"

describe("the package", () => {
  it(
    "is built when it is packed in a clone where nothing was built, and runs where it is installed",
    () => {
      const clone = join(folder, "clone")
      for (const name of SOURCES.split(" ")) cpSync(join(root, name), join(clone, name), { recursive: true })
      symlinkSync(join(root, "node_modules"), join(clone, "node_modules"))
      assert.isFalse(existsSync(join(clone, "dist")))
      execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: clone, stdio: "pipe" })

      const modules = join(folder, "elsewhere", "node_modules")
      mkdirSync(modules, { recursive: true })
      const packed = readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? assert.fail("no package")
      execFileSync("tar", ["-xzf", join(folder, packed), "-C", modules])
      const bin = join(modules, "package", "bin", "mcp-gen-ui.mjs")
      const run = (...words: ReadonlyArray<string>) =>
        execFileSync(process.execPath, [bin, ...words], { encoding: "utf8" })
      assert.match(run("--version"), /^mcp-gen-ui \d+\.\d+\.\d+/)
      assert.include(run("--help"), "mcp-gen-ui")
    },
    BUILD_MS
  )
})
