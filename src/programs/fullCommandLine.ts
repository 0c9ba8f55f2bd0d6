import { Effect } from "effect"
import { runCache } from "./commands/cache.ts"
import { runConfigCheck } from "./commands/config.ts"
import { runDoctor } from "./commands/doctor.ts"
import { runExport } from "./commands/export.ts"
import { runImport } from "./commands/import.ts"
import { runMain } from "./commands/main.ts"
import { runGenerate } from "./commands/generate.ts"
import { runLogin, runLogout } from "./commands/login.ts"
import { runPreviewCommand } from "./commands/preview.ts"
import { runPrompt } from "./commands/prompt.ts"
import { readCommandLine } from "./commands/readCommandLine.ts"
import { runServe } from "./commands/serve.ts"
import { runStatus } from "./commands/status.ts"
import { runUnwrap, runWrap } from "./commands/wrap.ts"

/** Any command line as a program: help, slips, `preview`, and the rare spellings that mean serving. */
export const commandLine = Effect.fn("commandLine")(function* (words: ReadonlyArray<string>) {
  const request = yield* readCommandLine(words)
  switch (request.command) {
    case "serve":
      return yield* runServe(request.given)
    case "preview":
      return yield* runPreviewCommand(request.given)
    case "login":
      return yield* runLogin(request.given)
    case "logout":
      return yield* runLogout(request.given)
    case "prompt":
      return yield* runPrompt(request.given)
    case "generate":
      return yield* runGenerate(request.given)
    case "cache":
      return yield* runCache(request.given)
    case "config check":
      return yield* runConfigCheck(request.given)
    case "doctor":
      return yield* runDoctor(request.given)
    case "export":
      return yield* runExport(request.given)
    case "import":
      return yield* runImport(request.given)
    case "wrap":
      return yield* runWrap(request.given)
    case "unwrap":
      return yield* runUnwrap(request.given)
    case "status":
      return yield* runStatus(request.given)
    case "answered":
      return
  }
})

/** Runs any command line as this process. */
export const runFullCommandLine = (words: ReadonlyArray<string>): void =>
  runMain(commandLine(words), { disableErrorReporting: true })
