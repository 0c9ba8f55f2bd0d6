import { drawBlockedPictures } from "./blockedPictures.ts"
import type * as parts from "../parts/index.ts"
import { lend } from "../parts/icons.ts"
import * as kit from "../parts/kit.ts"
import { installStyles } from "../parts/styles.ts"
import { attachedApps } from "./App.ts"
import { type Bridge, openBridge } from "./Bridge.ts"
import { provideComputedNames } from "./computedNames.ts"
import { createSession, type RuntimeSession } from "./createSession.ts"
import { installErrorBoundary, logPolicyViolations } from "./errorBoundary.ts"
import { extApps } from "./extApps.ts"
import { openLinksThroughHost } from "./linksThroughHost.ts"
import { showFallback } from "./fallbackNotice.ts"
import { onDocumentRepaired } from "./generatedPage.ts"
import { keepDocumentLive } from "./liveDocument.ts"
import { showLoadingLine } from "./loadingLine.ts"
import { hideNonce } from "./ownScripts.ts"
import { protectPlatform, setTimeout } from "./platform.ts"
import { readPageData } from "./readPageData.ts"
import { enableSandboxedForms } from "./sandboxedForms.ts"
import { stopScriptedNavigation } from "./scriptedNavigation.ts"
import { openSession } from "./session.ts"
import { applyHostContext } from "./theme.ts"
import type { PageData } from "./types.ts"
import { trackViewEffects } from "./viewEffects.ts"
import { wallsAround } from "./walls.ts"

/** Milliseconds after the document is there in which the page's own `App` may shake hands, with its own name. */
const OWN_HANDSHAKE_MS = 1_000

/** Starts the page with the parts that its views can import. `join` makes it at home in hosts of other kinds. */
export const startPage = (
  offered: typeof parts,
  join?: (data: PageData, session: RuntimeSession, bridge: Bridge) => void
): void => {
  const data = readPageData()
  hideNonce()
  const bridge = openBridge(data.tool.name)
  const session = createSession(data, bridge)
  openSession(session)
  Object.assign(globalThis, { mcpGenUi: { parts: offered, kit, lend, extApps, version: data.version } })
  provideComputedNames()

  installStyles()
  applyHostContext({}, data.theme)
  bridge.onRecord(({ event }) => {
    if (event === "hostcontextchanged") applyHostContext(bridge.context ?? {}, data.theme)
  })
  onDocumentRepaired(() => {
    applyHostContext(bridge.context ?? {}, data.theme)
    session.app.setupSizeChangedNotifications()
  })
  logPolicyViolations(session)
  drawBlockedPictures()
  enableSandboxedForms()
  join?.(data, session, bridge)
  const raiseWalls = wallsAround(data, session, bridge)
  raiseWalls(data)
  const follow = openLinksThroughHost(
    (url) => void session.app.openLink({ url }).catch(() => undefined),
    () => bridge.gate.isPressed,
    () => bridge.refusal("ui/open-link")
  )

  const live = data.wrapperTools?.current
  if (live !== undefined) keepDocumentLive(live, data, session, bridge, raiseWalls)
  if (live !== undefined || data.view === "generated") installErrorBoundary(session, bridge, data.byHand === true)

  const connect = (): void => {
    session.app.connect().catch(() => undefined)
  }
  if (data.view === "builtin") {
    connect()
    const mount = (): void => session.showBasic({ fallback: data.fallback })
    if (document.body === null) document.addEventListener("DOMContentLoaded", mount, { once: true })
    else mount()
  } else {
    showLoadingLine(session)
    showFallback(data.fallback, "generated")
    const connectForPage = (): void => {
      if (attachedApps().size === 1) connect()
      else {
        setTimeout(() => {
          for (const app of attachedApps()) if (!app.isConnecting) app.connect().catch(() => undefined)
        }, OWN_HANDSHAKE_MS)
      }
    }
    document.addEventListener("DOMContentLoaded", connectForPage, { once: true })
  }
  // After the runtime's own listeners, which outlive views.
  trackViewEffects()
  stopScriptedNavigation(follow)
  protectPlatform()
}
