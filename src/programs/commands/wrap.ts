import * as NodeServices from "@effect/platform-node/NodeServices"
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff"
import { Console, Duration, Effect } from "effect"
import * as Prompt from "effect/cli/Prompt"
import { join, resolve } from "node:path"
import {
  changeHostFile,
  copyBeside,
  type HostFileChange,
  type HostFileFailed
} from "../../adapters/wrapping/hostFile.ts"
import { readHostFile } from "../../adapters/wrapping/hostFile.ts"
import { makeRedactor, secretsOf } from "../../domain/observability/Redaction.ts"
import { CONFIG_FLAGS } from "../../domain/settings/ConfigFlags.ts"
import { rejected } from "../../domain/settings/ConfigProblem.ts"
import type { HostPlace } from "../../domain/wrapping/HostPlaces.ts"
import { type HostServer, serversOf } from "../../domain/wrapping/HostServer.ts"
import { formatOf, readHostText } from "../../domain/wrapping/readHostText.ts"
import { isPlain, isWrapped, leadFor, unwrapped, wrapped } from "../../domain/wrapping/wrapText.ts"
import { launcherOf } from "../../domain/wrapping/WrapperWords.ts"
import * as PackageFilesNode from "../../layers/documents/PackageFiles.ts"
import { PackageFiles } from "../../services/documents/PackageFiles.ts"
import { NO_MODEL, NO_SERVER, settingsFor } from "./commandSettings.ts"
import { findHostFiles, type HostChoice, type HostFile, HostFilesFailed, shownPath, treeOf } from "./hostFiles.ts"
import { oldNodeNote } from "./hostNotes.ts"
import { askForModel, saveKey } from "./keepModel.ts"
import { wordsOf } from "./preview.ts"
import { shownName, tableText } from "./tableText.ts"
import { tryServer } from "./tryServer.ts"

export interface UnwrapArguments extends HostChoice {
  readonly write: boolean
}

export interface WrapArguments extends UnwrapArguments {
  readonly noStart: boolean
  readonly saveKey: boolean
}

interface Chosen {
  readonly place: HostPlace
  readonly servers: ReadonlyArray<HostServer>
}

/** What a command does with servers. */
interface Verb {
  readonly name: "wrap" | "unwrap"
  /** Why a server is left alone; `undefined` if it is not. */
  readonly leaves: (server: HostServer) => string | undefined
  readonly change: (place: HostPlace, servers: ReadonlyArray<HostServer>) => Change
}

type Change = (text: string, copy: string | undefined) => Effect.Effect<HostFileChange, HostFileFailed>

/** A server that did not answer by then is wrapped: what it brings is looked at again whenever it runs. */
const ANSWER = Duration.seconds(10)

const isTerminal = (): boolean => process.stdin.isTTY && process.stdout.isTTY

const isOneOf = (chosen: ReadonlyArray<HostServer>) => (server: HostServer) =>
  chosen.some(({ name, project }) => name === server.name && project === server.project)

const titleOf = ({ title }: HostPlace, { name, project }: HostServer): string =>
  `${title} · ${shownName(name)}${project === undefined ? "" : ` (${shownPath(project)})`}`

/** The file of before, if it is there and can be read. */
const before = (path: string, copy: string | undefined) => {
  const tree = copy === undefined ? undefined : readHostText(copy, formatOf(path))
  return tree === undefined || "detail" in tree ? undefined : tree
}

/** Which servers are meant: by flags, or by check boxes on a terminal. */
const choose = Effect.fnUntraced(function* (verb: Verb, given: UnwrapArguments, files: ReadonlyArray<HostFile>) {
  const candidates = files.flatMap(({ place, servers }) =>
    servers.map((server) => ({ place, server, reason: verb.leaves(server) }))
  )
  const isNamed = given.server.length > 0 || given.all
  const fitting = candidates.filter(({ reason }) => reason === undefined)
  const inFiles = (isChosen: (candidate: (typeof candidates)[number]) => boolean): ReadonlyArray<Chosen> =>
    files.flatMap(({ place }) => {
      const servers = fitting.filter((one) => one.place === place && isChosen(one)).map(({ server }) => server)
      return servers.length > 0 ? [{ place, servers }] : []
    })
  if (isNamed || !isTerminal() || fitting.length === 0) {
    const rows = candidates.map(({ place, reason, server }) => [
      titleOf(place, server),
      shownPath(place.path),
      reason === undefined ? "" : `left alone: ${reason}`
    ])
    if (rows.length > 0) yield* Console.log(`${tableText(rows)}\n`)
  }
  if (isNamed) return inFiles(({ server }) => given.all || given.server.includes(server.name))
  if (fitting.length === 0) return []
  if (!isTerminal()) {
    return yield* rejected(`nobody can choose here; say --server NAME (again for more) or --all`, verb.name)
  }
  const chosen = yield* Prompt.MultiSelect({
    message: `Which servers to ${verb.name}? (space chooses)`,
    choices: candidates.map((candidate) => ({
      title: titleOf(candidate.place, candidate.server),
      value: candidate,
      description: candidate.reason ?? shownPath(candidate.place.path),
      disabled: candidate.reason !== undefined,
      selected: candidate.reason === undefined
    }))
  })
  return inFiles((candidate) => chosen.includes(candidate))
})

