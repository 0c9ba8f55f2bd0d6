import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeToolCatalog } from "../../../src/domain/tools/ToolCatalog.ts"
import { makeEmbeddedUis } from "../../../src/layers/session/embeddedUis.ts"
import { UiEmbedding } from "../../../src/services/library/UiEmbedding.ts"

const catalog = makeToolCatalog(
  [{ name: "list" }, { name: "own", _meta: { ui: { resourceUri: "ui://own" } } }],
  () => true
)

const embedding = UiEmbedding.of({
  augmentWithUI: (result) => Effect.succeed(result),
  augmentResultOf: ({ name }, result, toolInput) =>
    Effect.succeed({ ...result, content: [...(result.content ?? []), { name, toolInput }] }),
  registerExternalToolMapping: () => Effect.void
})

const embeddedIn = makeEmbeddedUis(embedding, {
  known: () => ({ catalog }),
  whenSettled: Effect.void
})

const VIEW = '{"type":"resource","resource":{"uri":"ui://a","mimeType":"text/html","text":""}}'

describe("an answer for a host that shows mcp-ui", () => {
  it.effect.each([
    [
      "gets the UI at its end",
      "list",
      '"result":{ "content":[{"n":1e2}],"x":1}',
      '"result":{ "content":[{"n":1e2},BLOCK],"x":1}'
    ],
    ["gets it where there is no content", "list", '"result":{"x":1}', '"result":{"x":1,"content":[BLOCK]}'],
    ["stays where the call failed", "list", '"result":{"isError":true,"content":[]}', undefined],
    ["stays where it has a view", "list", `"result":{"content":[${VIEW}]}`, undefined],
    ["stays where it is an error", "list", '"error":{"code":1,"message":"no"}', undefined],
    ["stays where the tool has a UI of its own", "own", '"result":{"content":[]}', undefined],
    ["stays where the tool is unknown", "other", '"result":{"content":[]}', undefined]
  ] as const)("%s", ([, tool, answer, expected = answer]) =>
    Effect.gen(function* () {
      const frame = (members: string) => `{"jsonrpc":"2.0","id":1,${members}}`
      const made = yield* embeddedIn(tool, { a: 1 }, new TextEncoder().encode(frame(answer)))
      assert.strictEqual(
        new TextDecoder().decode(made),
        frame(expected.replace("BLOCK", '{"name":"list","toolInput":{"a":1}}'))
      )
    })
  )
})
