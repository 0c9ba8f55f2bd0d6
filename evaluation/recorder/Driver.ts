import { Client as ModernClient } from "@modelcontextprotocol/client"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  ResultSchema
} from "@modelcontextprotocol/sdk/types.js"
import { pathToFileURL } from "node:url"
import type { RecordingTransport } from "./RecordingTransport.ts"
import type { Step } from "./servers.ts"

/** A client of an SDK, seen as what a script needs of it. Requests answer what they answered, errors included. */
export interface Driver {
  readonly connect: () => Promise<void>
  readonly request: (step: Step) => Promise<unknown>
  readonly notify: (method: string, params: Readonly<Record<string, unknown>>) => Promise<void>
  readonly close: () => Promise<void>
}

export const DRIVERS = ["sdk 1", "sdk 2", "sdk 2 modern"] as const
export type DriverName = (typeof DRIVERS)[number]

const TIMEOUT_MS = 20_000

const clientInfo = { name: "recorder", version: "1.0.0" }

const capabilitiesOf = (apps: boolean) => ({
  roots: { listChanged: true },
  sampling: {},
  elicitation: {},
  ...(apps ? { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } } } : {})
})

const sampled = {
  model: "none",
  role: "assistant" as const,
  content: { type: "text" as const, text: "A canned answer." }
}

const anything = {
  "~standard": { version: 1 as const, vendor: "recorder", validate: (value: unknown) => ({ value }) }
}

interface RequestOptions {
  readonly timeout: number
  readonly signal: AbortSignal
  readonly onprogress?: () => void
}

/** Cancels once the call shows life: at its first progress, or as soon as it is sent. */
const send = async (
  { cancel, withProgress }: Step,
  request: (options: RequestOptions) => Promise<unknown>
): Promise<unknown> => {
  const controller = new AbortController()
  const onprogress = () => {
    if (cancel === true) controller.abort("The user changed their mind")
  }
  const options = { timeout: TIMEOUT_MS, signal: controller.signal }
  const answer = request(withProgress === true ? { ...options, onprogress } : options).catch((error: unknown) => error)
  if (cancel === true && withProgress !== true) controller.abort("The user changed their mind")
  return answer
}

const legacyDriver = (transport: RecordingTransport, apps: boolean, folder: string): Driver => {
  const client = new Client(clientInfo, { capabilities: capabilitiesOf(apps) })
  client.setRequestHandler(ListRootsRequestSchema, () => ({
    roots: [{ uri: pathToFileURL(folder).href, name: "root" }]
  }))
  client.setRequestHandler(CreateMessageRequestSchema, () => sampled)
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: "decline" }))
  return {
    connect: () => client.connect(transport),
    request: (step) =>
      send(step, async (options) =>
        client.request({ method: step.method, params: step.params }, ResultSchema, options)
      ),
    notify: (method, params) => transport.send({ jsonrpc: "2.0", method, params }),
    close: () => client.close()
  }
}

const modernDriver = (
  transport: RecordingTransport,
  apps: boolean,
  folder: string,
  mode: "legacy" | { readonly pin: string }
): Driver => {
  const client = new ModernClient(clientInfo, { capabilities: capabilitiesOf(apps), versionNegotiation: { mode } })
  client.setRequestHandler("roots/list", () => ({ roots: [{ uri: pathToFileURL(folder).href, name: "root" }] }))
  client.setRequestHandler("sampling/createMessage", () => sampled)
  client.setRequestHandler("elicitation/create", () => ({ action: "decline" }))
  return {
    connect: () => client.connect(transport),
    request: (step) =>
      send(step, async (options) =>
        client.request({ method: step.method, params: { ...step.params } }, anything, options)
      ),
    notify: (method, params) => transport.send({ jsonrpc: "2.0", method, params }),
    close: () => client.close()
  }
}

export const makeDriver = (
  name: DriverName,
  transport: RecordingTransport,
  { apps, folder }: { readonly apps: boolean; readonly folder: string }
): Driver => {
  switch (name) {
    case "sdk 1":
      return legacyDriver(transport, apps, folder)
    case "sdk 2":
      return modernDriver(transport, apps, folder, "legacy")
    case "sdk 2 modern":
      return modernDriver(transport, apps, folder, { pin: "2026-07-28" })
  }
}
