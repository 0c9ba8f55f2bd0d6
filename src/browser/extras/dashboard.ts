import { resultShape } from "../../domain/results/ResultShape.ts"
import type { DashboardCard } from "../../domain/tools/Dashboards.ts"
import { toolTitle } from "../builtin/toolTitle.ts"
import { setAccent } from "../parts/accent.ts"
import { button } from "../parts/button.ts"
import { callFailure } from "../parts/callStatus.ts"
import { h } from "../parts/dom.ts"
import { fullscreenButton } from "../parts/fullscreenButton.ts"
import { empty, header, section, status } from "../parts/layout.ts"
import { shapeView } from "../parts/resultView.ts"
import type { RuntimeSession } from "../runtime/createSession.ts"

/** One tool in its card. `run` is its refresh, too. */
const cardOf = (session: RuntimeSession, { args: given, outputSchema, problem, runs, title, tool }: DashboardCard) => {
  const args = { ...given }
  const content = h("div", { class: "mg-stack" })
  const small = (label: string) => button(label, run, { small: true, title: `${label}: ${title}` })
  let isRunning = false

  const run = async (): Promise<void> => {
    if (isRunning) return
    isRunning = true
    content.ariaBusy = "true"
    content.classList.add("mg-stale")
    try {
      const result = await session.callTool(tool, args)
      const maxBytes = session.maxOutputDisplayBytes
      const options = { outputSchema, toolTitle: title, maxBytes, args, actions: [small("Retry")] }
      content.replaceChildren(shapeView(resultShape(result), result, options))
    } catch (error) {
      content.replaceChildren(callFailure(session, error, args, small("Retry")))
    } finally {
      isRunning = false
      content.ariaBusy = null
      content.classList.remove("mg-stale")
    }
  }

  if (problem !== undefined) {
    content.append(status(problem, "warning"))
    return { element: h("div", { class: "mg-card" }, section(title, content)) }
  }
  content.append(empty(runs === true ? "Loading…" : "The result will appear here."))
  const actions = small(runs === true ? "Refresh" : "Run")
  return { element: h("div", { class: "mg-card" }, section(title, content, { actions })), run }
}

/** A page with several tools. Those that only read are called by themselves; the gate lets no other pass. */
export const mountDashboard = (session: RuntimeSession, cards: ReadonlyArray<DashboardCard>): void => {
  const title = toolTitle(session.tool)
  document.title = title
  setAccent(undefined, session.tool)
  const drawn = cards.map((card) => ({ ...cardOf(session, card), isByItself: card.runs === true }))
  const style = {
    display: "grid",
    gap: "12px",
    "align-items": "start",
    "grid-template-columns": "repeat(auto-fit,minmax(min(100%,320px),1fr))"
  }
  const elements = drawn.map(({ element }) => element)
  const head = header(title, { actions: fullscreenButton(session) })
  document.body.replaceChildren(h("main", { class: "mg-app mg-stack" }, head, h("div", { style }, elements)))
  const begin = (): void => {
    for (const { isByItself, run } of drawn) if (isByItself) void run?.()
  }
  // Without a host, each card says that its call did not go through.
  session.app.connect().then(begin, begin)
}
