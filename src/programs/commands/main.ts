import { Cause, Exit, Runtime } from "effect"
import { makeRedactor, secretsOf } from "../../domain/logs/Redaction.ts"

const SIGNAL_NUMBERS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const

/** Nothing ran because of what a person can mend in the command line: the exit code is 2, as for a wrong flag. */
const exitCodeOf = (error: unknown): number => {
  const isUnavailable =
    typeof error === "object" && error !== null && "_tag" in error && error._tag === "UpstreamUnavailable"
  return isUnavailable ? 2 : Runtime.getErrorExitCode(error)
}

const messageOf = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  const isExpected = !Cause.hasDies(cause) && error instanceof Error
  return isExpected ? error.message : `this is a fault of mcp-gen-ui, please report it\n${Cause.pretty(cause)}`
}

/**
 * Runs a program as this process. The first SIGINT, SIGTERM or SIGHUP interrupts it, so that what it started is
 * ended in order; a second one ends the process at once. A failure is told in one message on standard error,
 * without secrets. Exit codes: 0 done, 1 failed, 2 nothing was started, 128 + n ended by signal n.
 */
export const runMain = Runtime.makeRunMain(({ fiber }) => {
  let received: keyof typeof SIGNAL_NUMBERS | undefined
  const onSignal = (signal: keyof typeof SIGNAL_NUMBERS): void => {
    if (received !== undefined) process.exit(128 + SIGNAL_NUMBERS[signal])
    received = signal
    fiber.interruptUnsafe(fiber.id)
  }
  for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"] as const) process.on(signal, () => onSignal(signal))
  fiber.addObserver((exit) => {
    if (Exit.isSuccess(exit)) process.exit(0)
    if (Cause.hasInterruptsOnly(exit.cause)) {
      process.exit(received === undefined ? 1 : 128 + SIGNAL_NUMBERS[received])
    }
    const code = exitCodeOf(Cause.squash(exit.cause))
    const told = makeRedactor(secretsOf(process.env)).text(messageOf(exit.cause))
    process.stderr.write(`mcp-gen-ui: ${told}\n`, () => process.exit(code))
  })
})
