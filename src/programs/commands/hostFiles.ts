import { Effect, Schema } from "effect"
import { homedir } from "node:os"
import { resolve } from "node:path"
import { HostFileFailed, readHostFile } from "../../adapters/wrapping/hostFile.ts"
import { closestOf } from "../../domain/closestOf.ts"
import type { CommandLineArguments } from "../../domain/settings/ConfigFlags.ts"
import { rejected } from "../../domain/settings/ConfigProblem.ts"
import { type HostId, type HostPlace, hostPlaces } from "../../domain/wrapping/HostPlaces.ts"
import { type HostServer, serversOf } from "../../domain/wrapping/HostServer.ts"
import type { HostTree } from "../../domain/wrapping/HostTree.ts"
import { formatOf, readHostText } from "../../domain/wrapping/readHostText.ts"

/** Which servers of which hosts a command is about. */
export interface HostChoice extends CommandLineArguments {
  readonly host: ReadonlyArray<HostId>
  readonly server: ReadonlyArray<string>
  readonly file: ReadonlyArray<string>
  readonly all: boolean
}

/** A host's file that was read. */
export interface HostFile {
  readonly place: HostPlace
  readonly servers: ReadonlyArray<HostServer>
}

/** Some files could not be used. The others were. */
export class HostFilesFailed extends Schema.TaggedError<HostFilesFailed>()("HostFilesFailed", {
  problems: Schema.Array(Schema.String)
}) {
  override get message(): string {
    return this.problems.join("\n")
  }
}

/** The path as a person writes it. */
export const shownPath = (path: string): string => {
  const home = homedir()
  return path.startsWith(home) && /^[\\/]/.test(path.slice(home.length)) ? `~${path.slice(home.length)}` : path
}

/** The data of a host's file; fails where its text is not of its format. */
export const treeOf = (path: string, text: string): Effect.Effect<HostTree, HostFileFailed> => {
  const format = formatOf(path)
  const read = readHostText(text, format)
  if (!("detail" in read)) return Effect.succeed(read)
  const where = `line ${read.line}, column ${read.column}`
  const allowed = { json: "JSON, with comments", yaml: "YAML", toml: "TOML" }[format]
  const detail = `${where}: ${read.detail}; allowed: ${allowed}. The file was left as it is`
  return Effect.fail(new HostFileFailed({ path, detail, isMissing: false }))
}

/** The file as it is now, and its servers. */
export const readServers = Effect.fnUntraced(function* (place: HostPlace) {
  const tree = yield* treeOf(place.path, yield* readHostFile(place.path))
  return { place, servers: serversOf(tree) } satisfies HostFile
})

const named = (path: string): HostPlace => ({ host: undefined, title: "File", path: resolve(path), isOfProject: false })

/** The files that are there, with servers in them, and what is wrong with others. */
export const findHostFiles = Effect.fnUntraced(function* ({ file, host, server }: HostChoice) {
  const known = hostPlaces({
    environment: process.env,
    folder: process.cwd(),
    home: homedir(),
    platform: process.platform
  })
  const wanted = known.filter((place) => host.length === 0 || (place.host !== undefined && host.includes(place.host)))
  // In the user's own folder, a file of the project is the one of the user.
  const unique = wanted.filter(({ path }, index) => wanted.findIndex((place) => place.path === path) === index)
  const places =
    file.length === 0
      ? unique
      : file.map((path) => ({
          ...(known.find((place) => place.path === resolve(path)) ?? named(path)),
          isOfProject: false
        }))
  const files: Array<HostFile> = []
  const problems: Array<string> = []
  for (const place of places) {
    const read = yield* Effect.result(readServers(place))
    if (read._tag === "Success") files.push(read.success)
    else if (file.length > 0 || !read.failure.isMissing) problems.push(read.failure.message)
  }
  const names = files.flatMap(({ servers }) => servers.map(({ name }) => name))
  const unknown = server.find((name) => !names.includes(name))
  if (unknown !== undefined && problems.length === 0) {
    const closest = closestOf(unknown, names)
    const there = names.length === 0 ? "there are no servers" : `there are: ${[...new Set(names)].join(", ")}`
    const advice = closest === undefined ? there : `did you mean ${closest}?`
    return yield* rejected(`no host has a server ${JSON.stringify(unknown)}; ${advice}`, "--server")
  }
  const withServers = files.filter(({ servers }) => servers.length > 0)
  const looked = places.map(({ path }) => `  ${shownPath(path)}`).join("\n")
  return { files: withServers, problems, nothing: `No servers were found. Looked at:\n${looked}` }
})
