import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../../fixtures/RawClient.ts"

const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => readFileSync(join(root, "src", name), "utf8").replaceAll("\\\\", "\\"))
  .join("\n")

const rows = readFileSync(join(root, "docs/troubleshooting.md"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !/^\| (?:-|what is)/.test(line))
const messages = rows.flatMap((row) => {
  const [, said = ""] = row.split("|")
  return [...said.matchAll(/`([^`]+)`/g)].map(([, message = ""]) => message)
})

describe("docs/troubleshooting.md", () => {
  it("has many rows", () => assert.isAbove(messages.length, 25))

  it.each(messages)("quotes a message that there is: %s", (message) => {
    for (const part of message.split("…")) assert.include(sources, part.trim())
  })
})
