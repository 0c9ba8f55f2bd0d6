/** After this long (milliseconds) the process ends without waiting for its system calls. */
const CALLS_GRACE_MS = 300
const POLL_MS = 10

const isCallOpen = (): boolean => process.getActiveResourcesInfo().some((name) => /^(FSReq|GetAddrInfo)/.test(name))

/**
 * Ends this process, also where the system does not answer. `process.exit` waits for system calls: ten seconds where no
 * name server answers, forever where the machine of a network folder is gone. So the process kills itself when they
 * take too long. The price is the exit code: the parent sees SIGKILL.
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

/** Does so later, unless the process has ended by then. */
export const endProcessWithin = (graceMs: number, code: number): void => {
  setTimeout(() => endProcess(code), graceMs).unref()
}
