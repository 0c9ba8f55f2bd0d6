import { closestOf } from "../closestOf.ts"
import { isObject } from "../isObject.ts"
import { labelOf } from "../labelOf.ts"
import { isForPages } from "./RelatedTools.ts"
import type { Tool } from "./Tool.ts"
import { makeUiUris } from "./UiUri.ts"

type Arguments = Readonly<Record<string, unknown>>

/** A page with several tools, each in its own card (configuration `dashboards.<name>`). */
interface Dashboard {
  readonly title?: string | undefined
  readonly cards: ReadonlyArray<{
    readonly tool: string
    readonly arguments?: Arguments | undefined
    readonly title?: string | undefined
  }>
}

export type DashboardsByName = Readonly<Record<string, Dashboard>>

/** One tool of a dashboard, as its page needs it. */
export interface DashboardCard {
  readonly tool: Pick<Tool, "name" | "inputSchema" | "outputSchema" | "annotations"> & { readonly title?: string }
  readonly title?: string
  readonly args: Arguments
  /** The tool only reads: it is called without a press. */
  readonly runs?: true
  /** The tool may destroy something: a press is asked about. */
  readonly asks?: true
  /** Why the tool cannot be called at all. */
  readonly problem?: string
}

/** A dashboard is served like the UI of a tool. */
export interface DashboardPage {
  readonly name: string
  readonly uri: string
  readonly tool: Tool
  readonly cards: ReadonlyArray<DashboardCard>
}

/** The dashboards of one server, each under `ui://dashboard/<name>`. */
export interface Dashboards {
  readonly pages: ReadonlyArray<DashboardPage>
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
    const problem = problemOf(name)
    const found = named.get(name)
    const runs = found?.readOnly.includes(name) === true
    const asks = !runs && isObject(found?.annotations) && found.annotations.destructiveHint === true
    return {
      tool: {
        name,
        ...(found?.title !== undefined && { title: found.title }),
        inputSchema: found?.inputSchema,
        outputSchema: found?.outputSchema,
        annotations: found?.annotations
      },
      ...(title !== undefined && { title }),
      args,
      ...(runs && { runs }),
      ...(asks && { asks }),
      ...(problem !== undefined && { problem })
    }
  }

  const pages = Object.entries(configured).map(([name, { cards: given, title = labelOf(name) }]): DashboardPage => {
    const cards = given.map(cardOf)
    const tool: Tool = {
      name: `dashboard/${name}`,
      title,
      description: `Dashboard of ${given.map((card) => card.tool).join(", ")}`,
      inputSchema: undefined,
      outputSchema: undefined,
      annotations: undefined,
      hasOwnUi: false,
      ownUiUri: undefined,
      definition: { cards },
      callable: tools[0]?.callable ?? [],
      readOnly: tools[0]?.readOnly ?? [],
      related: [],
      extras: { dashboard: cards }
    }
    return { name, uri: uriOf(name) ?? "", tool, cards }
  })

  return {
    pages,
    pageAt: (uri) => {
      const name = toolAt(uri)
      return pages.find((page) => page.name === name)?.tool
    },
    problems: pages.flatMap(({ cards, name }) =>
      cards.flatMap(({ problem }, at) =>
        problem === undefined ? [] : [`dashboards.${name}.cards[${at}].tool: ${problem}`]
      )
    )
  }
}
