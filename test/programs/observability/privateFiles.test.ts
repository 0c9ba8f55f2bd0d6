import { assert, describe, it } from "@effect/vitest"
import { chmodSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { fileFolder } from "../../fixtures/folders.ts"
import { initialize, startWrapper, weather } from "../../fixtures/RawClient.ts"

const folder = fileFolder()

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

const served = async (file: string): Promise<string> => {
  const client = startWrapper(weather, {
    flags: ["--debug", "--log-file", file],
    env: { TMPDIR: folder }
  })
  await initialize(client)
  await client.request("resources/read", { uri: "ui://get_forecast" })
  await client.close()
  return readFileSync(file, "utf8")
}

describe.skipIf(process.platform === "win32")("what a run writes for its user", () => {
  it("can be read by nobody else, and a log that can is told of", async () => {
    const file = join(folder, "run.log")
    const log = await served(file)
    const page = /page saved.* path=(?<path>\S+)/.exec(log)?.groups?.path ?? assert.fail(log)
    for (const path of [file, page]) assert.strictEqual(modeOf(path), "600", path)
    assert.strictEqual(modeOf(join(page, "..")), "700")
    assert.notInclude(log, "chmod")

    chmodSync(file, 0o644)
    assert.match(await served(file), /others can read this log \(its mode is 644\); chmod 600 it unless that is meant/)
    assert.strictEqual(modeOf(file), "644")
  })
})
