import { Deferred, Effect, Layer } from "effect"
import { type SdkTransport, splitTransport } from "../adapters/session/sdkTransport.ts"
import { CONFIG_DEFAULTS } from "../domain/settings/ConfigDefaults.ts"
import * as SessionLayer from "../layers/session/Session.ts"
import * as UiEmbeddingLayer from "../layers/library/UiEmbedding.ts"
import type { FrameLink } from "../services/host/FrameLink.ts"
import { HostConnection } from "../services/host/HostConnection.ts"
import { Session } from "../services/session/Session.ts"
import { Upstream } from "../services/upstream/Upstream.ts"
import { layerUiLibrary } from "./layerUiLibrary.ts"
import { layerOfSetup, type UiLibrarySetup } from "./uiLibrarySetup.ts"

/**
 * A server of the MCP SDK, 1.x or 2.x: a `Server` or an `McpServer`.
 *
 * @example
 * import type { SdkServer } from "mcp-gen-ui"
 *
 * const isServer = (value: object): value is SdkServer => "connect" in value
 */
export interface SdkServer {
  connect(transport: never): Promise<void>
}

const upstreamOf = (link: FrameLink) =>
  Layer.succeed(
    Upstream,
    Upstream.of({ link, name: "this server", watch: () => undefined, reject: () => undefined, exited: Effect.never })
  )

const layerSession = (setup: UiLibrarySetup) => {
  const { generation, toolPrefix, toolRefresh, wrapperTools } = CONFIG_DEFAULTS
  return SessionLayer.layer({
    hostWrites: true,
    forceUi: false,
    embedUi: false,
    toolPrefix,
    wrapperTools,
    toolRefresh,
    enabledTools: undefined,
    tools: setup.tools ?? {},
    delivery: generation.delivery,
    takesReports: setup.secondDraft !== undefined && setup.secondDraft !== "off",
    isEdited: setup.uiDirectory !== undefined,
    viewTools: false,
    recalls: setup.toolMemory !== "off",
    traces: false
  }).pipe(Layer.provide(UiEmbeddingLayer.layer([])), Layer.provide(layerUiLibrary(setup)))
}

/** As `wrapSdkServer`, with what its sessions share. */
export const wrapSharing = <Server extends SdkServer>(
  server: Server,
  setup: UiLibrarySetup,
  shared: ReturnType<typeof layerOfSetup>
): Server => {
  const connect = server.connect.bind(server)
  server.connect = async (transport) => {
    const outer: SdkTransport = transport
    const links = splitTransport(outer)
    const isListening = Deferred.makeUnsafe<void>()
    const host: FrameLink = {
      ...links.host,
      listen: (listener) => {
        links.host.listen(listener)
        Deferred.doneUnsafe(isListening, Effect.void)
      }
    }
    const layer = layerSession(setup).pipe(
      Layer.provide([Layer.succeed(HostConnection, host), upstreamOf(links.server)]),
      Layer.provideMerge(shared)
    )
    // It ends when the transport closes.
    Effect.runFork(Effect.flatMap(Session, ({ run }) => run).pipe(Effect.provide(layer)))
    await Effect.runPromise(Deferred.await(isListening))
    await connect(links.inner as never)
    await outer.start()
  }
  return server
}

/**
 * Gives the tools of a server UIs, in its own process: whatever it is connected to afterwards gets what the wrapper would have
 * added. Answers the same server.
 *
 * @example
 * import { type SdkServer, wrapServer } from "mcp-gen-ui"
 *
 * const withUis = <Server extends SdkServer>(server: Server) => wrapServer(server, { theme: "dark" })
 */
export const wrapSdkServer = <Server extends SdkServer>(server: Server, setup: UiLibrarySetup = {}): Server =>
  wrapSharing(server, setup, layerOfSetup(setup))
