// The least that stands between a host and a stdio server: a process that only copies bytes. `node bytePipe.mjs command …`
import { spawn } from "node:child_process"

const [command, ...args] = process.argv.slice(2)
const child = spawn(command, args, { stdio: ["pipe", "pipe", "ignore"] })
process.stdin.pipe(child.stdin)
child.stdout.pipe(process.stdout)
child.once("exit", () => process.exit())
