import type { DashboardCard, DashboardPage } from "../tools/Dashboards.ts"
import { FLAT_RESOURCE_URI } from "../wire/AppsExtension.ts"

const cardText = ({ args, problem, runs, title, tool }: DashboardCard): string => {
  const label = title ?? tool.title
  const name = label === undefined ? tool.name : `${label} (${tool.name})`
  const sent = Object.keys(args).length === 0 ? "" : `, with ${JSON.stringify(args)}`
  const note = problem !== undefined ? `: ${problem}` : runs === true ? "" : ": runs when the user presses Run"
  return `- ${name}${sent}${note}`
}

/** The tool by which a model, or a person in a list of tools, opens a dashboard. It does nothing else. */
export const dashboardTool = (name: string, { cards, tool, uri }: DashboardPage) => ({
  kind: "dashboard" as const,
  name,
  isListed: true,
  definition: {
    name,
    title: `Dashboard: ${tool.title}`,
    description: `Shows the user the dashboard "${tool.title}", a page with these tools: ${cards.map((card) => card.tool.name).join(", ")}. It answers with none of their data.`,
    inputSchema: { type: "object", properties: {}, additionalProperties: false },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    _meta: { ui: { resourceUri: uri, visibility: ["model"] }, [FLAT_RESOURCE_URI]: uri }
  },
  answer: {
    content: [
      {
        type: "text",
        text: `The user sees the dashboard "${tool.title}". For its data, call the tools themselves:\n${cards.map(cardText).join("\n")}`
      }
    ]
  }
})
