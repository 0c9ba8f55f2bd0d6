import { setTimeout as delay } from "node:timers/promises"
import type { HostWindow } from "./HostWindow.ts"
import type { SeenControl, SeenEffect } from "./SeenControl.ts"

export interface Watched {
  /** How many calls of its tools the server has got. */
  readonly arrived: () => number
  /** Milliseconds that a message takes, each way. */
  readonly delayMs: number
}

const EFFECT_MS = 2000
const MOST = 30

/** What a control says that it does, by its name, and what then arrives at the host. */
const PROMISES: ReadonlyArray<readonly [name: RegExp, method: string]> = [
  [/^Download|^Save/, "ui/download-file"],
  [/^(?:Exit f|F)ull screen$/, "ui/request-display-mode"],
  [/^Read /, "resources/read"],
  [/^Ask/, "ui/message"],
  [/^Open the manual$/, "ui/open-link"]
]
const CALLS = /^(?:Run it|Retry|Refresh)$/
/** The form may refuse these, or ask first. */
const FORM_CALLS = /^(?:Run|Run again)$/

interface Promised {
  readonly what: string
  readonly isKept: (effect: SeenEffect) => boolean
}

/** What has to follow a press, counted from now. */
const promised = ({ href, name, submits }: SeenControl, { requests }: HostWindow, { arrived }: Watched): Promised => {
  const [before, callsBefore] = [requests.length, arrived()]
  const isOfForm = submits || FORM_CALLS.test(name)
  if (isOfForm || CALLS.test(name))
    return { what: "call at the server", isKept: ({ formAsks }) => (isOfForm && formAsks) || arrived() > callsBefore }
  const method = /^(?:https?|mailto):/.test(href)
    ? "ui/open-link"
    : PROMISES.find(([expression]) => expression.test(name))?.[1]
  if (method !== undefined) return { what: method, isKept: () => requests.slice(before).includes(method) }
  return { what: "effect", isKept: ({ hasChanged }) => hasChanged }
}

const pressed = async (control: SeenControl, window: HostWindow, watched: Watched): Promise<string | undefined> => {
  const { isKept, what } = promised(control, window, watched)
  await window.page.keyboard.press(control.key)
  const end = Date.now() + EFFECT_MS + 4 * watched.delayMs
  for (;;) {
    const effect = await window.effect()
    const [alert] = effect.alerts
    if (alert !== undefined) return `says: ${alert.slice(0, 160)}`
    if (isKept(effect)) break
    if (Date.now() > end) return `no ${what} follows`
    await delay(25)
  }
  // What a call has brought is drawn before the next press.
  await window.inView("evalView.settled(5000)")
  return undefined
}

/** Presses one control of each kind that the view offers; answers with those that do not do what they say. */
export const pressControls = async (
  window: HostWindow,
  watched: Watched
): Promise<{ readonly dead: ReadonlyArray<string>; readonly pressed: number }> => {
  const dead: Array<string> = []
  let count = 0
  while (count < MOST) {
    const control = await window.nextControl()
    if (control === null) break
    count += 1
    const fault = await pressed(control, window, watched)
    if (fault !== undefined) dead.push(`"${control.name || control.href || control.key}" ${fault}`)
  }
  return { dead, pressed: count }
}
