import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { execFileSync } from "node:child_process"
import { sessions } from "../../../src/programs/MainLayer.ts"
import type { FrameLink } from "../../../src/services/host/FrameLink.ts"
import { Sessions } from "../../../src/services/session/Sessions.ts"
import { fixtureServer } from "../../fixtures/RawClient.ts"
import { settingsWith } from "../../fixtures/settings.ts"

const processesWith = (text: string): number =>
  execFileSync("ps", ["-eo", "args"], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes(text) && !line.includes("ps -eo")).length

const nobody: FrameLink = {
  listen: () => undefined,
  send: () => true,
  pause: () => undefined,
  resume: () => undefined,
  end: () => undefined
}

describe("sessions of one process", () => {
  it.live("have a server each, which ends with the session and not with the process", () => {
    const mark = `mark-${process.pid}-sessions`
    const upstream = {
      transport: "stdio",
      command: process.execPath,
      args: [fixtureServer("odd.mjs"), mark],
      env: {},
      cwd: undefined
    } as const
    return Effect.gen(function* () {
      const { open } = yield* Sessions
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* Effect.asVoid(open(nobody))
          assert.strictEqual(processesWith(mark), 1)
          yield* Effect.scoped(
            Effect.andThen(
              open(nobody),
              Effect.sync(() => assert.strictEqual(processesWith(mark), 2))
            )
          )
          assert.strictEqual(processesWith(mark), 1)
        })
      )
      assert.strictEqual(processesWith(mark), 0)
    }).pipe(
      Effect.provide(
        sessions.pipe(Layer.provide(settingsWith({ upstream, llm: { provider: "none" }, logging: { level: "error" } })))
      )
    )
  })
})
