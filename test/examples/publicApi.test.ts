import { assert, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { root } from "../fixtures/RawClient.ts"

const ENTRIES = { "index.ts": "mcp-gen-ui", "testing.ts": "mcp-gen-ui/testing" }

interface PublicName {
  /** As embedders write it. */
  readonly name: string
  readonly from: string
  readonly example: string | undefined
}

/** The text of the last `@example` of the docstring right before a declaration. */
const exampleBefore = (text: string, local: string): string | undefined => {
  const at = text.search(new RegExp(`^export (?:const|class|interface|type) ${local}\\b`, "m"))
  const before = text.slice(0, Math.max(at, 0))
  if (!before.endsWith("*/\n")) return undefined
  const lines = before.slice(before.lastIndexOf("/**")).split("\n").slice(0, -2)
  const start = lines.indexOf(" * @example")
  if (start === -1) return undefined
  return lines
    .slice(start + 1)
    .map((line) => line.slice(3))
    .join("\n")
}

/** Where a re-exported name is declared, as `ModelFailureCode` is in the domain. */
const declaringFile = async (file: string, local: string): Promise<string> => {
  const text = await readFile(file, "utf8")
  const from = new RegExp(`import \\{[^}]*\\b${local}\\b[^}]*\\} from "([^"]+)"`).exec(text)?.[1]
  const isReExported = new RegExp(`^export \\{[^}]*\\b${local}\\b[^}]*\\}$`, "m").test(text)
  return from !== undefined && isReExported ? join(file, "..", from) : file
}

const namesOf = async ([file, specifier]: readonly [string, string]): Promise<ReadonlyArray<PublicName>> => {
  const index = await readFile(`${root}src/${file}`, "utf8")
  const exported = [...index.matchAll(/^export (?:type )?\{([^}]*)\} from "([^"]+)"/gm)].flatMap(
    ([, names = "", from = ""]) =>
      names.split(",").map((entry) => {
        const [local = "", name = local] = entry
          .trim()
          .replace(/^type /, "")
          .split(" as ")
        return { from, local, name }
      })
  )
  return Promise.all(
    exported.map(async ({ from, local, name }) => {
      const file = await declaringFile(join(root, "src", from), local)
      return { name, from: specifier, example: exampleBefore(await readFile(file, "utf8"), local) }
    })
  )
}

describe("what the package exports", () => {
  it("has an example each, and all of them type-check against the built package", async () => {
    const names = (await Promise.all(Object.entries(ENTRIES).map(namesOf))).flat()
    assert.isAbove(names.length, 50)
    const incomplete = names.filter(
      ({ example, from, name }) => !example?.includes(`"${from}"`) || !example.includes(name)
    )
    assert.deepStrictEqual(
      incomplete.map(({ name }) => name),
      []
    )
    await mkdir(`${root}dist`, { recursive: true })
    // Within the package, so that its own name leads to its built types.
    const folder = await mkdtemp(`${root}dist/examples-`)
    try {
      await Promise.all(
        names.map(({ example = "", name }, index) => writeFile(join(folder, `${index}-${name}.ts`), `${example}\n`))
      )
      const options = { plugins: [], noUnusedLocals: false }
      const config = { extends: "../../tsconfig.json", compilerOptions: options, include: ["."], exclude: [] }
      await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config))
      const tsc = `${root}node_modules/typescript/bin/tsc`
      const problems = await promisify(execFile)(process.execPath, [tsc, "-p", folder]).then(
        () => "",
        (error: Error & { stdout: string }) => `${error.message}${error.stdout}`
      )
      assert.strictEqual(problems, "")
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
