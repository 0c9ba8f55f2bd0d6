import { Effect } from "effect"
import { userModelPath } from "../../adapters/settings/userModel.ts"
import { FirstServer, startFirstServer } from "../../adapters/upstream/startServer.ts"
import type { CommandLineArguments } from "../../domain/settings/ConfigFlags.ts"
import { resolveSettings } from "../../layers/settings/Settings.ts"
import type { Settings } from "../../services/settings/Settings.ts"

/**
 * Starts the one server of a run while the rest of the program is loaded. Not if there is a log file, which may turn out
 * to be unusable, and not over HTTP, where each session has a server of its own.
 */
const startEarly = ({ http, logging, upstream }: Settings["Service"]) =>
  http === undefined && logging.file === undefined && upstream.transport === "stdio"
    ? startFirstServer(upstream)
    : Effect.undefined

/** `mcp-gen-ui -- <command>`: wraps a server for the host on the other end of standard input and output. */
export const runServe = Effect.fn("runServe")(function* (given: CommandLineArguments) {
  const { settings, notices } = yield* resolveSettings({
    ...given,
    environment: process.env,
    userModel: userModelPath(process.env)
  })
  const first = yield* startEarly(settings)
  const { wrapServer } = yield* Effect.promise(() => import("../wrapServer.ts"))
  yield* Effect.provideService(wrapServer(settings, notices), FirstServer, first)
}, Effect.scoped)
