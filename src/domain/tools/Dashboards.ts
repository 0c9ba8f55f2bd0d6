import { closestOf } from "../closestOf.ts"
import { labelOf } from "../labelOf.ts"
import { isForPages } from "./RelatedTools.ts"
import type { Tool } from "./Tool.ts"
import { makeUiUris } from "./UiUri.ts"

/** A page with several tools, each in its own card (configuration `dashboards.<name>`). */
interface Dashboard {
  readonly title?: string | undefined
  readonly cards: ReadonlyArray<{
    readonly tool: string
    readonly arguments?: Readonly<Record<string, unknown>> | undefined
    readonly title?: string | undefined
  }>
}

export type DashboardsByName = Readonly<Record<string, Dashboard>>

/** One tool of a dashboard, as its page needs it. */
export interface DashboardCard {
  readonly tool: string
  readonly title: string
  readonly args: Readonly<Record<string, unknown>>
  readonly outputSchema?: unknown
  /** The tool only reads: it is called without a press. */
  readonly runs?: true
  /** Why the tool cannot be called at all. */
  readonly problem?: string
}

/** The dashboards of one server. Each is served like the UI of a tool, under `ui://dashboard/<name>`. */
export interface Dashboards {
  readonly pages: ReadonlyArray<{ readonly uri: string; readonly tool: Tool }>
  readonly pageAt: (uri: string) => Tool | undefined
  /** What cannot be shown as it is configured, each with its place. */
  readonly problems: ReadonlyArray<string>
}

export const makeDashboards = (configured: DashboardsByName, tools: ReadonlyArray<Tool>): Dashboards => {
  const named = new Map(tools.map((tool) => [tool.name, tool]))
  const others = tools.flatMap((tool) => tool.ownUiUri ?? [])
  const { toolAt, uriOf } = makeUiUris(Object.keys(configured), others, "ui://dashboard/")

  const problemOf = (name: string): string | undefined => {
    const tool = named.get(name)
    if (tool !== undefined) return isForPages(tool) ? undefined : `Pages may not call the tool "${name}".`
    const closest = closestOf(name, [...named.keys()])
    const advice = closest === undefined ? "" : ` Did you mean "${closest}"?`
    return `The server has no tool "${name}".${advice}`
  }

  const cardOf = ({ arguments: args = {}, title, tool: name }: Dashboard["cards"][number]): DashboardCard => {
    const tool = named.get(name)
    const problem = problemOf(name)
    return {
      tool: name,
      title: title ?? tool?.title ?? labelOf(name),
      args,
      outputSchema: tool?.outputSchema,
      ...(tool?.readOnly.includes(name) === true && { runs: true }),
      ...(problem !== undefined && { problem })
    }
  }

  const pages = Object.entries(configured).map(([name, { cards, title = labelOf(name) }]) => {
    const dashboard = cards.map(cardOf)
    const tool: Tool = {
      name: `dashboard/${name}`,
      title,
      description: `Dashboard of ${cards.map(({ tool }) => tool).join(", ")}`,
      inputSchema: undefined,
      outputSchema: undefined,
      annotations: undefined,
      hasOwnUi: false,
      ownUiUri: undefined,
      definition: { dashboard },
      callable: tools[0]?.callable ?? [],
      readOnly: tools[0]?.readOnly ?? [],
      related: [],
      extras: { dashboard }
    }
    return { name, uri: uriOf(name) ?? "", tool }
  })

  return {
    pages,
    pageAt: (uri) => {
      const name = toolAt(uri)
      return pages.find((page) => page.name === name)?.tool
    },
    problems: Object.entries(configured).flatMap(([name, { cards }]) =>
      cards.flatMap(({ tool }, at) => {
        const problem = problemOf(tool)
        return problem === undefined ? [] : [`dashboards.${name}.cards[${at}].tool: ${problem}`]
      })
    )
  }
}
