/** How long (milliseconds) calls to the system are waited for before the process ends without them. */
const CALLS_GRACE_MS = 300
const POLL_MS = 10

const isCallOpen = (): boolean => process.getActiveResourcesInfo().some((name) => /^(FSReq|GetAddrInfo)/.test(name))

/**
 * Ends this process, also where the system does not answer. `process.exit` waits for the calls in its threads: ten seconds
 * where no name server answers, for ever where the machine of a network folder is gone. So the process kills itself when
 * they take too long. What that gives up is the exit code: whoever started us sees SIGKILL.
 */
export const endProcess = (code: number): void => {
  const due = performance.now() + CALLS_GRACE_MS
  const end = (): void => {
    if (!isCallOpen()) process.exit(code)
    if (performance.now() >= due) process.kill(process.pid, "SIGKILL")
    setTimeout(end, POLL_MS)
  }
  end()
}

/** Ends this process so unless it has ended by then. */
export const endProcessWithin = (graceMs: number, code: number): void => {
  setTimeout(() => endProcess(code), graceMs).unref()
}
