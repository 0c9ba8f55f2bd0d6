import { Context } from "effect"
import type { Fiber } from "effect"
import type { ChildProcess } from "node:child_process"
import type { UpstreamUnavailable } from "./Upstream.ts"

/** A server that was started as a child process, with its standard error read and its standard output not yet. */
export interface StartedServer {
  readonly child: ChildProcess
  /** The last that it wrote on standard error, without secrets. */
  readonly lastWords: (redact: (text: string) => string) => string
}

/**
 * The server of a run, where it was started before the rest of the program was loaded. Whoever would start it takes
 * this one first. Unless a program says otherwise there is none.
 */
export const FirstServer = Context.Reference<Fiber.Fiber<StartedServer, UpstreamUnavailable> | undefined>(
  "mcp-gen-ui/services/FirstServer",
  { defaultValue: () => undefined }
)
