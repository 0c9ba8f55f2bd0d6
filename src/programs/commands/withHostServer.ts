import { Effect } from "effect"
import { statSync } from "node:fs"
import { resolve } from "node:path"
import type { CommandLineArguments } from "../../domain/settings/ConfigFlags.ts"
import { rejected } from "../../domain/settings/ConfigProblem.ts"
import type { HostPlace } from "../../domain/wrapping/HostPlaces.ts"
import { asOfHost, withoutWrapper } from "./asOfHost.ts"
import { readServers } from "./hostFiles.ts"

interface HostServerArguments extends CommandLineArguments {
  /** A server of a host's file, which `--config` names then. */
  readonly server: string | undefined
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** The command line for a server of a host's file, as the host would start it, and the server as the file has it. */
export const withHostServer = Effect.fnUntraced(function* <Given extends HostServerArguments>(given: Given) {
  const { flags, server: name } = given
  if (name === undefined) return { given, server: undefined }
  if (flags.config === undefined)
    return yield* rejected("needs the file of the host beside it: --config FILE", "--server")
  const place: HostPlace = { host: undefined, title: "File", path: resolve(flags.config), isOfProject: false }
  const { servers } = yield* Effect.mapError(readServers(place), ({ detail, path }) => rejected(detail, path))
  const names = servers.map((server) => server.name)
  const server = servers.find((one) => one.name === name)
  if (server?.target === undefined) {
    const text = server?.refusal ?? `found ${JSON.stringify(name)}; allowed: ${names.join(", ")}`
    return yield* rejected(text, "--server")
  }
  const { cwd, env, headers, needs, words } = withoutWrapper(server, asOfHost(place, server.target))
  if (needs.length > 0)
    return yield* rejected(`${name} needs ${needs.join(", ")}, which only the host asks for`, "--server")
  if (cwd !== undefined && !isFolder(cwd))
    return yield* rejected(`found cwd ${JSON.stringify(cwd)} of ${name}; allowed: a folder that is there`, place.path)
  // The wrapper of every open page inherits both.
  Object.assign(process.env, env)
  if (cwd !== undefined) process.chdir(cwd)
  const header = headers.length > 0 ? headers : flags.header
  return { given: { ...given, command: words, flags: { ...flags, config: undefined, header } }, server }
})
