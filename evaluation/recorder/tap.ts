/**
 * Stands between a server and whoever started it, and keeps every byte: `node tap.ts FILE COMMAND ARGUMENT …` writes
 * what the server reads to FILE.in and what it prints to FILE.out.
 */
import { spawn } from "node:child_process"
import { openSync, writeSync } from "node:fs"

const [file, command, ...args] = process.argv.slice(2)
if (file === undefined || command === undefined) throw new Error("usage: node tap.ts FILE COMMAND ARGUMENT …")

const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] })

const recordTo = (path: string): ((chunk: Uint8Array) => void) => {
  const descriptor = openSync(path, "w")
  return (chunk) => void writeSync(descriptor, chunk)
}

process.stdin.on("data", recordTo(`${file}.in`))
child.stdout.on("data", recordTo(`${file}.out`))
process.stdin.pipe(child.stdin)
child.stdout.pipe(process.stdout)
child.stdin.on("error", () => undefined)
// Some servers stay when their input ends, and must not outlive the recording.
process.stdin.once("end", () => {
  setTimeout(() => child.kill("SIGTERM"), 300).unref()
  setTimeout(() => child.kill("SIGKILL"), 1500).unref()
})
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal))
child.once("exit", (code) => {
  process.exitCode = code ?? 1
  process.stdin.destroy()
})
