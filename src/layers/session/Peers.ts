import { Effect, Layer } from "effect"
import { HostListens } from "../../domain/wire/HostListens.ts"
import { HostProfile } from "../../domain/session/HostProfile.ts"
import { ServerProfile } from "../../domain/session/ServerProfile.ts"
import { Peers } from "../../services/session/Peers.ts"
import { Settings } from "../../services/settings/Settings.ts"

/** Two ends of which nothing is known yet. */
export const layer: Layer.Layer<Peers, never, Settings> = Layer.effect(
  Peers,
  Effect.map(Settings, ({ forceUi }) =>
    Peers.of({ host: new HostProfile(forceUi), server: new ServerProfile(), listens: new HostListens() })
  )
)
