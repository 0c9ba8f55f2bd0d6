import { globSync } from "node:fs"
import { readFile, writeFile } from "node:fs/promises"

/** The folder of the package that a bundled file is from: the innermost one. */
const PACKAGE = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/

const entryOf = async (folder: string): Promise<string> => {
  const { license, name, version } = JSON.parse(await readFile(`${folder}/package.json`, "utf8"))
  const files = globSync(`${folder}/{LICEN[CS]E,COPYING,NOTICE}*`, { exclude: (file) => /\.(?:js|ts)$/.test(file) })
  // The package of these icons has no file with its licence.
  const own = name === "@iconify-json/lucide" ? ["scripts/lucide.licence.txt"] : []
  const texts = await Promise.all([...files.sort(), ...own].map((file) => readFile(file, "utf8")))
  return [`${name} ${version} (${license})`, ...texts.map((text) => text.trim())].join("\n\n")
}

/** Collects the licences of all packages that files were bundled from. */
export const writeLicences = async (bundled: ReadonlySet<string>, file: string): Promise<void> => {
  const folders = new Set([...bundled].flatMap((path) => PACKAGE.exec(path)?.[0] ?? []))
  const entries = await Promise.all([...folders].map(entryOf))
  await writeFile(file, `${[...new Set(entries)].sort().join(`\n\n${"-".repeat(80)}\n\n`)}\n`)
}
