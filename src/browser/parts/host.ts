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

export const hostContext = (): HostContext => sessionOrNone()?.context ?? {}

/** Asks the host to open an address in the person's browser. Refusals are silent: the address stays readable. */
export const openUrl = (url: string): void => {
  void sessionOrNone()
    ?.app.openLink({ url })
    .catch(() => undefined)
}
