export const builtinSheet = `
.mv-under{margin:0 8px;font-size:$sm;font-weight:400;letter-spacing:0;color:$muted}
.mv-under:empty{display:none}
@media(max-width:480px){.mv-under:not(:empty){display:block;margin:0}}
.mv-description,.mv-note{font-size:$sm;color:$muted}
.mv-description{white-space:pre-wrap;max-inline-size:80ch;margin-block-start:2px}
.mv-notes:empty{display:none}
.mv-note{display:flex;gap:12px;align-items:start;padding:4px 6px 4px 12px;border-radius:$r2;background:$bg2}
.mv-note>:first-child{flex:1;min-inline-size:0;padding-block:3px}
.mv-question{flex-wrap:wrap;gap:4px 12px;color:$text}
.mv-question>:first-child{flex-basis:15em}
.mv-question~.mv-question{display:none}
.mv-note summary{align-items:start}
.mv-note .mg-disclosed{padding-inline-start:20px}
.mv-note summary>.mg-icon{margin-block-start:3px}
`
