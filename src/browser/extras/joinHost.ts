import type { Bridge } from "../runtime/Bridge.ts"
import type { RuntimeSession } from "../runtime/createSession.ts"
import type { PageData } from "../runtime/types.ts"
import { mountDashboard } from "./dashboard.ts"
import { joinMcpUiHost } from "./mcpUi/mcpUiHost.ts"
import { showUiResources } from "./mcpUi/uiResources.ts"
import { joinOpenAi } from "./openAi.ts"
import { offerViewTools } from "./viewTools.ts"

/** What the page has to know of the worlds beside MCP Apps, before any view runs. */
export const joinHost = (data: PageData, session: RuntimeSession, bridge: Bridge): void => {
  offerViewTools(bridge)
  showUiResources(session, bridge, data.extras?.frames)
  const cards = data.extras?.dashboard
  if (cards !== undefined) {
    session.showBasic = () => {
      try {
        mountDashboard(session, cards)
      } catch (error) {
        session.showPlain(error)
      }
    }
  }
  const embedded = data.extras?.embedded
  if (embedded === undefined) joinOpenAi(bridge)
  else joinMcpUiHost(data.tool, embedded.toolInput, bridge)
}
