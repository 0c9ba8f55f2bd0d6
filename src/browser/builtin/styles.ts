import { installSheet } from "../forms/styles.ts"

/** Of the built-in view; `$name` stands for `var(--mg-name)`. */
const CSS = `
.mv-description,.mv-note{font-size:$sm;color:$muted}
.mv-description{white-space:pre-wrap;max-inline-size:80ch;margin-block-start:2px}
.mv-notes:empty{display:none}
.mv-note{display:flex;gap:12px;align-items:center;padding:4px 6px 4px 12px;border-radius:$r2;background:$bg2}
.mv-note>p{flex:1;min-inline-size:0}
`

export const installBuiltinStyles = (): void => installSheet("mcp-gen-ui-builtin-styles", CSS)
