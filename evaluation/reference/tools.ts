import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js"
import {
  type CallToolResult,
  CreateMessageResultSchema,
  ElicitResultSchema,
  type LoggingLevel,
  type ServerNotification,
  type ServerRequest,
  type Tool
} from "@modelcontextprotocol/sdk/types.js"
import { setTimeout as delay } from "node:timers/promises"
import { RED_PIXEL, SILENCE } from "./media.ts"

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>

/** What a tool may use of the session that it is called in. */
export interface ToolContext {
  readonly extra: Extra
  readonly log: (level: LoggingLevel, data: string) => Promise<void>
  /** Tells the client, if it subscribed to it, that a resource has changed. */
  readonly touch: (uri: string) => Promise<void>
}

type Arguments = Readonly<Record<string, unknown>>

interface ReferenceTool {
  readonly definition: Omit<Tool, "name">
  readonly call: (args: Arguments, context: ToolContext) => Promise<CallToolResult> | CallToolResult
}

const text = (content: string): CallToolResult => ({ content: [{ type: "text", text: content }] })

const noArguments = { type: "object" as const }

const oneText = (name: string, description: string) => ({
  type: "object" as const,
  properties: { [name]: { type: "string", description } },
  required: [name]
})

const plain = (description: string, call: ReferenceTool["call"]): ReferenceTool => ({
  definition: { description, inputSchema: noArguments },
  call
})

const numberOf = (value: unknown, otherwise: number): number => (typeof value === "number" ? value : otherwise)

const STEP_MS = 50

const elicit = (extra: Extra, message: string, properties: Readonly<Record<string, unknown>>, required?: string[]) =>
  extra.sendRequest(
    {
      method: "elicitation/create",
      // The old form of titled choices, `enumNames`, is not in every version of the SDK's types.
      params: {
        mode: "form",
        message,
        requestedSchema: { type: "object", properties, ...(required === undefined ? {} : { required }) }
      } as Extract<ServerRequest, { method: "elicitation/create" }>["params"]
    },
    ElicitResultSchema
  )

const choices = (names: Readonly<Record<string, string>>) =>
  Object.entries(names).map(([value, title]) => ({ const: value, title }))

const titles = { value1: "First Option", value2: "Second Option", value3: "Third Option" }

