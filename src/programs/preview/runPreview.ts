import { Console, Context, Effect, Layer } from "effect"
import type { Scope } from "effect"
import { randomBytes } from "node:crypto"
import { statSync } from "node:fs"
import { basename, dirname, extname, join, relative, resolve, sep } from "node:path"
import { openBrowser } from "../../adapters/platform/openBrowser.ts"
import { CONFIG_DEFAULTS } from "../../domain/settings/ConfigDefaults.ts"
import { launcherOf } from "../../domain/wrapping/WrapperWords.ts"
import * as DocumentLinkerLayer from "../../layers/documents/DocumentLinker.ts"
import { DocumentLinker } from "../../services/documents/DocumentLinker.ts"
import type { PackageFileMissing } from "../../services/documents/PackageFiles.ts"
import { PackageFiles } from "../../services/documents/PackageFiles.ts"
import { hostOrigin, type PreviewFile, previewFiles, type ViewWriter } from "./hostOrigin.ts"
import { listen, type PreviewListenFailed, type PreviewPortInUse } from "./httpServer.ts"
import { sandboxOrigin } from "./sandboxOrigin.ts"
import { versionDocument } from "./versionDocument.ts"
import { noFolder, watchFolder } from "./watchFolder.ts"

export interface PreviewOptions {
  /** The mcp-gen-ui bin, started with Node once for every open page. */
  readonly binPath: string
  /** Its arguments. Without an upstream in them, the example weather server is wrapped. */
  readonly wrapperArgs: ReadonlyArray<string>
  /** The upstream in words, for a person; without it what `wrapperArgs` say after `--`. */
  readonly title?: ReadonlyArray<string> | undefined
  readonly host: "127.0.0.1"
  /** 6280 unless set, or a free port if that is in use; 0 takes a free one. */
  readonly port?: number | undefined
  /** Show the page in the default browser. */
  readonly open?: boolean | undefined
  /** Name the gallery of parts and states instead of the preview. */
  readonly gallery?: boolean | undefined
  /** Where UIs made by hand are: views of theirs change with their files. */
  readonly uiDirectory?: string | undefined
  /** Nobody, if there is no model. */
  readonly writer?: ViewWriter | undefined
  /** As for the documents that the wrapper serves. */
  readonly documents?: Parameters<typeof DocumentLinkerLayer.layer>[0]
}

export interface Preview {
  /** The address of the page, with its token. */
  readonly url: string
  /** The address of the gallery, with the token too. */
  readonly galleryUrl: string
  readonly hostOrigin: string
  readonly sandboxOrigin: string
  /** What the page is connected to, as a person reads it. */
  readonly title: string
}

export type PreviewError = PreviewPortInUse | PreviewListenFailed | PackageFileMissing

const friendlyPort = 6280

const namesUpstream = (args: ReadonlyArray<string>): boolean =>
  args.some((argument) => argument === "--" || /^--(?:upstream|config)(?:=|$)/.test(argument))

/** The upstream's command line for a person, with short names for this Node and files of the package. */
const upstreamTitle = (words: ReadonlyArray<string>, root: string): string =>
  words
    .map((word) => {
      if (word === process.execPath) return "node"
      return word.startsWith(root + sep) ? relative(root, word) : word
    })
    .join(" ")

/** The folders of the files that a command line names, without those of this Node and of packages. */
const codeFolders = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const files = words.filter(
    (word) => word !== process.execPath && extname(word) !== "" && statSync(word, { throwIfNoEntry: false })?.isFile()
  )
  const folders = files.map((file) => dirname(resolve(file))).filter((folder) => !/[\\/]node_modules[\\/]/.test(folder))
  return [...new Set(folders)]
}

