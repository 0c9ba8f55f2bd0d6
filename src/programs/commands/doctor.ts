import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect, Layer, Logger, Result, Runtime, Schema } from "effect"
import { makeRedactor } from "../../domain/observability/Redaction.ts"
import { secretsOf } from "../../domain/observability/Redaction.ts"
import { secretsOfRun } from "../../domain/observability/secretsOfRun.ts"
import type { CommandLineArguments } from "../../domain/settings/ConfigFlags.ts"
import type { ConfigRejected } from "../../domain/settings/ConfigProblem.ts"
import { isWrapped } from "../../domain/wrapping/wrapText.ts"
import * as PackageFiles from "../../layers/documents/PackageFiles.ts"
import { Settings } from "../../services/settings/Settings.ts"
import { checkDocument } from "../doctor/checkDocument.ts"
import { checkModel } from "../doctor/checkModel.ts"
import { checkNode } from "../doctor/checkNode.ts"
import { checkServer } from "../doctor/checkServer.ts"
import { type Finding, findingsOf } from "../doctor/Finding.ts"
import { NO_MODEL, NO_SERVER, settingsFor } from "./commandSettings.ts"
import { checkFiles, sourcesOf } from "./config.ts"
import { withHostServer } from "./withHostServer.ts"

export interface DoctorArguments extends CommandLineArguments {
  readonly json: boolean
  /** A server of a host's file, which `--config` names then. */
  readonly server: string | undefined
}

/** Something has to be mended; exit code 1. */
class DoctorFound extends Schema.TaggedError<DoctorFound>()("DoctorFound", { count: Schema.Int }) {
  override readonly [Runtime.errorExitCode] = 1

  override get message(): string {
    return this.count === 1 ? "1 thing has to be mended" : `${this.count} things have to be mended`
  }
}

const rejections = ({ problems }: ConfigRejected): ReadonlyArray<Finding> =>
  problems.map(({ path, source, text }) =>
    findingsOf(/^generation\.promptsDirectory$|\.md$/.test(path || source) ? "prompts" : "settings").fail(
      [source, path, text].filter((part) => part !== "").join(": ")
    )
  )

/** The settings, or what is wrong with them. Where only the model is, the server can be looked at all the same. */
const settle = Effect.fnUntraced(function* (given: CommandLineArguments) {
  const told = yield* Effect.result(settingsFor(given, {}, NO_SERVER))
  if (Result.isSuccess(told)) return { ...told.success, findings: [], isWhole: true }
  const without = yield* Effect.option(settingsFor(given, NO_MODEL, NO_SERVER))
  const findings = rejections(told.failure)
  return without._tag === "Some" ? { ...without.value, findings, isWhole: false } : { findings, isWhole: false }
})

const checkSettings = Effect.fnUntraced(function* (given: CommandLineArguments) {
  const { findings, isWhole, ...settled } = yield* settle(given)
  if (!("settings" in settled)) return { settings: undefined, findings }
  const { notices, settings } = settled
  const { ok, warn } = findingsOf("settings")
  const files = yield* Effect.result(checkFiles(settings, sourcesOf(given, settings.llm.provider)))
  const warnings = notices.filter(({ level }) => level === "warn").map(({ message }) => warn(message))
  const wrong = Result.isFailure(files) ? rejections(files.failure) : [findingsOf("prompts").ok("the prompts render")]
  const all = [...findings, ...warnings, ...wrong]
  return {
    settings,
    findings: all.some(({ check }) => check === "settings")
      ? all
      : [ok("flags, environment and file are right"), ...all],
    isWhole
  }
})

/** What the file of a host says of the server that is meant. */
const checkHost = Effect.fnUntraced(function* (asked: DoctorArguments) {
  const { fail, ok, warn } = findingsOf("host")
  const found = yield* Effect.result(withHostServer(asked).pipe(Effect.provide(NodeServices.layer)))
  if (Result.isFailure(found)) return { given: undefined, findings: [fail(found.failure.message)] }
  const { given, server } = found.success
  if (server === undefined) return { given, findings: [] }
  const file = asked.flags.config ?? ""
  const state = isWrapped(server)
    ? ok(`"${server.name}" is wrapped in ${file}`)
    : warn(`"${server.name}" is not wrapped in ${file}`, `mcp-gen-ui wrap --file ${file} --server ${server.name}`)
  return {
    given,
    findings: server.isDisabled ? [state, warn("it is disabled there", "enable it in the host")] : [state]
  }
})

const look = Effect.fnUntraced(function* (asked: DoctorArguments) {
  const node = yield* checkNode
  const host = yield* checkHost(asked)
  const own = [...node, ...host.findings]
  const { given } = host
  if (given === undefined) return { findings: own, secrets: secretsOf(process.env) }
  const { findings, isWhole = false, settings } = yield* checkSettings(given)
  const before = [...own, ...findings]
  if (settings === undefined) return { findings: before, secrets: secretsOf(process.env) }
  const rest = Effect.gen(function* () {
    const model = isWhole ? [yield* checkModel] : []
    if (settings.upstream === NO_SERVER) {
      const { warn } = findingsOf("server")
      return [...model, warn("no server was named", "write its command after --: mcp-gen-ui doctor -- node server.js")]
    }
    const server = yield* checkServer
    return [...server.findings, ...model, ...(yield* checkDocument(server.definitions))]
  })
  const found = yield* Effect.provideService(rest, Settings, settings)
  return { findings: [...before, ...found], secrets: secretsOfRun(settings, process.env) }
})

const MARKS = { ok: "✓", warn: "!", fail: "✗" } as const

const lineOf = ({ check, mend, state, text }: Finding): string => {
  const lines = text.replaceAll("\n", "\n              ")
  return `${MARKS[state]} ${check.padEnd(9)} ${lines}${mend === undefined ? "" : `\n              → ${mend}`}`
}

/**
 * `mcp-gen-ui doctor`: looks at everything that a start needs, one line each, with what to do about it. It starts the
 * server, lists its tools, and asks the model for one word. Fails if something has to be mended.
 */
export const runDoctor = Effect.fn("runDoctor")(
  function* (given: DoctorArguments) {
    const { findings, secrets } = yield* look(given)
    const redactor = makeRedactor(secrets)
    const shown = findings.map(({ check, mend, state, text }) =>
      findingsOf(check)[state](redactor.text(text), mend === undefined ? undefined : redactor.text(mend))
    )
    const count = shown.filter(({ state }) => state === "fail").length
    const report = given.json
      ? JSON.stringify({ ok: count === 0, findings: shown }, null, 2)
      : shown.map(lineOf).join("\n")
    yield* Console.log(report)
    if (count > 0) return yield* new DoctorFound({ count })
  },
  // What the checks find stands in the report; the log would say it again.
  (effect) => Effect.provide(effect, Layer.merge(PackageFiles.layer, Logger.layer([])))
)
