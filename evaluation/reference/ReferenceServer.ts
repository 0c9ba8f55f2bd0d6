import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  type LoggingLevel,
  LoggingLevelSchema,
  McpError,
  ReadResourceRequestSchema,
  SetLevelRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema
} from "@modelcontextprotocol/sdk/types.js"
import { completionsOf, promptDefinitions, promptMessages } from "./prompts.ts"
import { readResource, resourceDefinitions, templateDefinitions } from "./resources.ts"
import { callTool, toolDefinitions } from "./tools.ts"

const RESOURCE_NOT_FOUND = -32002

const severity = (level: LoggingLevel): number => LoggingLevelSchema.options.indexOf(level)

/**
 * A server of the legacy era with everything that the server scenarios of the conformance suite ask for, and
 * `test_echo` for load. One object serves one session; nothing is shared between sessions.
 */
export const createReferenceServer = (): Server => {
  const server = new Server(
    { name: "reference", title: "Reference server", version: "1.0.0" },
    {
      capabilities: {
        completions: {},
        logging: {},
        prompts: {},
        resources: { subscribe: true },
        tools: {}
      },
      instructions: "A server to test clients and proxies with."
    }
  )
  const subscribed = new Set<string>()
  let level: LoggingLevel = "debug"

  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...toolDefinitions] }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const result = await callTool(params.name, params.arguments ?? {}, {
      extra,
      log: async (severityOf, data) => {
        if (severity(severityOf) < severity(level)) return
        await extra.sendNotification({ method: "notifications/message", params: { level: severityOf, data } })
      },
      touch: async (uri) => {
        if (!subscribed.has(uri)) return
        await server.notification({ method: "notifications/resources/updated", params: { uri } })
      }
    })
    if (result === undefined) throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${params.name}`)
    return result
  })
  server.setRequestHandler(SetLevelRequestSchema, ({ params }) => {
    level = params.level
    return {}
  })

  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: [...resourceDefinitions] }))
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: [...templateDefinitions] }))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => {
    const contents = readResource(uri)
    if (contents === undefined) throw new McpError(RESOURCE_NOT_FOUND, `Resource not found: ${uri}`, { uri })
    return { contents }
  })
  server.setRequestHandler(SubscribeRequestSchema, ({ params: { uri } }) => {
    subscribed.add(uri)
    return {}
  })
  server.setRequestHandler(UnsubscribeRequestSchema, ({ params: { uri } }) => {
    subscribed.delete(uri)
    return {}
  })

  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: [...promptDefinitions] }))
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => {
    const messages = promptMessages(params.name, params.arguments ?? {})
    if (messages === undefined) throw new McpError(ErrorCode.InvalidParams, `Unknown prompt: ${params.name}`)
    return { messages }
  })
  server.setRequestHandler(CompleteRequestSchema, ({ params }) => {
    const values = completionsOf(params.argument.value)
    return { completion: { values: [...values], total: values.length, hasMore: false } }
  })
  return server
}
