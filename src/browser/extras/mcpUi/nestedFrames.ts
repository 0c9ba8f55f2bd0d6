import { isObject } from "../../../domain/isObject.ts"
import { type Child, h } from "../../parts/dom.ts"
import type { Bridge } from "../../runtime/Bridge.ts"
import type { RuntimeSession } from "../../runtime/createSession.ts"
import { getterOf, now, uncurried } from "../../runtime/platform.ts"
import type { JsonObject } from "../../runtime/types.ts"
import { answerAction, type Nested } from "./actions.ts"
import { answerRpc } from "./nestedRpc.ts"
import { nestedDocument } from "./nestedDocument.ts"

const createFrame = document.createElement.bind(document, "iframe")
const setSource = uncurried(
  Object.getOwnPropertyDescriptor(HTMLIFrameElement.prototype, "srcdoc")?.set ?? (() => undefined)
) as (self: HTMLIFrameElement, html: string) => void
const windowOf = getterOf(HTMLIFrameElement.prototype, "contentWindow") as (self: HTMLIFrameElement) => Window | null
const postTo = window.postMessage
const dataOf = getterOf(MessageEvent.prototype, "data")
const sourceOf = getterOf(MessageEvent.prototype, "source")
const stop = uncurried(Event.prototype.stopImmediatePropagation)
const isActive = getterOf(UserActivation.prototype, "isActive")
const activation = navigator.userActivation

/** CSS pixels. */
const MAX_HEIGHT = 2_000
/** Milliseconds that one press in a frame counts. */
const PRESS_MS = 5_000

const PREFERRED_SIZE = "mcpui.dev/ui-preferred-frame-size"

/** What a frame shows, and what its sandbox allows. */
interface FrameSource {
  readonly sandbox: string
  readonly height: string
  readonly load: (frame: HTMLIFrameElement) => void
}

const SANDBOX = "allow-scripts allow-forms"

/** A page of a result. It is as high as it says. */
export const pageSource = (html: string): FrameSource => ({
  sandbox: SANDBOX,
  height: "150px",
  load: (frame) => setSource(frame, nestedDocument(html))
})

/** A page of an origin that was declared: it keeps that origin, which is not ours. */
export const addressSource = (address: string): FrameSource => ({
  sandbox: `${SANDBOX} allow-same-origin`,
  height: "480px",
  load: (frame) => (frame.src = address)
})

const isSize = (value: unknown): value is string => typeof value === "string" && /^\d+(\.\d+)?(px|%|vh|em)$/.test(value)

/**
 * Frames for pages of a server. They have an origin of their own and the policy of our document, so they reach nothing
 * but us. What they say, no view hears; what they want passes the gate as if the view wanted it, and a press in a frame
 * counts as one in the view.
 */
export const nestedFrames = (
  session: RuntimeSession,
  bridge: Bridge
): ((source: FrameSource, title: string, meta: unknown, renderData: unknown) => Child) => {
  const frames = new Map<HTMLIFrameElement, Nested>()
  let pressedAt = -Infinity

  /** A press in a frame reaches no listener here; the browser tells of it, and no page can feign that. */
  const notePress = (): void => {
    if (isActive(activation) !== true || now() - pressedAt < PRESS_MS) return
    pressedAt = now()
    bridge.gate.press()
  }

  const isAllowed = (): boolean => bridge.gate.rules !== undefined || isActive(activation) === true

  const hear = (event: MessageEvent): void => {
    const source = sourceOf(event)
    if (source === null) return
    // Not a loop over the list: a view may have replaced what that calls, and would get the frames.
    frames.forEach((nested, frame) => {
      if (!frame.isConnected && nested.wasShown) frames.delete(frame)
      else if (windowOf(frame) === source) {
        stop(event)
        const message = dataOf(event)
        if (!isObject(message)) return
        notePress()
        void ("jsonrpc" in message ? answerRpc : answerAction)(message, nested, session, bridge, isAllowed)
      }
    })
  }
  window.addEventListener("message", hear, { capture: true })

  return (source, title, meta, renderData) => {
    const frame = createFrame() as HTMLIFrameElement
    const place = h("div", { class: "mg-frame-of-server" })
    const said = h("p", { class: "mg-muted mg-small", role: "status" })
    const [width, height] =
      isObject(meta) && Array.isArray(meta[PREFERRED_SIZE]) ? (meta[PREFERRED_SIZE] as Array<unknown>) : []
    frame.setAttribute("sandbox", source.sandbox)
    frame.title = title
    frame.style.cssText = "display:block;border:0;border-radius:8px;width:100%;background:#fff;color-scheme:light"
    if (isSize(width)) frame.style.width = `min(100%,${width})`
    frame.style.height = isSize(height) ? height : source.height
    const nested: Nested = {
      renderData,
      wasShown: false,
      say: (message: JsonObject) => {
        const target = windowOf(frame)
        if (target !== null) Reflect.apply(postTo, target, [message, "*"])
      },
      note: (text: string) => said.replaceChildren(text),
      resize: (size, isOwn) => {
        if (typeof size === "number" && size > 0 && !(isOwn && isSize(height)))
          frame.style.height = `${Math.min(Math.ceil(size), MAX_HEIGHT)}px`
      }
    }
    frames.set(frame, nested)
    frame.addEventListener("load", () => {
      nested.wasShown = true
      if (renderData !== undefined) nested.say({ type: "ui-lifecycle-iframe-render-data", payload: { renderData } })
    })
    source.load(frame)
    // Out of reach of the code of a view, which could read the frame's source.
    place.attachShadow({ mode: "closed" }).append(frame)
    return h("div", { class: "mg-stack" }, place, said)
  }
}
