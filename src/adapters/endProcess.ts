/** How long (milliseconds) calls to the system are waited for before the process ends without them. */
const CALLS_GRACE_MS = 300
const POLL_MS = 10

const hasOpenCalls = (): boolean =>
  process.getActiveResourcesInfo().some((name) => name.startsWith("FSReq") || name.startsWith("GetAddrInfo"))

/**
 * Ends this process, also where the system does not answer: `process.exit` waits for calls that are in its threads,
 * for ever if it is a network folder whose machine is gone. Then the process is killed, and its exit code says that.
 */
export const endProcess = (code: number): void => {
  const due = performance.now() + CALLS_GRACE_MS
  const end = (): void => {
    if (!hasOpenCalls()) process.exit(code)
    if (performance.now() >= due) process.kill(process.pid, "SIGKILL")
    setTimeout(end, POLL_MS)
  }
  end()
}

/** Ends this process so unless it has ended by then. */
export const endProcessWithin = (graceMs: number, code: number): void => {
  setTimeout(() => endProcess(code), graceMs).unref()
}
