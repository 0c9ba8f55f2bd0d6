/** What the page of a tool can do beyond the tool itself. Part of the data of its document, and of the key of its UI. */
export type UiExtras = Readonly<Record<string, unknown>>
