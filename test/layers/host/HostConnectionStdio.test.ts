import { assert, describe, it } from "@effect/vitest"
import { type ChildProcess, spawn } from "node:child_process"
import { fileURLToPath } from "node:url"

const fixture = fileURLToPath(new URL("../../fixtures/hostOnStdio.ts", import.meta.url))

/** Answers a wait for words on standard error, which fails if the process ends before. */
const listenTo = (child: ChildProcess) => {
  let told = ""
  let isClosed = false
  let check = (): void => undefined
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    told += text
    check()
  })
  child.stderr?.once("close", () => {
    isClosed = true
    check()
  })
  return (word: string): Promise<void> =>
    new Promise((resolve, reject) => {
      check = () => {
        if (told.includes(word)) resolve()
        else if (isClosed) reject(new Error(`ended without "${word}": ${told}`))
      }
      check()
    })
}

const message = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n'

describe("a host on standard input and output", () => {
  it("has gone when its process ends while it is not read from, though its pipe stays open", async () => {
    // The shell is the host. What it said and nobody read hides the end of the pipe.
    const shell = spawn("sh", ["-c", `exec 3<&0; "$0" "$1" <&3 & wait`, process.execPath, fixture])
    const told = listenTo(shell)
    await told("ready")
    shell.stdin.write(message)
    await told("paused")
    await new Promise((resolve) => shell.stdin.write(message.repeat(100), resolve))
    shell.kill("SIGKILL")
    await told("ended")
    shell.stdin.destroy()
  })

  it("has gone when it takes no more while it is not read from", async () => {
    const child = spawn(process.execPath, [fixture, "writes"])
    const told = listenTo(child)
    await told("ready")
    child.stdin.write(message)
    await told("paused")
    child.stdout.destroy()
    await told("ended")
    child.stdin.destroy()
  })

  it("has gone when it ends its input", async () => {
    const child = spawn(process.execPath, [fixture])
    const told = listenTo(child)
    await told("ready")
    child.stdin.end()
    await told("ended")
    assert.strictEqual(await new Promise((resolve) => child.once("close", resolve)), 0)
  })
})
