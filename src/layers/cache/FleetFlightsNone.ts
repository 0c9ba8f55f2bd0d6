import { Layer } from "effect"
import { FleetFlights } from "../../services/cache/FleetFlights.ts"

/** For a process that shares its UIs with no other machine: everything is made right away. */
export const layer: Layer.Layer<FleetFlights> = Layer.succeed(FleetFlights, {
  run: (_key, { make }) => make
})
