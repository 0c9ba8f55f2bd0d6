import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makePageTokens } from "../../../src/adapters/session/pageTokens.ts"
import { resultDigest } from "../../../src/domain/results/ResultDigest.ts"
import { makeToolCatalog } from "../../../src/domain/tools/ToolCatalog.ts"
import { makeRecall, MAX_VIEW_BYTES } from "../../../src/layers/session/Recall.ts"
import type { ServerTools } from "../../../src/layers/session/ServerTools.ts"
import { makeWrapperTools } from "../../../src/layers/session/WrapperTools.ts"
import type { ToolMemory } from "../../../src/services/library/ToolMemory.ts"
import type { UiEdits } from "../../../src/services/library/UiEdits.ts"
import type { UiLibrary } from "../../../src/services/library/UiLibrary.ts"

type Json = Readonly<Record<string, unknown>>

const frameOf = (answer: Json): Uint8Array =>
  new TextEncoder().encode(JSON.stringify({ jsonrpc: "2.0", id: 1, ...answer }))

const text = (words: string, structuredContent?: unknown): Json => ({
  content: [{ type: "text", text: words }],
  ...(structuredContent === undefined ? {} : { structuredContent })
})

const FR = { country: "FR" }
const words = (letter: string): string => letter.repeat(500)

const open = () => {
  const tokens = makePageTokens()
  const recall = makeRecall(tokens.check)
  /** As a page of the tool has it. */
  const page = (tool: string) => {
    const found = recall.ofPage(tool, tokens.issue(tool).token)
    return found ?? assert.fail("the token is of this session")
  }
  return { ...recall, tokens, page }
}

type Seen = readonly [args: unknown, result: Json | undefined]

/** What a session has seen: calls of `list`, in this order. */
const seen = (calls: ReadonlyArray<Seen>) => {
  const recall = open()
  for (const [args, result] of calls) {
    recall.observe("list", args, frameOf(result === undefined ? { error: { code: 1, message: "no" } } : { result }))
  }
  return recall
}

describe("Recall", () => {
  it.each<{
    readonly name: string
    readonly calls: ReadonlyArray<Seen>
    readonly args?: unknown
    readonly got?: Json
    readonly gives: Json | undefined
  }>([
    {
      name: "what was stripped",
      calls: [[FR, text("2 rows", [1, 2])]],
      args: FR,
      got: text("2 rows"),
      gives: text("2 rows", [1, 2])
    },
    {
      name: "nothing that the page has",
      calls: [[FR, text("2 rows", { b: 1, a: 2 })]],
      args: FR,
      got: text("2 rows", { a: 2, b: 1 }),
      gives: undefined
    },
    {
      name: "nothing that the page has, of an earlier call",
      calls: [
        [FR, text("1")],
        [FR, text("2")]
      ],
      args: FR,
      got: text("1"),
      gives: undefined
    },
    {
      name: "the newest for a page without a result",
      calls: [
        [FR, text("1")],
        [FR, text("2")]
      ],
      args: FR,
      gives: text("2")
    },
    { name: "nothing for a page without a result or arguments", calls: [[FR, text("1")]], gives: undefined },
    {
      name: "what it knows by its text",
      calls: [
        [FR, text("1", [1])],
        [{}, text("2", [2])]
      ],
      got: text("1"),
      gives: text("1", [1])
    },
    {
      name: "nothing where two have that text",
      calls: [
        [FR, text("1", [1])],
        [{}, text("1", [2])]
      ],
      got: text("1"),
      gives: undefined
    },
    {
      name: "nothing of other arguments",
      calls: [[{ country: "IT" }, text("1", [1])]],
      args: FR,
      got: text("1"),
      gives: undefined
    },
    {
      name: "a call without arguments as one with none",
      calls: [[undefined, text("1", [1])]],
      args: {},
      gives: text("1", [1])
    },
    {
      name: "what was cut",
      calls: [
        [FR, text(words("a"))],
        [FR, text(words("b"))]
      ],
      args: FR,
      got: text(`${words("a").slice(0, 300)}…`),
      gives: text(words("a"))
    },
    { name: "nothing for another text", calls: [[FR, text("1", [1])]], args: FR, got: text("2"), gives: undefined },
    {
      name: "nothing after a call that failed",
      calls: [
        [FR, text("1")],
        [FR, undefined]
      ],
      args: FR,
      gives: undefined
    },
    {
      name: "a picture, whatever shape it came in",
      calls: [
        [{}, { content: [{ type: "image", data: "AAAA", mimeType: "image/png" }] }],
        [{}, { content: [{ type: "image", data: "BBBB", mimeType: "image/png" }] }]
      ],
      args: {},
      got: { content: [{ type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } }] },
      gives: { content: [{ type: "image", data: "AAAA", mimeType: "image/png" }] }
    }
  ])("gives $name", ({ args, calls, gives, got }) => {
    const found = seen(calls)
      .page("list")
      .result({ args, got: got && resultDigest(got) })
    assert.deepStrictEqual(found === undefined ? undefined : JSON.parse(found), gives)
  })

  it("gives a result as the server wrote it, to the byte", () => {
    const recall = open()
    const raw = '{"structuredContent":{"n":1.0,"big":12345678901234567890},"content":[]}'
    recall.observe("list", FR, new TextEncoder().encode(`{"jsonrpc":"2.0","id":1,"result":${raw}}`))
    assert.strictEqual(recall.page("list").result({ args: FR }), raw)
    assert.isUndefined(recall.page("other").result({ args: FR }))
    recall.forget("list")
    assert.isUndefined(recall.page("list").result({ args: FR }))
  })

  it("keeps 50 results and 8 MB, the newest, and none over 2 MB", () => {
    const many = open()
    for (let at = 0; at < 60; at += 1) many.observe("list", { at }, frameOf({ result: text(String(at)) }))
    const kept = (recall: ReturnType<typeof open>, count: number): ReadonlyArray<number> =>
      Array.from({ length: count }, (_, at) => at).filter(
        (at) => recall.page("list").result({ args: { at } }) !== undefined
      )
    assert.deepStrictEqual(
      kept(many, 60),
      Array.from({ length: 50 }, (_, at) => at + 10)
    )
    const large = open()
    for (let at = 0; at < 6; at += 1) large.observe("list", { at }, frameOf({ result: text("x".repeat(2_000_000)) }))
    assert.deepStrictEqual(kept(large, 6), [2, 3, 4, 5])
    large.observe("list", { at: 5 }, frameOf({ result: text("x".repeat(2_100_000)) }))
    assert.deepStrictEqual(kept(large, 6), [2, 3, 4])
  })

  it("keeps 64 kB of views a tool, the newest, and refuses more", () => {
    const recall = open()
    const values = { filter: "x".repeat(30_000) }
    for (let at = 0; at < 3; at += 1) assert.isTrue(recall.page("list").keep({ at }, values))
    assert.isTrue(recall.page("other").keep({ at: 0 }, values))
    assert.deepStrictEqual(
      [0, 1, 2].map((at) => recall.page("list").kept({ at })),
      [undefined, values, values]
    )
    assert.deepStrictEqual(recall.page("other").kept({ at: 0 }), values)
    assert.isFalse(recall.page("list").keep({ at: 2 }, { filter: "é".repeat(MAX_VIEW_BYTES / 2) }))
    assert.deepStrictEqual(recall.page("list").kept({ at: 2 }), values)
  })
})