/** Secrets of servers are not for the screen. */
const shownDiff = ({ place, servers }: Chosen, was: string, text: string): string => {
  const secrets = servers.flatMap(({ target }) =>
    target?.kind === "command"
      ? secretsOf(target.env)
      : (target?.headers ?? []).map((line) => line.replace(/^[^:]*:\s*/, ""))
  )
  const redactor = makeRedactor(secrets)
  const patch = createTwoFilesPatch(place.path, place.path, was, text, undefined, undefined, {
    headerOptions: FILE_HEADERS_ONLY
  })
  return patch.split("\n").map(redactor.text).join("\n")
}

/** Shows what changes, and writes it with `--write` or a yes. */
const changeFiles = Effect.fnUntraced(function* (verb: Verb, given: UnwrapArguments, all: ReadonlyArray<Chosen>) {
  const problems: Array<string> = []
  const isAsked = !given.write && isTerminal()
  const trying = <A>(work: Effect.Effect<A, HostFileFailed>) =>
    work.pipe(
      Effect.tapError(({ message }) => Effect.sync(() => problems.push(message))),
      Effect.orElseSucceed(() => undefined)
    )
  for (const chosen of all) {
    const { path } = chosen.place
    if (given.write) continue
    const was = yield* trying(readHostFile(path))
    if (was === undefined) continue
    const copy = yield* Effect.orElseSucceed(readHostFile(copyBeside(path)), () => undefined)
    const changed = yield* trying(verb.change(chosen.place, chosen.servers)(was, copy))
    if (changed !== undefined) yield* Console.log(shownDiff(chosen, was, changed.text))
  }
  const isWanted = given.write || (isAsked && (yield* Prompt.Confirm({ message: "Write this?", initial: false })))
  if (!isWanted) {
    yield* Console.log(isAsked ? "Nothing was written." : "Nothing was written; --write does it.")
    return { problems, written: [] }
  }
  const written: Array<Chosen> = []
  for (const chosen of all) {
    const { path, title } = chosen.place
    const done = yield* trying(changeHostFile(path, verb.change(chosen.place, chosen.servers)))
    if (done === undefined || done.text === done.was) continue
    if (given.write) yield* Console.log(shownDiff(chosen, done.was, done.text))
    written.push(chosen)
    const kept = done.copy === undefined ? "" : `; as it was before: ${shownPath(copyBeside(path))}`
    yield* Console.log(`Wrote ${shownPath(path)}${kept}. Restart ${title === "File" ? "its host" : title}.`)
  }
  return { problems, written }
})

/** Who leaves a prompt is told what has not happened. */
const quitting =
  (message: string) =>
  <A, E, R>(work: Effect.Effect<A, E, R>) =>
    Effect.catchIf(
      work,
      (error) => typeof error === "object" && error !== null && "_tag" in error && error._tag === "QuitError",
      () => Console.log(message)
    )

/** Servers behind a wrapper add nothing for tools that bring UIs: where all do, it is left out. */
const withoutOwnUis = Effect.fnUntraced(function* (all: ReadonlyArray<Chosen>) {
  const asked = yield* Effect.forEach(all, ({ place, servers }) =>
    Effect.forEach(
      servers,
      (server) =>
        Effect.gen(function* () {
          // What came with a folder is not run unless somebody asks for it.
          const trial = place.isOfProject ? undefined : yield* tryServer(place, server, ANSWER)
          const hasAll = trial?.state === "starts" && trial.tools > 0 && trial.withUi === trial.tools
          if (hasAll) yield* Console.log(`${titleOf(place, server)} is left alone: all its tools bring a UI.`)
          return hasAll ? [] : [server]
        }),
      { concurrency: 4 }
    ).pipe(Effect.map((servers) => ({ place, servers: servers.flat() })))
  )
  return asked.filter(({ servers }) => servers.length > 0)
})

