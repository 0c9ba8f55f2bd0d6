import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { PageReport } from "../../../src/domain/tools/PageReport.ts"
import type { UiEntry } from "../../../src/domain/tools/UiEntry.ts"
import { itEffect } from "../../fixtures/itEffect.ts"
import { aTurn, folder, tool, untilRequests } from "../../fixtures/refinements.ts"
import { after, answers, fails, hangs } from "../../fixtures/scriptedModel.ts"
import { type Library, page, versionIn, withLibrary, withSessions } from "../../fixtures/uiLibraries.ts"

const report: PageReport = {
  width: 400,
  faults: [{ fault: "cut", element: "h1.mg-title", text: "one" }],
  members: ["sun", "someone@example.com"]
}
const next = { generation: { secondDraft: "next" } } as const
const live = { generation: { secondDraft: "live" } } as const

/** Reads the UI and opens it: its page has drawn a result. */
const opened = Effect.fnUntraced(function* (library: Library) {
  const { entry, html } = yield* library.read(tool)
  const version = versionIn(yield* html)
  yield* library.news(tool, version, { report })
  return { entry, version }
})

const untilDraft = (library: Library, state: NonNullable<UiEntry["secondDraft"]>["state"]) =>
  Effect.gen(function* () {
    while ((yield* library.overview(tool)).entry?.secondDraft?.state !== state) yield* aTurn
  })

