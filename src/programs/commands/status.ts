import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Duration, Effect } from "effect"
import { isWrapped } from "../../domain/wrapping/wrapText.ts"
import type { HostServer } from "../../domain/wrapping/HostServer.ts"
import { findHostFiles, type HostChoice, HostFilesFailed, shownPath } from "./hostFiles.ts"
import { oldNodeNote } from "./hostNotes.ts"
import { shownName, tableText } from "./tableText.ts"
import { type Trial, tryServer } from "./tryServer.ts"

export interface StatusArguments extends HostChoice {
  readonly json: boolean
  readonly noStart: boolean
}

/** `npx` may have to fetch a server first. */
const PATIENCE = Duration.seconds(30)

const wrappedText = (server: HostServer): string =>
  isWrapped(server) ? "wrapped" : server.wrapping === "byHand" ? "wrapped by hand" : "not wrapped"

const trialText = (trial: Trial): string => {
  if (trial.state === "fails") return `does not start: ${trial.reason}`
  if (trial.state === "untried") return `not started: ${trial.reason}`
  const uis = trial.withUi > 0 ? `, ${trial.withUi} with a UI of ${trial.tools === 1 ? "its" : "their"} own` : ""
  return `starts: ${trial.tools === 1 ? "1 tool" : `${trial.tools} tools`}${uis}`
}

/** `mcp-gen-ui status`: which servers of which hosts are wrapped, and whether they start. */
export const runStatus = Effect.fn("runStatus")(function* (given: StatusArguments) {
  const { files, nothing, problems } = yield* findHostFiles(given)
  const isMeant = ({ name }: HostServer) => given.server.length === 0 || given.server.includes(name)
  const all = files.flatMap(({ place, servers }) => servers.filter(isMeant).map((server) => ({ place, server })))
  const rows = yield* Effect.forEach(
    all,
    ({ place, server }) =>
      Effect.gen(function* () {
        const words = server.target?.kind === "command" && isWrapped(server) ? server.target : undefined
        const note = words === undefined ? undefined : yield* oldNodeNote(words.words, words.env["PATH"])
        const isForeign = place.isOfProject && !given.all
        const untried = given.noStart
          ? "--no-start"
          : isForeign
            ? "its file is of this folder; --all starts it too"
            : undefined
        const trial: Trial =
          untried === undefined ? yield* tryServer(place, server, PATIENCE) : { state: "untried", reason: untried }
        return { place, server, trial, note }
      }),
    { concurrency: 4 }
  )
  if (given.json) {
    const servers = rows.map(({ note, place, server, trial }) => ({
      host: place.host ?? null,
      file: place.path,
      project: server.project ?? null,
      server: server.name,
      wrapped: isWrapped(server) || server.wrapping === "byHand",
      disabled: server.isDisabled,
      ...trial,
      ...(note === undefined ? {} : { warning: note })
    }))
    yield* Console.log(JSON.stringify({ servers, problems }, null, 2))
  } else if (rows.length === 0) {
    yield* Console.log(nothing)
  } else {
    for (const { place } of files.filter(({ place }) => rows.some((row) => row.place === place))) {
      const own = rows.filter((row) => row.place === place)
      const lines = own.map(({ server, trial }) => [
        `  ${shownName(server.name)}${server.project === undefined ? "" : ` (${shownPath(server.project)})`}`,
        wrappedText(server),
        trialText(trial)
      ])
      yield* Console.log(`${place.title}  ${shownPath(place.path)}\n${tableText(lines)}\n`)
      for (const note of new Set(own.map(({ note }) => note)))
        if (note !== undefined) yield* Console.error(`warn: ${note}`)
    }
  }
  if (problems.length > 0) return yield* new HostFilesFailed({ problems })
}, Effect.provide(NodeServices.layer))
