/** What the page of a tool can do beyond the tool itself. Part of the data of its document. */
export interface UiExtras {
  /** Results of this server carry views of mcp-ui. */
  readonly mcpUi?: true
  /** Origins whose pages a result may show in frames. The policy of the document allows them. */
  readonly frames?: ReadonlyArray<string>
  /** The document stands in a result, and the page around it speaks mcp-ui. `toolInput`: the arguments of the call. */
  readonly embedded?: { readonly toolInput?: unknown }
  /** The host is ChatGPT, whose pages have `window.openai`. */
  readonly openai?: true
}
