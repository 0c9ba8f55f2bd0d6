import { Effect } from "effect"
import { notificationFrame } from "../../domain/wire/Frame.ts"
import type { Tool } from "../../domain/tools/Tool.ts"
import type { UiLibrary } from "../../services/library/UiLibrary.ts"
import type { HostReplies } from "./HostReplies.ts"
import type { Peers } from "./Peers.ts"
import type { ServerTools } from "./ServerTools.ts"
import type { Json, UiResources } from "./UiResources.ts"

/** Tells the host that the UI of this tool is another one now. */
export type Announce = (tool: Tool) => Effect.Effect<void>

/**
 * Tells the host what has changed about UIs and the lists that name them: all of it in the legacy era, what the host
 * listens to in the modern one. What belongs to tools that the server no longer has is forgotten; `forget` drops the rest.
 */
export const announceChanges = (
  { host, listens }: Peers,
  replies: HostReplies,
  library: UiLibrary["Service"],
  serverTools: ServerTools,
  resources: UiResources,
  forget: (toolName: string) => void
): Announce => {
  const notify = (method: string, params?: Json): void => {
    if (host.era === "legacy") return replies.send(notificationFrame(method, params))
    for (const { frame, id } of listens.notifications(method, params)) replies.send(frame, id)
  }

  const announce = ({ name }: Tool): void => {
    const uri = serverTools.known().catalog.uriOf(name)
    if (uri === undefined) return
    notify("notifications/resources/updated", { uri })
    notify("notifications/resources/list_changed")
  }

  library.onChange(announce)

  serverTools.onChange(({ before, changes, isKnown }) => {
    if (!isKnown) notify("notifications/tools/list_changed")
    notify("notifications/resources/list_changed")
    for (const name of changes.removed) {
      const tool = before.toolNamed(name)
      const uri = before.uriOf(name)
      if (uri !== undefined) resources.retire(uri, name)
      forget(name)
      if (tool !== undefined) replies.besides(library.forget(tool))
    }
  })

  return (tool) => Effect.sync(() => announce(tool))
}
