import { Cause, Effect, Exit, Runtime } from "effect"
import { endProcess, endProcessWithin } from "../../adapters/platform/endProcess.ts"
import { ConfigRejected } from "../../domain/settings/ConfigProblem.ts"
import { makeRedactor, type Redactor, secretsOf } from "../../domain/observability/Redaction.ts"
import { RunSecrets } from "../../services/observability/RunSecrets.ts"

/** After a signal, how long the program may take to end in order. */
const END_GRACE_MS = 8000
/** Do not wait longer for standard error: perhaps nobody reads it. */
const LAST_WORDS_MS = 2000

const SIGNAL_NUMBERS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const

/** A server that did not start is for a person to mend, as a wrong flag is: exit code 2. */
const exitCodeOf = (error: unknown): number => {
  const isUnavailable =
    typeof error === "object" && error !== null && "_tag" in error && error._tag === "UpstreamUnavailable"
  return isUnavailable ? 2 : Runtime.getErrorExitCode(error)
}

/** Redacts part by part: as one text, `llm.apiKey: is missing` would look like a secret under a name. */
const rejectionText = ({ problems }: ConfigRejected, redactor: Redactor): string =>
  new ConfigRejected({
    problems: problems.map(({ path, source, text }) => ({
      source: redactor.text(source),
      path: redactor.text(path),
      text: redactor.text(text)
    }))
  }).message

const messageOf = (cause: Cause.Cause<unknown>, redactor: Redactor): string => {
  const error = Cause.squash(cause)
  if (!Cause.hasDies(cause) && error instanceof ConfigRejected) return rejectionText(error, redactor)
  const isExpected = !Cause.hasDies(cause) && error instanceof Error
  return redactor.text(
    isExpected ? error.message : `this is a fault of mcp-gen-ui, please report it\n${Cause.pretty(cause)}`
  )
}

/** The exit code of a program that failed, and its message without known secrets. */
export const lastWordsOf = (
  cause: Cause.Cause<unknown>,
  known: ReadonlyArray<string>
): { readonly code: number; readonly told: string } => ({
  code: exitCodeOf(Cause.squash(cause)),
  told: `mcp-gen-ui: ${messageOf(cause, makeRedactor([...known, ...secretsOf(process.env)]))}\n`
})

/** Filled as soon as the settings are known. */
const secrets: Array<string> = []

const run = Runtime.makeRunMain(({ fiber }) => {
  let received: keyof typeof SIGNAL_NUMBERS | undefined
  const onSignal = (signal: keyof typeof SIGNAL_NUMBERS): void => {
    if (received !== undefined) return endProcess(128 + SIGNAL_NUMBERS[signal])
    received = signal
    endProcessWithin(END_GRACE_MS, 128 + SIGNAL_NUMBERS[signal])
    fiber.interruptUnsafe(fiber.id)
  }
  for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"] as const) process.on(signal, () => onSignal(signal))
  fiber.addObserver((exit) => {
    if (Exit.isSuccess(exit)) return endProcess(0)
    if (Cause.hasInterruptsOnly(exit.cause)) {
      return endProcess(received === undefined ? 1 : 128 + SIGNAL_NUMBERS[received])
    }
    const { code, told } = lastWordsOf(exit.cause, secrets)
    endProcessWithin(LAST_WORDS_MS, code)
    process.stderr.write(told, () => endProcess(code))
  })
})

/**
 * Runs a program as this process. The first SIGINT, SIGTERM or SIGHUP interrupts it, so that everything it started ends in
 * order. A second one, or eight seconds, end the process at once. A failure is one message on standard error, without
 * secrets. Exit codes: 0 done, 1 failed, 2 nothing was started, 128 + n ended by signal n.
 */
export const runMain = <E, A>(
  program: Effect.Effect<A, E>,
  options?: { readonly disableErrorReporting?: boolean }
): void =>
  run(
    Effect.provideService(program, RunSecrets, (known) => void secrets.push(...known)),
    options
  )
