import { spawnSync } from "node:child_process"

interface ProcessEntry {
  readonly pid: number
  readonly parent: number
  readonly residentKb: number
  readonly command: string
}

/** The processes of this machine, as `ps` knows them (Linux and macOS). */
const processTable = (): ReadonlyArray<ProcessEntry> =>
  spawnSync("ps", ["-A", "-ww", "-o", "pid=,ppid=,rss=,args="], { encoding: "utf8" })
    .stdout.split("\n")
    .map((line) => {
      const [pid, parent, residentKb, ...command] = line.trim().split(/\s+/)
      return {
        pid: Number(pid),
        parent: Number(parent),
        residentKb: Number(residentKb),
        command: command.join(" ")
      }
    })

export interface Sample {
  /** Milliseconds since the start of the load. */
  readonly at: number
  readonly residentMb: number
  /** The servers that the wrapper started. */
  readonly servers: ReadonlyArray<number>
  /** All its children: the servers, and what watches over them. */
  readonly children: ReadonlyArray<number>
}

/** `isServer` tells by the command line. */
export const sampleOf = (pid: number, at: number, isServer: (command: string) => boolean): Sample => {
  const table = processTable()
  const children = table.filter(({ parent }) => parent === pid)
  return {
    at,
    residentMb: (table.find((entry) => entry.pid === pid)?.residentKb ?? 0) / 1024,
    servers: children.filter(({ command }) => isServer(command)).map((entry) => entry.pid),
    children: children.map((entry) => entry.pid)
  }
}

/** Which of some processes are still there. */
export const alive = (pids: Iterable<number>): ReadonlyArray<number> => {
  const there = new Set(processTable().map(({ pid }) => pid))
  return [...pids].filter((pid) => there.has(pid))
}
