// The least that carries HTTP to a stdio server: what any bridge costs. `node bareBridge.mjs command …`
import { spawn } from "node:child_process"
import { createServer } from "node:http"

const [command, ...args] = process.argv.slice(2)
const child = spawn(command, args, { stdio: ["pipe", "pipe", "ignore"] })
const waiting = []
let pieces = []

child.stdout.on("data", (chunk) => {
  pieces.push(chunk)
  if (chunk.at(-1) !== 0x0a) return
  waiting.shift()?.end(Buffer.concat(pieces))
  pieces = []
})

createServer((request, response) => {
  const body = []
  request.on("data", (chunk) => body.push(chunk))
  request.on("end", () => {
    const message = Buffer.concat(body)
    child.stdin.write(Buffer.concat([message, Buffer.from("\n")]))
    if (!message.includes('"id":')) return response.writeHead(202).end()
    response.writeHead(200, { "content-type": "application/json" })
    waiting.push(response)
  })
}).listen(0, "127.0.0.1", function () {
  process.stderr.write(`http://127.0.0.1:${this.address().port}/mcp\n`)
})