describe("a second draft", () => {
  it.effect("is asked for once, after the page was opened, with what it said of itself, and without its source", () =>
    withLibrary(
      [answers(page("one")), answers(page("two")), answers(page("three"))],
      function* (library, model) {
        const changes: Array<string> = []
        library.onChange(({ name }) => changes.push(name))
        const first = yield* opened(library)
        yield* untilDraft(library, "made")
        const [, request] = model.requests
        assert.strictEqual(request?.maxOutputTokens, 4000)
        assert.strictEqual(request?.system, model.requests[0]?.system)
        assert.notInclude(request?.prompt, 'header("one")')
        assert.include(request?.prompt, 'text is cut off: h1.mg-title, "one"')
        assert.include(request?.prompt, "the frame was 400 pixels wide")
        assert.deepStrictEqual(changes, [tool.name])

        const { current, entry, versions } = yield* library.overview(tool)
        assert.include(entry?.source, "two")
        assert.strictEqual(current, 2)
        assert.deepInclude(versions[1], { origin: "redrafted", parent: 1 })
        // The page on screen keeps what it shows; the next one gets the second draft.
        assert.deepStrictEqual(yield* library.news(tool, first.version), { version: first.version, state: "current" })
        const second = yield* opened(library)
        assert.include(second.entry.source, "two")

        yield* library.revert(tool, 1)
        assert.include((yield* opened(library)).entry.source, "one")
        assert.strictEqual((yield* library.news(tool, second.version)).state, "changed")
        yield* library.revert(tool, 2)
        assert.strictEqual((yield* library.news(tool, first.version)).state, "changed")
        yield* library.revert(tool, 1)
        yield* library.regenerate(tool, { clearRefinements: false, uiType: undefined })
        assert.strictEqual((yield* library.news(tool, first.version)).state, "changed")
        yield* opened(library)
        assert.strictEqual(model.requests.length, 3)
      },
      next
    )
  )

  it.effect("takes over on screen where nobody has touched the page, if that is asked for", () =>
    withLibrary(
      [answers(page("one")), after(20_000, answers(page("two")))],
      function* (library, model) {
        const { version } = yield* opened(library)
        yield* untilRequests(model, 2)
        assert.deepInclude(yield* library.news(tool, version), { state: "generating" })
        assert.deepInclude(yield* library.news(tool, version, { isTouched: true }), { state: "current" })
        yield* TestClock.adjust(20_000)
        yield* untilDraft(library, "made")
        assert.deepInclude(yield* library.news(tool, version, { isTouched: true }), { version, state: "current" })
        assert.deepInclude(yield* library.news(tool, version), { state: "changed", ifUntouched: true })
      },
      live
    )
  )

  itEffect("is not asked for again after a restart, whatever became of it", function* () {
    const settings = { ...next, cache: { type: "filesystem", directory: yield* folder } } as const
    yield* withLibrary(
      [answers(page("one")), fails("AUTH")],
      function* (library) {
        yield* opened(library)
        yield* untilDraft(library, "dropped")
      },
      settings
    )
    yield* withLibrary(
      [answers(page("three"))],
      function* (library, model) {
        const { entry } = yield* opened(library)
        assert.include(entry.source, "one")
        assert.deepInclude(entry.secondDraft, { state: "dropped" })
        assert.strictEqual(model.requests.length, 0)
      },
      settings
    )
  })

  itEffect("is asked for by one of the processes that share a cache", function* () {
    const settings = { ...next, cache: { type: "filesystem", directory: yield* folder } } as const
    yield* withLibrary(
      [answers(page("one")), hangs()],
      function* (library) {
        yield* opened(library)
        yield* untilDraft(library, "asked")
        yield* withLibrary(
          [answers(page("two"))],
          function* (other, model) {
            yield* untilDraft(other, "asked")
            yield* opened(other)
            for (let turns = 0; turns < 20; turns++) yield* aTurn
            assert.lengthOf(model.requests, 0)
          },
          settings
        )
      },
      settings
    )
  })

  const learned = { shape: "{ sun: number }", results: [{ args: {}, data: { days: [{ date: "today", wind: 3 }] } }] }
  const shows = (members: string) => page("one").replace("[header", `(data, ctx) => [${members}, header`)

  it.effect("may lose nothing that the first one shows, and is told so once", () =>
    withSessions(
      [answers(shows("data.days.date")), answers(shows("data.days.wind")), answers(shows("data.days.wind"))],
      function* (session, model) {
        const library = yield* session
        yield* opened(library)
        yield* untilDraft(library, "dropped")
        assert.match(String(model.requests[1]?.prompt), /members of the result that the page in use shows \w+ -----\nsun\n/)
        assert.include(model.requests[2]?.prompt, "- date: the current page shows these members")
        assert.include(model.requests[2]?.prompt, "3,900 tokens")
        assert.include((yield* library.read(tool)).entry.source, "days.date")
        assert.lengthOf(model.requests, 3)
      },
      { learned, secondDraft: "next" }
    )
  )

  it.effect("needs no page that tells of itself: half a minute after a read a result is enough", () =>
    withSessions(
      [answers(page("one")), answers(page("two"))],
      function* (session, model) {
        const library = yield* session
        yield* library.read(tool)
        yield* TestClock.adjust(29_000)
        assert.lengthOf(model.requests, 1)
        yield* TestClock.adjust(1000)
        yield* untilDraft(library, "made")
        assert.notInclude(model.requests[1]?.prompt, "reported")
      },
      { learned, secondDraft: "next" }
    )
  )

  it.effect("is dropped where the UI has changed while it was written", () =>
    withLibrary(
      [answers(page("one")), after(20_000, answers(page("two"))), answers(page("three"))],
      function* (library, model) {
        const { version } = yield* opened(library)
        yield* untilRequests(model, 2)
        yield* library.refine(tool, "dense")
        yield* TestClock.adjust(20_000)
        for (let turns = 0; turns < 20; turns++) yield* aTurn
        const { current, entry, versions } = yield* library.overview(tool)
        assert.include(entry?.source, "three")
        assert.deepStrictEqual([current, versions.length], [2, 2])
        assert.strictEqual((yield* library.news(tool, version)).state, "changed")
      },
      next
    )
  )

  it.effect.each([
    ["nobody asked for it", answers(page("one")), {}],
    ["there is only a stand-in", fails("AUTH"), next],
    ["the model chose the built-in one", answers("<!-- minimal -->"), next]
  ] as const)("is not asked for where %s", ([, answer, settings]) =>
    withLibrary(
      [answer],
      function* (library, model) {
        yield* opened(library)
        yield* TestClock.adjust(60_000)
        for (let turns = 0; turns < 20; turns++) yield* aTurn
        assert.lengthOf(model.requests, 1)
      },
      settings
    )
  )

  it.effect("is not asked for of a refinement", () =>
    withLibrary(
      [answers(page("one")), answers(page("two"))],
      function* (library, model) {
        yield* library.refine(tool, "dense")
        const asked = model.requests.length
        yield* opened(library)
        for (let turns = 0; turns < 20; turns++) yield* aTurn
        assert.lengthOf(model.requests, asked)
      },
      next
    )
  )
})
