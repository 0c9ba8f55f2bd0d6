import { assert, describe, it } from "@effect/vitest"
import { openView, viewDocument } from "../harness/index.ts"
import type { View } from "../harness/index.ts"

const SANDBOXES = ["allow-scripts", "allow-scripts allow-forms allow-popups allow-downloads"]

const open = async (markup: string, code: string, sandbox: string): Promise<View> => {
  const module = `const { App } = globalThis.mcpGenUi.extApps
    globalThis.seen = []
    ${code}
    await new App({}).connect()`
  return openView({ html: await viewDocument({ markup: `<main><h1>Page</h1>${markup}</main>`, module }), sandbox })
}

const opened = (view: View): ReadonlyArray<unknown> =>
  view.requests.filter(({ method }) => method === "ui/open-link").map(({ params }) => params.url)

/** The frame shows the page that it began with, and nothing else was opened. */
const stayed = async (view: View, url: string): Promise<void> => {
  await view.settle()
  assert.strictEqual(view.frame.url().split("#")[0], url)
  assert.isTrue(await view.frame.getByRole("heading", { name: "Page" }).isVisible())
  assert.strictEqual(view.page.context().pages().length, 1)
}

describe("links", () => {
  for (const sandbox of SANDBOXES) {
    it(`open through the host, however they are pressed, in a frame with ${sandbox}`, async () => {
      const view = await open(
        `<p><a href="https://example.com/a">Web</a> <a href="mailto:a@example.com">Mail</a>
         <a href="https://example.com/b" target="_blank"><b>Tab</b></a>
         <svg width="60" height="20"><a href="http://example.com/c"><text y="14">Drawn</text></a></svg></p>`,
        "",
        sandbox
      )
      const url = view.frame.url()
      await view.frame.getByText("Web").click()
      await view.frame.getByText("Mail").click()
      await view.frame.getByText("Tab").click({ modifiers: ["Control"] })
      await view.frame.getByText("Tab").click({ modifiers: ["Shift"] })
      await view.frame.getByText("Web").click({ button: "middle" })
      await view.frame.getByText("Drawn").click()
      await view.frame.getByText("Web").focus()
      await view.page.keyboard.press("Enter")
      await view.requested("ui/open-link", 7)
      await stayed(view, url)
      assert.deepStrictEqual(opened(view), [
        "https://example.com/a",
        "mailto:a@example.com",
        "https://example.com/b",
        "https://example.com/b",
        "https://example.com/a",
        "http://example.com/c",
        "https://example.com/a"
      ])
    })
  }

  it("go nowhere when they lead to another page of the frame, and are the page's own when its code prevents them", async () => {
    const view = await open(
      `<p><a href="other.html">Relative</a> <a href="">Empty</a> <a href="javascript:document.body.remove()">Script</a>
       <a href="https://example.com/own" class="own">Own</a> <a href="https://example.com/stopped" id="stopped">Stopped</a>
       <a href="https://example.com/both" id="both">Both</a></p>`,
      `document.addEventListener("click", (event) => {
         if (event.target.closest(".own")) { event.preventDefault(); seen.push("own") }
       })
       document.querySelector("#stopped").addEventListener("click", (event) => event.stopPropagation())
       document.querySelector("#both").addEventListener("click", (event) => { event.stopPropagation(); event.preventDefault(); seen.push("both") })`,
      "allow-scripts"
    )
    const url = view.frame.url()
    for (const name of ["Relative", "Empty", "Script", "Own", "Both", "Stopped"])
      await view.frame.getByText(name).click()
    await view.requested("ui/open-link")
    await stayed(view, url)
    assert.deepStrictEqual(opened(view), ["https://example.com/stopped"])
    assert.deepStrictEqual(await view.frame.evaluate("seen"), ["own", "both"])
  })

  it("to a place in the page and to data keep working", async () => {
    const view = await open(
      `<p><a href="#there">There</a> <a href="data:text/csv,a%2Cb" download="rows.csv">Rows</a> <a href="data:text/plain,x">Data</a></p>
       <h2 id="there">Target</h2>`,
      `document.querySelector("main").style.paddingBottom = "40px"`,
      "allow-scripts allow-downloads"
    )
    const url = view.frame.url()
    await view.frame.getByText("There", { exact: true }).click()
    await view.until("location.hash === '#there' && document.querySelector('#there:target') !== null")
    const download = view.page.waitForEvent("download")
    await view.frame.getByText("Rows").click()
    assert.strictEqual((await download).suggestedFilename(), "rows.csv")
    const other = view.page.waitForEvent("download")
    await view.frame.getByText("Data").click()
    await other
    await stayed(view, url)
    assert.deepStrictEqual(opened(view), [])
  })
})

describe("a form that nobody handles", () => {
  for (const sandbox of SANDBOXES) {
    it(`never loads another page, in a frame with ${sandbox}`, async () => {
      const view = await open(
        `<form id="one"><label>City <input name="city" value="Ulm"></label><button>Go</button></form>
         <form id="two"><label>Town <input name="town" value="Ulm"></label></form>`,
        `for (const form of document.forms) form.addEventListener("submit", () => seen.push(form.id))`,
        sandbox
      )
      const url = view.frame.url()
      await view.frame.getByRole("button", { name: "Go" }).click()
      await view.frame.getByLabel("City").press("Enter")
      await view.frame.getByLabel("Town").press("Enter")
      await view.frame.evaluate("document.forms.one.requestSubmit()")
      await view.frame.evaluate("document.forms.one.submit()")
      await stayed(view, url)
      assert.deepStrictEqual(await view.frame.evaluate("seen"), ["one", "one", "two", "one"])
      assert.deepStrictEqual(view.consoleErrors, [])
    })

    it(`closes its dialog, in a frame with ${sandbox}`, async () => {
      const view = await open(
        `<dialog><form method="dialog"><button value="yes">Agree</button></form></dialog>`,
        `document.querySelector("dialog").showModal()`,
        sandbox
      )
      await view.frame.getByRole("button", { name: "Agree" }).click()
      await view.until(
        "!document.querySelector('dialog').open && document.querySelector('dialog').returnValue === 'yes'"
      )
    })
  }
})
