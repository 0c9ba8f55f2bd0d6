import { assert, describe, it } from "@effect/vitest"
import { ServerQuestions } from "../../../src/domain/session/ServerQuestions.ts"

const texts = (frames: ReadonlyArray<Uint8Array>) => frames.map((frame) => new TextDecoder().decode(frame))

describe("ServerQuestions", () => {
  it("takes back what a server asked that is gone, under the very id", () => {
    const questions = new ServerQuestions()
    questions.onAsked("0")
    questions.onAsked("12345678901234567890")
    assert.isTrue(questions.onAnswer("0"))
    assert.deepStrictEqual(texts(questions.onLost("gone")), [
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":12345678901234567890,"reason":"gone"}}'
    ])
  })

  it("keeps a late answer from the next server, but not the answer to what that one asks", () => {
    const questions = new ServerQuestions()
    questions.onAsked("0")
    questions.onLost("gone")
    assert.isFalse(questions.onAnswer("0"))
    questions.onAsked("0")
    assert.isTrue(questions.onAnswer("0"))
  })

  it("lets answers to what it does not know pass", () => {
    assert.isTrue(new ServerQuestions().onAnswer('"unknown"'))
  })
})
