import { mountBuiltinView } from "../builtin/BuiltinView.ts"
import * as parts from "../parts/index.ts"
import { attachedApps } from "./App.ts"
import { openBridge } from "./Bridge.ts"
import { createSession } from "./createSession.ts"
import { installErrorBoundary, logPolicyViolations } from "./errorBoundary.ts"
import { extApps } from "./extApps.ts"
import { openLinksThroughHost } from "./linksThroughHost.ts"
import { showLoadingLine } from "./loadingLine.ts"
import { readPageData } from "./readPageData.ts"
import { enableSandboxedForms } from "./sandboxedForms.ts"
import { openSession } from "./session.ts"
import { applyHostContext } from "./theme.ts"

/** Milliseconds after the document is there in which the page's own `App` may shake hands, with its own name. */
const OWN_HANDSHAKE_MS = 1_000

const start = (): void => {
  const data = readPageData()
  const bridge = openBridge(data.tool.name)
  const session = createSession(data, bridge)
  openSession(session)
  Object.assign(globalThis, { mcpGenUi: { parts, extApps, version: data.version } })

  parts.installStyles()
  applyHostContext({}, data.theme)
  bridge.onRecord(({ event }) => {
    if (event === "hostcontextchanged") applyHostContext(bridge.context ?? {}, data.theme)
  })
  logPolicyViolations(session)
  enableSandboxedForms()
  openLinksThroughHost((url) => void session.app.openLink({ url }).catch(() => undefined))

  const connect = (): void => {
    session.app.connect().catch(() => undefined)
  }

  if (data.view === "builtin") {
    connect()
    const mount = (): void => mountBuiltinView(session, { fallback: data.fallback })
    if (document.body === null) document.addEventListener("DOMContentLoaded", mount, { once: true })
    else mount()
    return
  }

  installErrorBoundary(session)
  showLoadingLine(session)
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

start()
