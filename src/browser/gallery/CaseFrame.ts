import type { CallToolResult, Tool } from "@modelcontextprotocol/client"
import type { McpUiHostContext } from "@modelcontextprotocol/ext-apps/app-bridge"
import { ViewFrame } from "../preview/ViewFrame.ts"
import type { ViewServer } from "../preview/ViewFrame.ts"
import { caseDocument, toolOf } from "./caseDocument.ts"
import type { Answer, GalleryCase, HostStep } from "./GalleryCase.ts"

export interface CaseFrameOptions {
  readonly given: GalleryCase
  readonly runtime: string
  readonly frameScript: string
  readonly sandboxOrigin: string
  readonly isRightToLeft: boolean
  readonly context: McpUiHostContext
  /** Something that the view did, in a sentence. */
  readonly onEvent: (text: string) => void
}

const EMPTY: CallToolResult = { content: [], structuredContent: {} }

const defaultHost: ReadonlyArray<HostStep> = [{ input: {} }, { result: EMPTY }]

/** Milliseconds. Several views open at the same time. */
const patience = 60_000

const answerOf = ({ answer, host = defaultHost }: GalleryCase): Answer => {
  const result = host.flatMap((step) => ("result" in step ? [step.result] : [])).at(-1) ?? EMPTY
  return answer ?? { result }
}

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(new Error("cancelled")))
  })

/** One case in a frame, with a host that plays its part. */
export class CaseFrame {
  readonly #options: CaseFrameOptions
  readonly #view: ViewFrame
  /** Resolves when the page's own call has reached the host, and has its answer if it gets one. */
  readonly #called: PromiseWithResolvers<void> = Promise.withResolvers()

  constructor(options: CaseFrameOptions) {
    this.#options = options
    const { context, given, frameScript, isRightToLeft, onEvent, runtime, sandboxOrigin } = options
    const tool = toolOf(given)
    this.#view = new ViewFrame({
      server: this.#server(),
      tool: { ...tool, inputSchema: { type: "object" } } as Tool,
      document: { html: caseDocument(given, runtime, frameScript) },
      isRightToLeft,
      sandboxOrigin,
      context,
      mayCall: () => true,
      onFrame: () => undefined,
      onLog: () => undefined,
      onMessage: () => onEvent("The view put a message into the chat."),
      onModelContext: () => onEvent("The view told the model what is selected."),
      onOpenLink: (url) => onEvent(`The view asked to open ${url.href}`),
      onDownload: async (contents) => {
        onEvent(`The view offered ${contents.length === 1 ? "a file" : `${contents.length} files`}.`)
        return true
      },
      onDisplayMode: (mode) => {
        onEvent(`The view asked for the display mode ${mode}; here it stays as it is.`)
        return context.displayMode ?? "inline"
      }
    })
    this.#view.frame.title = given.title
  }

  get frame(): HTMLIFrameElement {
    return this.#view.frame
  }

  /** Resolves when the view has drawn what the host has sent. Rejects when it does not start. */
  async open(): Promise<void> {
    const { id } = this.#options.given
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`"${id}" was not drawn in ${patience / 1000} s`)), patience)
    })
    try {
      await Promise.race([this.#draw(), late])
    } finally {
      clearTimeout(timer)
    }
  }

  async close(): Promise<void> {
    await this.#view.close()
  }

  async #draw(): Promise<void> {
    const { given } = this.#options
    await this.#view.open()
    await this.#view.ready
    for (const step of given.host ?? defaultHost) await this.#send(step)
    if (given.call !== undefined || given.press !== undefined) {
      this.#view.post({ jsonrpc: "2.0", method: "notifications/gallery-act" })
      await this.#called.promise
    }
    await this.#view.ping()
  }

  #send(step: HostStep): Promise<void> {
    if ("partial" in step) return this.#view.sendPartialInput({ ...step.partial })
    if ("input" in step) return this.#view.sendInput({ ...step.input })
    if ("result" in step) return this.#view.sendResult(step.result)
    return this.#view.sendCancelled(step.cancelled)
  }

  #server(): ViewServer {
    const { given, onEvent } = this.#options
    const tool = toolOf(given)
    return {
      callTool: async (params, { onprogress, signal }) => {
        if (params.name !== tool.name) onEvent(`The view called ${params.name}.`)
        const answer = answerOf(given)
        if ("progress" in answer) {
          for (const progress of answer.progress) onprogress?.(progress)
          this.#called.resolve()
          return untilAborted(signal)
        }
        try {
          if ("error" in answer) throw new Error(answer.error)
          return answer.result
        } finally {
          this.#called.resolve()
        }
      },
      readResource: async ({ uri }) => ({
        contents: [{ uri, mimeType: "text/plain", text: "What the server has at this address." }]
      }),
      listResources: async () => ({ resources: [] }),
      listResourceTemplates: async () => ({ resourceTemplates: [] })
    }
  }
}
