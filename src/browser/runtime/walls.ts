import { button, h } from "../parts/index.ts"
import type { Bridge } from "./Bridge.ts"
import { guardReflection } from "./computedNames.ts"
import type { RuntimeSession } from "./createSession.ts"
import { keepForeignElementsOut } from "./foreignElements.ts"
import { announce, showNotice } from "./notices.ts"
import { guardParent } from "./parentWindow.ts"
import type { GateRules } from "./pressGate.ts"
import type { PageData } from "./types.ts"

/** What decides how far the code of a view is trusted. */
export type ForeignView = Pick<PageData, "byHand" | "readOnlyTools">

/** Asks in a line above the view. A press by script does not answer it. */
const ask: GateRules["ask"] = (toolName, answer) => {
  const say = (isAllowed: boolean) => (event: Event) => {
    if (!event.isTrusted) return
    question.remove()
    answer(isAllowed)
  }
  const words = h("p", {}, "This view wants to run ", h("strong", {}, toolName), " by itself.")
  const question = h(
    "div",
    { class: "mv-note mv-question", role: "note" },
    words,
    h(
      "div",
      {},
      button("Allow", say(true), { small: true, title: `Allow ${toolName}` }),
      button("Not now", say(false), { kind: "plain", small: true, title: `Not now: ${toolName}` })
    )
  )
  showNotice(question)
  announce(words.textContent)
}

/**
 * Raises the walls around the code of views that a model wrote: its requests pass the gate, and it cannot make elements
 * or send messages that go around the gate. They stand before any such code runs, and stay. A view that a person wrote
 * passes the gate freely.
 */
export const wallsAround = (data: PageData, session: RuntimeSession, bridge: Bridge): ((view: ForeignView) => void) => {
  const { current, select } = data.wrapperTools ?? {}
  const prefix = (current ?? select)?.replace(/(?:current|select)$/, "")
  const { annotations, name } = data.tool
  const readsOnly = (annotations as { readonly readOnlyHint?: unknown } | null | undefined)?.readOnlyHint === true
  let stand = false
  session.observeLeave(() => bridge.gate.onLeave())
  return ({ byHand = false, readOnlyTools = [] }) => {
    bridge.gate.rules = byHand
      ? undefined
      : {
          isReadOnly: (toolName) => (readsOnly && toolName === name) || readOnlyTools.includes(toolName),
          isReserved: (toolName) => prefix !== undefined && toolName.startsWith(prefix),
          ask
        }
    if (byHand || stand) return
    stand = true
    keepForeignElementsOut()
    guardReflection()
    guardParent()
  }
}
