import { existsSync } from "node:fs"

/** How long (milliseconds) calls to the system are waited for before the process ends without them. */
const CALLS_GRACE_MS = 300
const POLL_MS = 10

const isOpen = (kind: string): boolean => process.getActiveResourcesInfo().some((name) => name.startsWith(kind))

/**
 * `process.exit` waits for a lookup of a name, which takes its ten seconds where no name server answers. Another program in
 * place of this one ends with the code at once. Where a system has no such call, the lookup is waited for.
 */
const endDespiteLookups = (code: number): void => {
  const { NODE_OPTIONS: _, ...environment } = process.env
  const program = process.execPath
  try {
    // A program that is not there, as after an update of Node, would be a crash.
    if (existsSync(program)) process.execve?.(program, [program, "-e", `process.exit(${code})`], environment)
  } catch {
    // Windows has none.
  }
  process.exit(code)
}

/**
 * Ends this process, also where the system does not answer: `process.exit` waits for calls that are in its threads,
 * for ever if it is a network folder whose machine is gone. Then the process is killed, and its exit code says that.
 * Lookups of names do not hold it up, and the exit code stays what it is.
 */
export const endProcess = (code: number): void => {
  const due = performance.now() + CALLS_GRACE_MS
  const end = (): void => {
    const isLookingUp = isOpen("GetAddrInfo")
    const isInFiles = isOpen("FSReq")
    if (!isLookingUp && !isInFiles) process.exit(code)
    if (performance.now() >= due) {
      if (isInFiles) process.kill(process.pid, "SIGKILL")
      else endDespiteLookups(code)
    }
    setTimeout(end, POLL_MS)
  }
  end()
}

/** Ends this process so unless it has ended by then. */
export const endProcessWithin = (graceMs: number, code: number): void => {
  setTimeout(() => endProcess(code), graceMs).unref()
}
