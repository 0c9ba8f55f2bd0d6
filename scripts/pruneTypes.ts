/** Deletes the declarations that no entry of the package reaches: half of what `tsc` writes. */
import { globSync, readFileSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"

const ENTRIES = ["dist/types/index.d.ts", "dist/types/testing.d.ts"]

const reached = new Set<string>()
const reach = (file: string): void => {
  if (reached.has(file)) return
  reached.add(file)
  for (const [, path = ""] of readFileSync(file, "utf8").matchAll(/(?:from |import\()"(\.[^"]+)\.ts"/g)) {
    reach(join(dirname(file), `${path}.d.ts`))
  }
}

ENTRIES.forEach((entry) => reach(join(entry)))
for (const file of globSync("dist/types/**/*.d.ts")) if (!reached.has(file)) rmSync(file)
