import { isObject } from "../../../domain/isObject.ts"
import { renderDataOf } from "../../../domain/results/UiResource.ts"
import type { Bridge } from "../../runtime/Bridge.ts"
import type { RuntimeSession } from "../../runtime/createSession.ts"
import type { JsonObject } from "../../runtime/types.ts"

/** A page of a server in its frame. */
export interface Nested {
  /** What its resource brought for it. */
  readonly renderData: unknown
  wasShown: boolean
  readonly say: (message: JsonObject) => void
  /** A line below the frame. */
  readonly note: (text: string) => void
  /** `isOwn`: measured by us, not asked for. */
  readonly resize: (height: unknown, isOwn: boolean) => void
}

/** Answers a message of a nested page. `isAllowed`: whether it may act now where no gate decides. */
export type Answer = (
  message: JsonObject,
  nested: Nested,
  session: RuntimeSession,
  bridge: Bridge,
  isAllowed: () => boolean
) => Promise<void>

const userText = (text: unknown) => ({ role: "user", content: [{ type: "text", text: String(text) }] })

const ACTIONS = {
  tool: ({ params, toolName }, { callTool }) => callTool(String(toolName), isObject(params) ? params : {}),
  prompt: ({ prompt }, { app }) => app.sendMessage(userText(prompt)),
  intent: ({ intent, params }, { app }) =>
    app.sendMessage(userText(`Intent: ${String(intent)}. Parameters: ${JSON.stringify(params ?? {})}`)),
  link: ({ url }, { app }) => app.openLink({ url: String(url) })
} as const satisfies Record<string, (payload: JsonObject, session: RuntimeSession) => Promise<JsonObject>>

const isAction = (type: unknown): type is keyof typeof ACTIONS => Object.hasOwn(ACTIONS, String(type))

/** What a page gets that was sent without data of its own, as the adapters of mcp-ui for other hosts give it. */
const callData = ({ context }: RuntimeSession, { recorded }: Bridge): JsonObject => ({
  toolInput: recorded.get("toolinput")?.params.arguments,
  toolOutput: recorded.get("toolresult")?.params,
  theme: context?.theme ?? "light",
  locale: context?.locale,
  displayMode: context?.displayMode
})

const renderDataIn = (result: JsonObject): unknown =>
  Array.isArray(result.content) ? result.content.map(renderDataOf).find(isObject) : undefined

/** Messages of mcp-ui: what a page wants, and where it is in its life. */
export const answerAction: Answer = async (message, nested, session, bridge, isAllowed) => {
  const { messageId, type } = message
  const payload: JsonObject = isObject(message.payload) ? message.payload : {}
  const say = (type: string, more: JsonObject): void => {
    if (messageId !== undefined) nested.say({ type, messageId, payload: { messageId, ...more } })
  }
  const sendData = (renderData: unknown): void =>
    nested.say({
      type: "ui-lifecycle-iframe-render-data",
      ...(messageId === undefined ? {} : { messageId }),
      payload: { renderData }
    })
  const run = async (): Promise<unknown> => {
    if (type === "notify") {
      nested.note(String(payload.message).slice(0, 400))
      return { acknowledged: true }
    }
    if (!isAction(type)) throw new Error(`This host does not answer "${String(type).slice(0, 40)}".`)
    if (!isAllowed()) throw new Error("A page does this only after a press.")
    const result = await ACTIONS[type](payload, session)
    const fresh = type === "tool" ? renderDataIn(result) : undefined
    if (fresh !== undefined) sendData(fresh)
    return result
  }
  switch (type) {
    case "ui-size-change":
      return nested.resize(payload.height, payload.own === true)
    case "ui-lifecycle-iframe-ready":
    case "ui-request-render-data":
      return sendData(nested.renderData ?? callData(session, bridge))
  }
  say("ui-message-received", {})
  try {
    say("ui-message-response", { response: await run() })
  } catch (error) {
    say("ui-message-response", { error: { message: error instanceof Error ? error.message : String(error) } })
  }
}
