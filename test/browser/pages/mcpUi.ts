/**
 * Hosts with React that show mcp-ui, for tests: `UIResourceRenderer` of @mcp-ui/client 5, for resources in results, and
 * `AppRenderer` of version 7, for MCP Apps. What a view wants reaches the test through the binding `onAction`.
 */
import { AppRenderer } from "@mcp-ui/client"
import { UIResourceRenderer } from "mcp-ui-client-5"
import { createElement } from "react"
import { createRoot } from "react-dom/client"

declare const onAction: (action: unknown) => Promise<unknown>

const render = (component: unknown, props: Readonly<Record<string, unknown>>): void => {
  const place = document.createElement("main")
  document.body.replaceChildren(place)
  createRoot(place).render(createElement(component, props))
}

Object.assign(globalThis, {
  mcpUiHosts: {
    showResource: (resource: unknown): void =>
      render(UIResourceRenderer, { resource, onUIAction: onAction, htmlProps: { autoResizeIframe: { height: true } } }),
    showApp: (props: Readonly<Record<string, unknown>>, sandboxUrl: string): void =>
      render(AppRenderer, {
        ...props,
        sandbox: { url: new URL(sandboxUrl) },
        onCallTool: (params: unknown) => onAction({ type: "tools/call", payload: params }),
        onOpenLink: (params: unknown) => onAction({ type: "ui/open-link", payload: params })
      })
  }
})