/** Flags that are for the wrapped servers; those that name a server are not. */
const flagsForEntries = Effect.fnUntraced(function* ({ command, flags }: WrapArguments) {
  for (const name of ["upstream", "header", "transport", "http"] as const) {
    if (flags[name] !== undefined) {
      return yield* rejected(
        "does not go with wrap, which takes servers from files of hosts",
        `--${CONFIG_FLAGS[name].flag}`
      )
    }
  }
  if (command !== undefined) {
    return yield* rejected("wrap takes servers from files of hosts; mcp-gen-ui -- <command> runs one", "--")
  }
  yield* settingsFor({ flags, command }, NO_MODEL, NO_SERVER)
  const { config, cacheDir, exportDir, logFile, promptFile } = flags
  const paths = Object.entries({ config, cacheDir, exportDir, logFile, promptFile }).flatMap(([name, path]) =>
    path === undefined ? [] : [[name, resolve(path)]]
  )
  return wordsOf({ ...flags, ...Object.fromEntries(paths) })
})

/** `mcp-gen-ui wrap`: puts the wrapper in front of servers in the files of hosts. */
export const runWrap = Effect.fn("runWrap")(
  function* (given: WrapArguments) {
    const flags = yield* flagsForEntries(given)
    if (given.saveKey) yield* saveKey(given)
    const { root } = yield* PackageFiles
    const launcher = launcherOf({ execPath: process.execPath, binPath: join(root, "bin/mcp-gen-ui.mjs") })
    const lead = (server: HostServer) => leadFor(server, launcher, flags)
    const leaves = (server: HostServer): string | undefined => {
      if (server.isDisabled) return "it is disabled"
      if (isWrapped(server)) return "it is wrapped"
      return isPlain(server) ? undefined : (server.refusal ?? "it cannot be wrapped")
    }
    const verb: Verb = {
      name: "wrap",
      leaves,
      change: ({ path }, servers) =>
        Effect.fnUntraced(function* (text, copy) {
          const tree = yield* treeOf(path, text)
          const all = serversOf(tree)
          const chosen = all.filter((server) => isOneOf(servers)(server) && leaves(server) === undefined)
          const original = unwrapped(tree, all.filter(isWrapped), before(path, copy))
          return { text: wrapped(tree, chosen, lead), copy: original }
        })
    }
    const { files, nothing, problems } = yield* findHostFiles(given)
    const chosen = yield* choose(verb, given, files)
    const isTried = !given.noStart && (given.write || isTerminal())
    const all = isTried ? yield* withoutOwnUis(chosen) : chosen
    if (all.length === 0) yield* Console.log(files.length === 0 ? nothing : "There is nothing to wrap.")
    const done = all.length === 0 ? { problems: [], written: [] } : yield* changeFiles(verb, given, all)
    for (const { place, servers } of all) {
      const notes = yield* Effect.forEach(servers, (server) => {
        const path = server.target?.kind === "command" ? server.target.env["PATH"] : undefined
        return oldNodeNote(lead(server), path)
      })
      for (const note of new Set(notes)) if (note !== undefined) yield* Console.error(`warn: ${place.title}: ${note}`)
      if (place.isOfProject && launcher[0] !== "npx") {
        yield* Console.error(
          `warn: ${shownPath(place.path)} may be shared with others, and names paths of this machine now`
        )
      }
    }
    if (done.written.length > 0 && isTerminal()) yield* quitting("No key was kept.")(askForModel(given))
    const failures = [...problems, ...done.problems]
    if (failures.length > 0) return yield* new HostFilesFailed({ problems: failures })
  },
  quitting("Nothing was written."),
  Effect.provide([NodeServices.layer, PackageFilesNode.layer])
)

/** `mcp-gen-ui unwrap`: gives servers back as they were. */
export const runUnwrap = Effect.fn("runUnwrap")(
  function* (given: UnwrapArguments) {
    const verb: Verb = {
      name: "unwrap",
      leaves: (server) => (isWrapped(server) ? undefined : "it is not wrapped"),
      change: ({ path }, servers) =>
        Effect.fnUntraced(function* (text, copy) {
          const tree = yield* treeOf(path, text)
          const all = serversOf(tree).filter(isWrapped)
          const chosen = all.filter(isOneOf(servers))
          const result = unwrapped(tree, chosen, before(path, copy))
          return { text: result, copy: chosen.length === all.length && result === copy ? undefined : copy }
        })
    }
    const { files, nothing, problems } = yield* findHostFiles(given)
    const chosen = yield* choose(verb, given, files)
    if (chosen.length === 0) yield* Console.log(files.length === 0 ? nothing : "Nothing is wrapped.")
    const done = chosen.length === 0 ? { problems: [] } : yield* changeFiles(verb, given, chosen)
    const failures = [...problems, ...done.problems]
    if (failures.length > 0) return yield* new HostFilesFailed({ problems: failures })
  },
  quitting("Nothing was written."),
  Effect.provide(NodeServices.layer)
)
