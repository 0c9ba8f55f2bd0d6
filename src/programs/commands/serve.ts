import { Effect } from "effect"
import { FirstServer, startFirstServer } from "../../adapters/upstream/startServer.ts"
import type { CommandLineArguments } from "../../domain/settings/ConfigFlags.ts"
import { resolveSettings } from "../../layers/settings/Settings.ts"
import type { Settings } from "../../services/settings/Settings.ts"

/**
 * The one server of a run, started while the rest of the program is loaded. It is not started yet where more than the
 * settings may be wrong (a log file that cannot be opened), and over HTTP, where each session has its own.
 */
const startEarly = ({ http, logging, upstream }: Settings["Service"]) =>
  http === undefined && logging.file === undefined && upstream.transport === "stdio"
    ? startFirstServer(upstream)
    : Effect.undefined

/** `mcp-gen-ui -- <command>`: wraps a server for the host on the other end of standard input and output. */
export const runServe = Effect.fn("runServe")(function* (given: CommandLineArguments) {
  const { settings, notices } = yield* resolveSettings({ ...given, environment: process.env })
  const first = yield* startEarly(settings)
  const { wrapServer } = yield* Effect.promise(() => import("../wrapServer.ts"))
  yield* Effect.provideService(wrapServer(settings, notices), FirstServer, first)
}, Effect.scoped)
