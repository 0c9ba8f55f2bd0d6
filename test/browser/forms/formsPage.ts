import { assert } from "@effect/vitest"
import { button, clean, days, open } from "../builtin/builtinPage.ts"
import type { Options } from "../builtin/builtinPage.ts"
import type { View } from "../harness/index.ts"

/** A tool of these members. */
export const tool = (
  properties: Readonly<Record<string, unknown>>,
  more: Readonly<Record<string, unknown>> = {}
): Readonly<Record<string, unknown>> => ({ name: "send", inputSchema: { type: "object", properties, ...more } })

export interface FormPage {
  readonly view: View
  readonly frame: View["frame"]
  /** Sends the form and gives the arguments that arrived, as JSON text. */
  readonly send: () => Promise<string>
  /** Sends a form that is not right. */
  readonly refuse: () => Promise<void>
  readonly edit: () => Promise<void>
}

/** Opens the form of a tool, runs a test in it, and sees to it that no rule was broken. */
export const withForm = async (
  of: Readonly<Record<string, unknown>>,
  run: (page: FormPage) => Promise<void>,
  options: Options = {}
): Promise<void> => {
  const view = await open(of, { onCall: () => days, ...options })
  const submit = view.frame.locator("form button[type=submit]")
  const edit = async (): Promise<void> => {
    await button(view, "Edit input").click()
    await submit.waitFor()
  }
  if (options.toolInput !== undefined) await edit()
  await submit.waitFor()
  await run({
    view,
    frame: view.frame,
    edit,
    refuse: async () => {
      const count = view.calls.length
      await submit.click()
      await view.frame.locator(".mf-problem").filter({ hasText: "attention" }).waitFor()
      assert.strictEqual(view.calls.length, count)
    },
    send: async () => {
      const count = view.calls.length
      await submit.click()
      await view.until("document.querySelector('.mf-line:not([hidden])') !== null")
      assert.strictEqual(view.calls.length, count + 1)
      return JSON.stringify(view.calls[count]?.arguments)
    }
  })
  await clean(view)
}

export const json = (value: unknown): string => JSON.stringify(value)
