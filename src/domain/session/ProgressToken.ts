import { notificationFrameOf } from "../wire/Frame.ts"
import { rawAt } from "../wire/Rewrites.ts"
import { ASKED_TOKEN } from "../wire/RequestIds.ts"

/**
 * The progress token of a request, JSON text exactly as the host wrote it (MCP specification, "Progress": a string or
 * an integer); `undefined` if the host wants no progress.
 */
export const progressTokenOf = (request: Uint8Array): string | undefined => {
  const token = rawAt(request, ASKED_TOKEN)
  return token !== undefined && /^["\d-]/.test(token) ? token : undefined
}

/** `notifications/progress` without a total; `token` is JSON text. */
export const progressFrame = (token: string, progress: number, message: string): Uint8Array =>
  notificationFrameOf(
    "notifications/progress",
    `{"progressToken":${token},"progress":${progress},"message":${JSON.stringify(message)}}`
  )
