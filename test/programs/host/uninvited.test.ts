import { assert, describe, it } from "@effect/vitest"
import { fixtureServer, initialize } from "../../fixtures/RawClient.ts"
import { startSession } from "../../fixtures/wrapperSession.ts"

const ways = [
  "as it is",
  "its id as text",
  "its id with a fraction",
  "its id as hexadecimal text",
  "its id in a list",
  "an error",
  "no id",
  "a question too",
  "a second id after much",
  "a second id, escaped, after much",
  "in a batch",
  "in a batch within a batch",
  "between carriage returns",
  "behind another message",
  "behind half a message"
]

/** What a host sees that ends lines at a carriage return too, as Node's `readline` does. */
const linesOf = (text: string): ReadonlyArray<string> => text.split("\r")

describe("a server that answers what it was not asked", () => {
  for (const way of ways) {
    it(`is not heard: ${way}`, async () => {
      const client = startSession([process.execPath, fixtureServer("uninvited.mjs")])
      await initialize(client)
      await client.request("tools/list")
      // The host numbers its requests: what it asks next can be guessed, and answered before it is asked.
      const ids = [4, 5, 6, 7]
      const call = client.call("plain", { ids, way })
      const read = client.request("resources/read", { uri: "ui://plain" })
      const refined = client.call("_ui_refine", { toolName: "plain" })
      await Promise.all([call, read, refined])
      const after = await client.call("plain", { ids: [], way })
      assert.match(after.text, /done/)
      assert.match((await read).text, /<!doctype html>/)
      assert.match((await refined).text, /feedback/)
      const answers = client.received.flatMap(({ text }) => linesOf(text)).filter((line) => !line.includes('"method"'))
      for (const line of answers) assert.notInclude(line, "forged")
      if (way !== "between carriage returns") assert.match(client.log(), /left out/)
    })
  }
})