/** What a host's configuration file says to serve the same as this preview. */
const hostConfigOf = (
  [command, ...first]: ReadonlyArray<string>,
  args: ReadonlyArray<string>,
  words: ReadonlyArray<string>
): string => {
  const last = words.findLast((word) => !word.startsWith("-")) ?? "server"
  const name = basename(last, extname(last)).replaceAll(/[^\w-]+/g, "-") || "server"
  const passedOn = args
    .filter((word) => word !== "--http=off")
    .map((word) => (word === process.execPath ? "node" : word))
  const server = { command, args: [...first, ...passedOn] }
  return `${JSON.stringify({ mcpServers: { [name]: server } }, undefined, 2)}\n`
}

/** Serves the preview until the scope closes, which also ends every server process it started. */
export const startPreview = Effect.fn("startPreview")(function* (
  options: PreviewOptions
): Effect.fn.Return<Preview, PreviewError, PackageFiles | Scope.Scope> {
  const files = yield* PackageFiles
  const names = Object.keys(previewFiles) as ReadonlyArray<PreviewFile>
  const texts = yield* Effect.forEach(names, (name) => files.text(previewFiles[name].path))
  const served = Object.fromEntries(names.map((name, index) => [name, texts[index] ?? ""]))
  const proxy = yield* files.text("dist/preview/sandbox.html")

  const example = ["--", process.execPath, join(files.root, "examples", "weather-server.mjs")]
  const args = namesUpstream(options.wrapperArgs) ? options.wrapperArgs : [...options.wrapperArgs, ...example]
  const words = options.title ?? args.slice(args.indexOf("--") + 1)
  const title = upstreamTitle(words, files.root)
  const { host } = options
  const { limits, defaultTheme } = CONFIG_DEFAULTS.generation
  const documents = options.documents ?? { theme: defaultTheme, maxOutputDisplayBytes: limits.maxOutputDisplayBytes }
  const linker = Context.get(yield* Layer.build(DocumentLinkerLayer.layer(documents)), DocumentLinker)
  const uiFolder = options.uiDirectory === undefined ? noFolder : yield* watchFolder(options.uiDirectory)
  const serverFolders = yield* Effect.forEach(codeFolders(words), watchFolder)
  const port = options.port ?? friendlyPort
  const token = randomBytes(18).toString("base64url")

  const pages: { origin: string } = { origin: "'none'" }
  const sandbox = yield* listen({
    host,
    port: port === 0 ? 0 : (port % 65_535) + 1,
    fallBack: true,
    handler: sandboxOrigin({ page: proxy, hostOrigin: () => pages.origin })
  })
  const pageServer = yield* listen({
    host,
    port,
    fallBack: options.port === undefined,
    handler: hostOrigin({
      token,
      files: served as Readonly<Record<PreviewFile, string>>,
      sandboxOrigin: sandbox.origin,
      command: process.execPath,
      args: [options.binPath, ...args],
      title,
      writer: options.writer,
      hostConfig: hostConfigOf(launcherOf({ execPath: process.execPath, binPath: options.binPath }), args, words),
      uiFolder,
      serverFolders,
      versionDocument: (body) => Effect.provideService(versionDocument(body), DocumentLinker, linker)
    })
  })
  pages.origin = pageServer.origin
  const url = `${pageServer.origin}/${token}/`
  return {
    url,
    galleryUrl: `${url}gallery`,
    hostOrigin: pageServer.origin,
    sandboxOrigin: sandbox.origin,
    title
  }
})

/** `mcp-gen-ui preview`: serves the preview, prints its address on stdout and runs until it is interrupted. */
export const runPreview = Effect.fn("runPreview")(function* (
  options: PreviewOptions
): Effect.fn.Return<never, PreviewError, PackageFiles> {
  return yield* Effect.scoped(
    Effect.gen(function* () {
      const { galleryUrl, title, url } = yield* startPreview(options)
      const isGallery = options.gallery === true
      const address = isGallery ? galleryUrl : url
      const name = isGallery ? "Gallery of parts and states" : `Preview of ${title}`
      yield* Console.log(`${name}\n\n  Open  ${address}\n  Stop  Ctrl-C\n`)
      if (options.open === true) yield* openBrowser(new URL(address))
      return yield* Effect.never
    })
  )
})
