import type { JsonRecord } from "../../domain/results/ResultColumn.ts"
import type { Child } from "./dom.ts"

/** Draws a resource that is a view by itself; the wide runtime knows how. `undefined`: it is none. */
export const resourceViews: { draw?: (block: JsonRecord) => Child } = {}
