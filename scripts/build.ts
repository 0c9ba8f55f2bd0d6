/**
 * Builds what the package ships: `node scripts/build.ts` builds all, `node scripts/build.ts runtime cli` some.
 */
import { build, type BuildOptions, type Plugin } from "esbuild"
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import { minify } from "terser"
import { decisionsOf } from "../src/browser/loader/packedDigits.ts"
import { PAGE_PARTS } from "../src/domain/documents/pageParts.ts"
import { unlzma } from "../src/browser/loader/unlzma.ts"
import { wordsBack } from "../src/browser/loader/wordsBack.ts"
import { packText } from "./lzma.ts"
import { writeLicences } from "./licences.ts"
import { lucidePaths } from "./lucidePaths.ts"
import { vendorBuild, vendored } from "./vendored.ts"
import { shortWords } from "./shortWords.ts"
import { runtimeExports } from "./runtimeExports.ts"

/** zod brings its messages in fifty languages, of which we use none but English: 260 kB in each bundle. */
const oneLocale: Plugin = {
  name: "one-locale",
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, ({ path }) => ({
      contents: `export { default as en } from "./en.js"`,
      resolveDir: dirname(path)
    }))
  }
}

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

/** The files of all bundles, for their licences. */
const bundled = new Set<string>()

const bundle = async (options: BuildOptions): Promise<void> => {
  const { metafile } = await build({ ...options, metafile: true, plugins: [...(options.plugins ?? []), oneLocale] })
  for (const path of Object.keys(metafile.inputs)) bundled.add(path)
}

/** The names in the braces of an import, without types. */
const importedNames = (braces: string): ReadonlyArray<string> =>
  braces
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && !name.startsWith("type "))

/**
 * `import { Effect } from "effect"` reaches a module of namespaces, of which a bundler keeps every member;
 * `import * as Effect from "effect/Effect"` is the same to the program and a third of the size.
 */
const withDeepImports = (source: string): string =>
  source.replaceAll(/^import \{([^}]+)\} from "effect"$/gm, (_, braces: string) =>
    importedNames(braces)
      .map((name) => `import * as ${name} from "effect/${name}";`)
      .join(" ")
  )

/**
 * `import { createHash } from "node:crypto"` becomes a function that gets the module when it is called. An import costs
 * every start milliseconds: the module, and what Node loads for its rarest exports, which only an import makes it do.
 */
const withLateBuiltIns = (source: string): string =>
  source.replaceAll(
    /^import \{([^}]+)\} from "(node:(?:buffer|child_process|crypto|fs|fs\/promises|os))"$/gm,
    (_, braces: string, module: string) =>
      importedNames(braces)
        .map((name) => {
          const member = `process.getBuiltinModule("${module}").${name}`
          const isFunction = name !== "constants" && name !== "Buffer"
          return `const ${name} = ${isFunction ? `(...given) => ${member}(...given)` : member};`
        })
        .join(" ")
  )

/**
 * Our sources with these imports. With `program`, all that it needs from its start lies in one file: what is loaded on
 * first use imports it, or the bundler would make a file for each set of those that share a module, and every file costs
 * the start of a server half a millisecond.
 */
const ourSources = (program?: string): Plugin => ({
  name: "our-sources",
  setup: ({ onLoad, onResolve }) => {
    const onFirstUse = new Set<string>()
    onResolve({ filter: /^\.\.?\// }, ({ kind, path, resolveDir }) => {
      if (kind === "dynamic-import") onFirstUse.add(resolve(resolveDir, path))
      return undefined
    })
    onLoad({ filter: /[\\/]src[\\/][^\n]*\.ts$/ }, async ({ path }) => {
      if (path.includes("node_modules")) return undefined
      const source = withLateBuiltIns(withDeepImports(await readFile(path, "utf8")))
      const isLater = program !== undefined && onFirstUse.has(path) && path !== resolve(program)
      return { contents: isLater ? `${source}\nimport ${JSON.stringify(resolve(program))}` : source, loader: "ts" }
    })
  }
})

/** What page parts take from `parts/kit.ts` is what the page's runtime has. */
const kitOfRuntime: Plugin = {
  name: "kit-of-runtime",
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]pageParts[\\/]\w+\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, "utf8")).replace(
        /^import (\{[^}]+\}) from "..\/parts\/kit.ts"$/m,
        "const $1 = globalThis.mcpGenUi.kit"
      ),
      loader: "ts"
    }))
  }
}

/** What serving does not need is a bundle of its own, loaded when it is asked for. */
const besides = (source: RegExp, bundle: string): Plugin => ({
  name: `besides-${bundle}`,
  setup: ({ onResolve }) => {
    onResolve({ filter: source }, () => ({ path: `./${bundle}`, external: true }))
  }
})

/** Writes a runtime readable and packed, and answers with its code. */
const packedRuntime = async (entry: string, name: string): Promise<string> => {
  const outfile = `dist/${name}.js`
  await bundle({ ...browser, entryPoints: [entry], outfile })
  const readable = await readFile(outfile, "utf8")
  // A second minifier finds some 4% more, which every document of every tool is spared.
  const { code = readable } = await minify(readable, {
    compress: { passes: 2 },
    ecma: 2020,
    format: { ascii_only: true }
  })
  await writeFile(outfile, code)
  // A fifth smaller than what zlib finds, which every document is spared.
  const bytes = shortWords(code)
  const packed = packText(bytes)
  const unpacked = wordsBack(unlzma(bytes.length, decisionsOf(packed)))
  if (unpacked !== code) throw new Error(`${name} does not unpack`)
  await bundle({
    ...browser,
    entryPoints: ["src/browser/loader/main.ts"],
    // The packed text has characters of two bytes, which an escape would make six.
    charset: "utf8",
    outfile: `dist/${name}.packed.js`,
    define: { PACKED_RUNTIME: JSON.stringify(packed), RUNTIME_SIZE: String(bytes.length) }
  })
  return code
}

