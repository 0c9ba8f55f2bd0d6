import { Effect, Layer } from "effect"
import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { PackageFileMissing, PackageFiles } from "../../services/documents/PackageFiles.ts"

const findRoot = (from: string): string => {
  let directory = from
  while (!existsSync(join(directory, "package.json"))) {
    const parent = dirname(directory)
    if (parent === directory) return from
    directory = parent
  }
  return directory
}

/** Reads below the nearest folder with a `package.json`, so that sources, `dist` and an installed package agree. */
export const layer: Layer.Layer<PackageFiles> = Layer.sync(PackageFiles, () => {
  const root = findRoot(dirname(fileURLToPath(import.meta.url)))
  const texts = new Map<string, string>()
  return PackageFiles.of({
    root,
    text: Effect.fn("PackageFiles.text")(function* (path) {
      const known = texts.get(path)
      if (known !== undefined) return known
      const text = yield* Effect.tryPromise({
        try: () => readFile(join(root, path), "utf8"),
        catch: (cause) => new PackageFileMissing({ path, cause })
      })
      texts.set(path, text)
      return text
    })
  })
})