const referenceTools: Readonly<Record<string, ReferenceTool>> = {
  test_simple_text: plain("Answers with one text.", () => text("This is a simple text response for testing.")),

  test_image_content: plain("Answers with an image.", () => ({
    content: [{ type: "image", data: RED_PIXEL, mimeType: "image/png" }]
  })),

  test_audio_content: plain("Answers with a sound.", () => ({
    content: [{ type: "audio", data: SILENCE, mimeType: "audio/wav" }]
  })),

  test_embedded_resource: plain("Answers with an embedded resource.", () => ({
    content: [
      {
        type: "resource",
        resource: {
          uri: "test://embedded-resource",
          mimeType: "text/plain",
          text: "This is an embedded resource content."
        }
      }
    ]
  })),

  test_multiple_content_types: plain("Answers with a text, an image and a resource.", () => ({
    content: [
      { type: "text", text: "Multiple content types test:" },
      { type: "image", data: RED_PIXEL, mimeType: "image/png" },
      {
        type: "resource",
        resource: {
          uri: "test://mixed-content-resource",
          mimeType: "application/json",
          text: JSON.stringify({ test: "data", value: 123 })
        }
      }
    ]
  })),

  test_tool_with_logging: plain("Logs three times while it runs.", async (_, { log }) => {
    await log("info", "Tool execution started")
    await delay(STEP_MS)
    await log("info", "Tool processing data")
    await delay(STEP_MS)
    await log("info", "Tool execution completed")
    return text("Logged three messages.")
  }),

  test_tool_with_progress: plain("Reports progress three times while it runs.", async (_, { extra }) => {
    const progressToken = extra._meta?.progressToken
    for (const progress of [0, 50, 100]) {
      if (progress > 0) await delay(STEP_MS)
      if (progressToken === undefined) continue
      await extra.sendNotification({
        method: "notifications/progress",
        params: { progressToken, progress, total: 100, message: `Completed step ${progress} of 100` }
      })
    }
    return text(`Progress token: ${JSON.stringify(progressToken ?? null)}`)
  }),

  test_error_handling: plain("Always fails.", () => ({
    ...text("This tool intentionally returns an error for testing"),
    isError: true
  })),

  test_reconnection: plain(
    "Closes the stream of its own call and answers once the client is back.",
    async (_, { extra }) => {
      extra.closeSSEStream?.()
      await delay(2 * STEP_MS)
      return text("The stream was closed, and the answer arrived.")
    }
  ),

  test_sampling: {
    definition: {
      description: "Asks the client's model.",
      inputSchema: oneText("prompt", "What the model is asked")
    },
    call: async ({ prompt }, { extra }) => {
      const { content } = await extra.sendRequest(
        {
          method: "sampling/createMessage",
          params: { messages: [{ role: "user", content: { type: "text", text: String(prompt) } }], maxTokens: 100 }
        },
        CreateMessageResultSchema
      )
      return text(`LLM response: ${content.type === "text" ? content.text : content.type}`)
    }
  },

  test_elicitation: {
    definition: {
      description: "Asks the user for a name and an address.",
      inputSchema: oneText("message", "What the user is told")
    },
    call: async ({ message }, { extra }) => {
      const properties = {
        username: { type: "string", description: "User's response" },
        email: { type: "string", description: "User's email address" }
      }
      const { action, content } = await elicit(extra, String(message), properties, ["username", "email"])
      return text(`User response: action: ${action}, content: ${JSON.stringify(content)}`)
    }
  },

  test_elicitation_sep1034_defaults: plain("Asks the user, with defaults of every type.", async (_, { extra }) => {
    const { action, content } = await elicit(extra, "Check the values.", {
      name: { type: "string", description: "Name", default: "John Doe" },
      age: { type: "integer", description: "Age", default: 30 },
      score: { type: "number", description: "Score", default: 95.5 },
      status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
      verified: { type: "boolean", description: "Verified", default: true }
    })
    return text(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`)
  }),

  test_elicitation_sep1330_enums: plain("Asks the user, with every form of a choice.", async (_, { extra }) => {
    const { action, content } = await elicit(extra, "Choose.", {
      untitledSingle: { type: "string", enum: ["option1", "option2", "option3"] },
      titledSingle: { type: "string", oneOf: choices(titles) },
      legacyEnum: {
        type: "string",
        enum: ["opt1", "opt2", "opt3"],
        enumNames: ["Option One", "Option Two", "Option Three"]
      },
      untitledMulti: { type: "array", items: { type: "string", enum: ["option1", "option2", "option3"] } },
      titledMulti: { type: "array", items: { anyOf: choices(titles) } }
    })
    return text(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`)
  }),

  json_schema_2020_12_tool: {
    definition: {
      description: "Its schema uses what JSON Schema 2020-12 brought.",
      inputSchema: {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        type: "object",
        $defs: {
          address: { type: "object", properties: { street: { type: "string" }, city: { type: "string" } } }
        },
        properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" } },
        additionalProperties: false
      }
    },
    call: (args) => text(JSON.stringify(args))
  },

  test_touch_resource: {
    definition: {
      description: "Changes a resource: whoever subscribed to it is told.",
      inputSchema: oneText("uri", "Which one")
    },
    call: async ({ uri }, { touch }) => {
      await touch(String(uri))
      return text("Touched.")
    }
  },

  test_echo: {
    definition: {
      title: "Echo",
      description: "Repeats `nonce`, after `delayMs`, followed by `bytes` letters; reports progress halfway.",
      inputSchema: {
        type: "object",
        properties: {
          nonce: { type: "string" },
          bytes: { type: "integer", minimum: 0, default: 0 },
          delayMs: { type: "integer", minimum: 0, default: 0 }
        },
        required: ["nonce"]
      },
      outputSchema: {
        type: "object",
        properties: { nonce: { type: "string" } },
        required: ["nonce"]
      },
      annotations: { readOnlyHint: true, openWorldHint: false }
    },
    call: async ({ bytes, delayMs, nonce }, { extra }) => {
      const progressToken = extra._meta?.progressToken
      const half = numberOf(delayMs, 0) / 2
      if (half > 0) await delay(half, undefined, { signal: extra.signal })
      if (progressToken !== undefined) {
        await extra.sendNotification({
          method: "notifications/progress",
          params: { progressToken, progress: 1, total: 2, message: String(nonce) }
        })
      }
      if (half > 0) await delay(half, undefined, { signal: extra.signal })
      return {
        content: [{ type: "text", text: `${String(nonce)}${"x".repeat(numberOf(bytes, 0))}` }],
        structuredContent: { nonce: String(nonce) }
      }
    }
  }
}

export const toolDefinitions: ReadonlyArray<Tool> = Object.entries(referenceTools).map(([name, { definition }]) =>
  Object.assign({ name }, definition)
)

/** `undefined` for a tool that is not there. What a tool throws is an error result. */
export const callTool = async (
  name: string,
  args: Arguments,
  context: ToolContext
): Promise<CallToolResult | undefined> => {
  const tool = Object.hasOwn(referenceTools, name) ? referenceTools[name] : undefined
  if (tool === undefined) return undefined
  try {
    return await tool.call(args, context)
  } catch (error) {
    return { ...text(error instanceof Error ? error.message : String(error)), isError: true }
  }
}