const targets: Record<string, () => Promise<unknown>> = {
  runtime: async () => {
    await packedRuntime("src/browser/runtime/main.ts", "runtime")
    const wide = await packedRuntime("src/browser/extras/main.ts", "runtimeWide")
    // For the inspector, which would take longer to find them than to read a page.
    const { appNames, partNames } = runtimeExports(wide)
    const names = [...partNames, ...PAGE_PARTS]
    await writeFile("dist/runtime.names.json", JSON.stringify({ partNames: names, appNames: [...appNames] }))
    for (const part of PAGE_PARTS) {
      const contents = `import { ${part} } from "./src/browser/pageParts/${part}.ts"
Object.assign(globalThis.mcpGenUi.parts, { ${part} })`
      await bundle({
        ...browser,
        stdin: { contents, resolveDir: "." },
        plugins: [kitOfRuntime],
        outfile: `dist/${part}.js`
      })
    }
    // The values that the classes of Tailwind stand for; a page gets the rules of those that it names.
    await copyFile("node_modules/tailwindcss/theme.css", "dist/tailwind.css")
    await writeFile("dist/lucide.json", JSON.stringify(lucidePaths()))
    for (const file of ["tailwindcss/theme.css", "@iconify-json/lucide/icons.json"]) bundled.add(`node_modules/${file}`)
    // Stands in for the host in exported pages, before the runtime.
    await bundle({ ...browser, entryPoints: ["src/browser/runtime/recordedHost.ts"], outfile: "dist/recordedHost.js" })
  },
  preview: async () => {
    await mkdir("dist/preview", { recursive: true })
    await bundle({ ...browser, entryPoints: ["src/browser/preview/host.ts"], outfile: "dist/preview/host.js" })
    await bundle({ ...browser, entryPoints: ["src/browser/gallery/gallery.ts"], outfile: "dist/preview/gallery.js" })
    // What stands in the documents of the gallery.
    await bundle({
      ...browser,
      entryPoints: ["src/browser/gallery/frame.ts"],
      plugins: [kitOfRuntime],
      outfile: "dist/preview/gallery.frame.js"
    })
    await copyFile("src/browser/preview/host.html", "dist/preview/host.html")
    await copyFile("src/browser/gallery/gallery.html", "dist/preview/gallery.html")
    await copyFile("src/browser/preview/sandbox.html", "dist/preview/sandbox.html")
  },
  cli: async () => {
    // What only HTTP needs stays in files of its own, as it would cost every start some milliseconds.
    await rm("dist/chunks", { recursive: true, force: true })
    await bundle({
      ...node,
      entryPoints: ["src/programs/cli.ts"],
      outdir: "dist",
      outExtension: { ".js": ".mjs" },
      splitting: true,
      chunkNames: "chunks/[name]-[hash]",
      plugins: [
        besides(/\/fullCommandLine\.ts$/, "fullCommandLine.mjs"),
        ourSources("src/programs/wrapServer.ts"),
        vendored
      ]
    })
    await bundle({
      ...node,
      entryPoints: ["src/programs/fullCommandLine.ts"],
      // Their other builds are for `require`, which is not there.
      alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js", yaml: "./node_modules/yaml/browser/index.js" },
      outfile: "dist/fullCommandLine.mjs",
      plugins: [ourSources(), vendored]
    })
    const { configFileJsonSchema } = await import("../src/domain/settings/ConfigFileJsonSchema.ts")
    await writeFile("dist/config.schema.json", `${JSON.stringify(configFileJsonSchema(), null, 2)}\n`)
    const { viewFileJsonSchema } = await import("../src/domain/views/ViewFile.ts")
    await writeFile("dist/view.schema.json", `${JSON.stringify(viewFileJsonSchema(), null, 2)}\n`)
  },
  // Loaded on first use: with the programs they would triple the time to the first answer.
  vendor: async () => {
    await rm("dist/vendor", { recursive: true, force: true })
    await bundle({ ...node, ...vendorBuild })
  },
  // Read by the first look at a UI, which would else read a folder for each server.
  finished: async () => {
    const entries = (await readdir("library", { withFileTypes: true })).filter((entry) => entry.isDirectory())
    const read = async ({ name }: { readonly name: string }) => {
      const { tools } = JSON.parse(await readFile(`library/${name}/entry.json`, "utf8"))
      return [name, { tools }] as const
    }
    const found = Object.fromEntries(await Promise.all(entries.map(read)))
    await writeFile("dist/library.json", JSON.stringify(found))
  },
  library: () =>
    bundle({
      ...node,
      entryPoints: ["src/index.ts", "src/testing.ts"],
      outdir: "dist",
      outExtension: { ".js": ".mjs" },
      external: ["effect"],
      plugins: [vendored]
    })
}

const asked = process.argv.slice(2)
// `tsc` writes them after this, and leaves those of files that are gone.
if (asked.length === 0) await rm("dist/types", { recursive: true, force: true })
for (const name of asked.length > 0 ? asked : Object.keys(targets)) {
  const target = targets[name]
  if (target === undefined) throw new Error(`no build target "${name}"; there are ${Object.keys(targets).join(", ")}`)
  await target()
}
if (asked.length === 0) await writeLicences(bundled, "dist/THIRD-PARTY-LICENSES.txt")
