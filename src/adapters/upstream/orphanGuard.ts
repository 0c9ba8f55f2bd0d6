import { type ChildProcess, spawn } from "node:child_process"

/**
 * Reads lists of process groups, one a line. Its input ends when we end; then it ends the groups of the last list. `sh`
 * and `kill` are POSIX; where `sleep` takes no fractions, it waits a second.
 */
const SCRIPT = `
trap '' HUP INT TERM
groups=
while read -r line; do groups=$line; done
[ -n "$groups" ] || exit 0
signal() { for group in $groups; do kill -s "$1" -- "-$group"; done; }
signal TERM
sleep 0.5 || sleep 1
signal KILL
`

const guarded = new Set<number>()
let watcher: ChildProcess | undefined

const startWatcher = (onFailure: (error: Error) => void): ChildProcess => {
  const child = spawn("sh", ["-c", SCRIPT], {
    // A session of its own: signals to our process group and the end of a terminal do not reach it.
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
    cwd: "/",
    env: { PATH: process.env.PATH }
  })
  const forget = (): void => {
    if (watcher === child) watcher = undefined
  }
  child.once("error", (error) => {
    forget()
    onFailure(error)
  })
  child.once("exit", forget)
  child.unref()
  const { stdin } = child
  stdin?.on("error", () => undefined)
  if (stdin !== null && "unref" in stdin && typeof stdin.unref === "function") stdin.unref()
  return child
}

const tellWatcher = (): void => {
  watcher?.stdin?.write(`${[...guarded].join(" ")}\n`)
}

/**
 * Ends a process group when this process ends, in whatever way. A small `sh`, one for all groups, waits for our end. Kept
 * by hand because nothing inside this process runs after SIGKILL. Returns a function that lifts the guard; with the last
 * group the watcher ends too. Does nothing on Windows; `onFailure` is called if there is no `sh`.
 */
export const guardGroup = (group: number, onFailure: (error: Error) => void): (() => void) => {
  if (process.platform === "win32") return () => undefined
  guarded.add(group)
  try {
    watcher ??= startWatcher(onFailure)
  } catch (error) {
    onFailure(error instanceof Error ? error : new Error(String(error)))
  }
  tellWatcher()
  return () => {
    if (!guarded.delete(group)) return
    tellWatcher()
    if (guarded.size > 0) return
    watcher?.stdin?.end()
    watcher = undefined
  }
}
