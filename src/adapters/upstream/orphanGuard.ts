import { type ChildProcess, spawn } from "node:child_process"

/**
 * Reads lists of process groups, one a line. When its input ends, which is when we end in whatever way, it ends the
 * groups of the last list. `sh` and `kill` are POSIX; a `sleep` that knows no fractions waits a second.
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
    // A session of its own: what is sent to our process group, or the end of a terminal, does not reach it.
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
 * Sees to it that a process group does not outlive this process, however that ends: a small `sh`, one for all groups,
 * waits for our end. Answers what lifts the guard. With the last group the watcher ends too. Does nothing on Windows;
 * `onFailure` hears if there is no `sh`.
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