const SESSIONS = 10
const TOOLS = ["list", "find", "show"]
const ACCESSES = 100_000
/** So many of them by the tool itself. */
const CALLS = 2_000

/** The results as a host left them. */
const left = Object.fromEntries(TOOLS.map((tool) => [tool, resultDigest(text(tool))]))

const catalog = makeToolCatalog(
  TOOLS.map((name) => ({ name, inputSchema: {} })),
  () => true
)
const serverTools = { known: () => ({ catalog }) } as unknown as ServerTools
const library = { news: () => Effect.succeed({ state: "current", version: "1" }) } as unknown as UiLibrary["Service"]
const none = {} as UiEdits["Service"] & ToolMemory["Service"]

/** A session of its own, with a result and a view for each tool that have its secret in them. */
const openSession = (secret: string) => {
  const recall = open()
  const { call } = makeWrapperTools(library, none, none, serverTools, recall.tokens.check, () => Effect.void, {
    writer: "model",
    recall,
    hungPages: {
      opens: () => Effect.void,
      takes: () => Effect.void,
      waits: () => Effect.void,
      asks: () => Effect.void
    },
    isCalling: () => false
  })
  const args = { secret }
  for (const tool of TOOLS) {
    recall.observe(tool, args, frameOf({ result: text(tool, { secret }) }))
    recall.page(tool).keep(args, { secret })
  }
  const token = Object.fromEntries(TOOLS.map((tool) => [tool, recall.tokens.issue(tool).token]))
  return { secret, args, call, recall, token: (tool: string) => token[tool] ?? "" }
}

describe("what a session keeps", () => {
  it.effect(`is given to none of ${ACCESSES} accesses of others, and to its own pages`, () =>
    Effect.gen(function* () {
      const sessions = Array.from({ length: SESSIONS }, (_, at) => openSession(`secret-${at}-of-a-session`))
      let seed = 16
      const below = (end: number): number => {
        seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
        return (seed >>> 8) % end
      }
      const some = <A>(list: ReadonlyArray<A>): A => list[below(list.length)] as A
      /** With all that a thief may know of it: the arguments, and the result as a host left it. */
      const shown = (tool: string, { args }: (typeof sessions)[number]) =>
        some([{ args }, { args, got: left[tool] }, { got: left[tool] }])

      let served = 0
      for (let count = 0; count < ACCESSES; count += 1) {
        const at = below(SESSIONS)
        const thief = sessions[at] ?? assert.fail()
        const owner = sessions[(at + 1 + below(SESSIONS - 1)) % SESSIONS] ?? assert.fail()
        const tool = some(TOOLS)
        const token = some([thief, owner]).token(some([tool, some(TOOLS)]))
        const shows = shown(tool, owner)
        const view = { args: owner.args }
        if (count < CALLS) {
          const asked = { toolName: tool, token, version: "1", shows, view }
          if (JSON.stringify(yield* thief.call("current", asked)).includes(owner.secret)) served += 1
        } else {
          const page = thief.recall.ofPage(tool, token)
          const got = JSON.stringify([page?.result(shows), page?.kept(view.args)])
          if (got.includes(owner.secret)) served += 1
        }
      }
      assert.strictEqual(served, 0)

      for (const { args, call, secret, token } of sessions) {
        const asked = { toolName: "list", token: token("list"), version: "1" }
        for (const more of [{ shows: { args } }, { view: { args } }]) {
          assert.include(JSON.stringify(yield* call("current", { ...asked, ...more })), secret)
        }
      }
    })
  )
})
