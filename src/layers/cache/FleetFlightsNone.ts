import { Layer } from "effect"
import { FleetFlights } from "../../services/cache/FleetFlights.ts"

/** For a process that shares UIs with no other machine: makes everything at once. */
export const layer: Layer.Layer<FleetFlights> = Layer.succeed(FleetFlights, {
  run: (_key, { make }) => make
})
