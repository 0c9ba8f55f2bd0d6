import { currentSession, type ViewSession } from "../runtime/session.ts"
import type { HostContext } from "../runtime/types.ts"

/** What the parts take from the page around them; without a runtime, the browser's own settings. */

export const sessionOrNone = (): ViewSession | undefined => {
  try {
    return currentSession()
  } catch {
    return undefined
  }
}

/** As {@link ViewSession.refusal}. */
export const refusal = (asked: string): string | undefined => sessionOrNone()?.refusal(asked)

export const hostContext = (): HostContext => sessionOrNone()?.context ?? {}

/** IANA name: the host's time zone, else the browser's. */
export const hostTimeZone = (): string => hostContext().timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone

/** The locale and time zone that dates and numbers are written for now. */
export const placeNow = (): string => `${hostContext().locale} ${hostTimeZone()}`
