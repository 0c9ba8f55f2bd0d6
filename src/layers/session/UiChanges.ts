import { Effect, Layer } from "effect"
import { notificationFrame } from "../../domain/wire/Frame.ts"
import { HostReplies } from "../../services/session/HostReplies.ts"
import { Peers } from "../../services/session/Peers.ts"
import { Selections } from "../../services/session/Selections.ts"
import { ServerTools } from "../../services/session/ServerTools.ts"
import { UiChanges } from "../../services/session/UiChanges.ts"
import { UiLibrary } from "../../services/library/UiLibrary.ts"
import { type Json, UiResources } from "../../services/session/UiResources.ts"
import { WrapperTools } from "../../services/session/WrapperTools.ts"

export const layer: Layer.Layer<
  UiChanges,
  never,
  HostReplies | Peers | Selections | ServerTools | UiLibrary | UiResources | WrapperTools
> = Layer.effect(
  UiChanges,
  Effect.gen(function* () {
    const { host, listens } = yield* Peers
    const replies = yield* HostReplies
    const library = yield* UiLibrary
    const resources = yield* UiResources
    const selections = yield* Selections
    const serverTools = yield* ServerTools
    const wrapperTools = yield* WrapperTools

    const notify = (method: string, params?: Json): void => {
      if (host.era === "legacy") return replies.send(notificationFrame(method, params))
      for (const { frame, id } of listens.notifications(method, params)) replies.send(frame, id)
    }

    const announce = (uri: string): void => {
      notify("notifications/resources/updated", { uri })
      notify("notifications/resources/list_changed")
    }

    library.onChange(({ name }) => {
      const uri = serverTools.catalog().uriOf(name)
      if (uri !== undefined) announce(uri)
    })

    serverTools.onChange(({ removed }, before, isKnown) => {
      if (!isKnown) notify("notifications/tools/list_changed")
      notify("notifications/resources/list_changed")
      for (const name of removed) {
        const tool = before.toolNamed(name)
        const uri = before.uriOf(name)
        if (uri !== undefined) resources.retire(uri)
        wrapperTools.forget(name)
        if (tool === undefined) continue
        replies.besides(`forget ${name}`, Effect.andThen(library.forget(tool), selections.forget(name)))
      }
    })

    return UiChanges.of({ announce: (uri) => Effect.sync(() => announce(uri)) })
  })
)
