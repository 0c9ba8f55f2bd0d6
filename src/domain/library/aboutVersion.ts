import { isoTime } from "../isoTime.ts"
import type { UiVersion } from "./UiVersions.ts"

/** The facts about a version, without its source. `current` is the number of the served version. */
export const aboutVersion = (
  { entry, failedAt, feedback, number, origin, parent }: UiVersion,
  current: number | null
) => ({
  number,
  current: number === current,
  parent,
  origin,
  feedback,
  createdAt: isoTime(entry.createdAt),
  failedAt: failedAt === null ? null : isoTime(failedAt),
  model: entry.model,
  level: entry.level,
  uiType: entry.uiType,
  bytes: Buffer.byteLength(entry.source ?? "")
})

/** How a version came to be, where the word alone does not say it. */
const ORIGINS: Partial<Record<UiVersion["origin"], string>> = {
  reset: "back to the built-in page",
  redrafted: "written once more",
  library: "ready-made"
}

/** The same as one line, for people and models. */
export const versionLine = (
  { entry, failedAt, feedback, number, origin, parent }: UiVersion,
  current: number | null
): string => {
  const from = parent === null ? "" : ` from ${parent}`
  const failed = failedAt === null ? "" : ` (failed on screen at ${isoTime(failedAt)})`
  const refinement = feedback === null ? "" : `: ${feedback.replaceAll(/\s+/gu, " ")}`
  return `version ${number}, ${ORIGINS[origin] ?? origin}${from} at ${isoTime(entry.createdAt)}${number === current ? " (shown now)" : ""}${failed}${refinement}`
}
