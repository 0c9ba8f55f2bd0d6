import { assert, describe, it } from "@effect/vitest"
import { linkSource } from "../../../src/domain/inspection/linking/LinkedSource.ts"
import { loadSourceParsers } from "../../../src/domain/inspection/SourceParsers.ts"
import { openView, viewDocument } from "../harness/index.ts"
import type { View } from "../harness/index.ts"

const tool = {
  name: "list_cities",
  title: "List cities",
  inputSchema: { type: "object", properties: { country: { type: "string", title: "Country" } } }
}

const rows = { content: [], structuredContent: { cities: Array.from({ length: 120 }, (_, at) => `City ${at}`) } }

/** A page that is blank until its result comes, and then longer than any frame. */
const pageNamed = (name: string, most = 120): string => `<!-- rich -->
<script type="module">
import { App } from "@modelcontextprotocol/ext-apps"
const app = new App({ name: "page", version: "1" })
app.ontoolresult = ({ structuredContent: { cities } }) => {
  const note = Object.assign(document.createElement("input"), { name: "note", ariaLabel: "Note" })
  const main = document.createElement("main")
  main.append(
    Object.assign(document.createElement("h1"), { textContent: "${name}" }),
    ...cities.slice(0, ${most}).map((city) => Object.assign(document.createElement("p"), { textContent: city })),
    note
  )
  document.body.replaceChildren(main)
}
app.connect()
</script>`

const parsers = await loadSourceParsers()

interface Live {
  readonly view: View
  /** Has the page take over a version, and waits until it is drawn. */
  readonly takeOver: (name: string, most?: number) => Promise<void>
  /** Has the page take over a version that fails at once, and looks into the note that says so. */
  readonly fail: () => Promise<void>
}

const open = async (): Promise<Live> => {
  const linked = linkSource(parsers, pageNamed("One"))
  const html = await viewDocument({
    tool,
    data: { view: "generated", wrapperTools: { current: "_ui_current", token: "t", proof: "p" } }
  })
  let answer: object = { version: "1", state: "current" }
  const view = await openView({
    html: html.replace("</head>", () => `${linked.head}</head>`).replace("<body>", () => `<body>${linked.body}`),
    toolInput: { country: "FR" },
    toolResult: rows,
    onCall: (_params, method) =>
      method === "tools/call" ? { structuredContent: { proof: "p", ...answer }, content: [] } : {}
  })
  let version = 1
  const bring = async (source: string): Promise<void> => {
    version += 1
    const document = {
      view: "generated",
      uiType: "rich",
      level: 0,
      fallback: null,
      version: `${version}`,
      ...linkSource(parsers, source)
    }
    answer = { version: document.version, state: "changed", document }
    await view.post({ jsonrpc: "2.0", method: "notifications/resources/list_changed", params: {} })
  }
  const takeOver = async (name: string, most?: number): Promise<void> => {
    await bring(pageNamed(name, most))
    await view.frame.getByRole("heading", { name, exact: true }).waitFor()
  }
  await view.frame.getByRole("heading", { name: "One" }).waitFor()
  const fail = async (): Promise<void> => {
    const failure = `broken ${version + 1}`
    const notes = await view.frame.getByRole("note").all()
    await Promise.all(notes.map((note) => note.evaluate((element) => element.setAttribute("data-earlier", ""))))
    await bring(`<script type="module">throw new Error("${failure}")</script>`)
    await view.frame.locator("[role=note]:not([data-earlier]) summary").click()
    await view.frame.getByText(failure).waitFor()
    answer = { version: `${version}`, state: "current" }
  }
  return { view, takeOver, fail }
}

/** The host keeps the frame at a height, so that the page itself scrolls. */
const holdHeight = (view: View): Promise<unknown> =>
  view.page.addStyleTag({ content: "iframe { height: 400px !important }" })

const clean = async (view: View): Promise<void> => {
  assert.deepStrictEqual(view.violations, [])
  assert.deepStrictEqual(view.consoleErrors, [])
}

describe("a page that takes a newer version over", () => {
  it("stays where it was scrolled to, also when the new version draws later", async () => {
    const { takeOver, view } = await open()
    await holdHeight(view)
    await view.until("innerHeight === 400")
    await view.frame.evaluate("scrollTo(0, 1234)")
    await takeOver("Two")
    await view.until("scrollY === 1234")
    await clean(view)
  })

  it("is not pulled back while the new version, a shorter one, still changes", async () => {
    const { takeOver, view } = await open()
    await holdHeight(view)
    await view.until("innerHeight === 400")
    await view.frame.evaluate("scrollTo(0, 2000)")
    await takeOver("Two", 60)
    await view.until("scrollY > 500 && scrollY + innerHeight === document.documentElement.scrollHeight")
    const moved = await view.frame.evaluate<ReadonlyArray<number>>(
      `(async () => {
        scrollBy(0, -300)
        const before = scrollY
        document.querySelector("main").append("more")
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
        return [before, scrollY]
      })()`
    )
    assert.strictEqual(moved[1], moved[0])
    await clean(view)
  })

  it("keeps the focus on a field that nobody has typed into, and the caret in one", async () => {
    const { takeOver, view } = await open()
    const note = view.frame.getByLabel("Note")
    const focused = "[document.activeElement?.name, document.activeElement?.selectionStart].join(' ')"
    await note.focus()
    await takeOver("Two")
    await view.until(`${focused} === "note 0"`)
    await note.pressSequentially("half")
    await note.press("ArrowLeft")
    await takeOver("Three")
    await view.until(`${focused} === "note 3"`)
    assert.strictEqual(await note.inputValue(), "half")
    await clean(view)
  })

  it("says once that a newer version failed, and no more when one works", async () => {
    const { fail, takeOver, view } = await open()
    await fail()
    await view.frame.getByText("this is the one before").first().waitFor()
    await fail()
    assert.strictEqual(await view.frame.getByRole("note").count(), 1)
    await takeOver("Three")
    assert.strictEqual(await view.frame.getByRole("note").count(), 0)
    assert.deepStrictEqual(view.violations, [])
  })
})
