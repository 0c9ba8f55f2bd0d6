/** Code, Markdown, media and files. */
export const text = `
.mg-pre{margin:0;padding:10px 12px;background:$bg2;border-radius:$r2;overflow:auto;max-height:420px;white-space:pre;line-height:1.5;font-size:$xs;tab-size:2;overflow-wrap:normal}
.mg-wrap{white-space:pre-wrap;overflow-wrap:anywhere}
.mg-code-head{display:flex;align-items:center;font-size:$xs;color:$muted}
.mg-added{color:$success}
.mg-removed{color:$danger}
.mg-image{max-width:100%;height:auto;border-radius:$r1;display:block}
.mg-figure{display:flex;flex-direction:column;gap:4px;align-items:flex-start}
.mg-figure audio{width:100%;max-width:420px}
.mg-file{display:flex;gap:8px;padding:8px 12px;border:$bw solid $border;border-radius:$r2}
.mg-file>.mg-icon,.mg-lost>.mg-icon{margin-top:3px;color:$muted}
.mg-files{display:grid;gap:6px}
.mg-md{display:flex;flex-direction:column;gap:10px;min-width:0}
.mg-md>*{max-width:100%;min-width:0}
.mg-md>p,.mg-md>ul,.mg-md>ol{max-width:76ch}
.mg-md h2{font-size:$lg}
.mg-md .mg-md-heading{margin-top:4px}
.mg-md ul,.mg-md ol{padding-inline-start:22px}
.mg-md li>ul,.mg-md li>ol,.mg-md li>p{margin-top:2px}
.mg-md blockquote{padding-inline-start:12px;border-inline-start:3px solid $border;color:$muted}
.mg-md hr{border:0;border-top:$bw solid $border;width:100%}
.mg-md :not(pre)>code,.mg-detail code,.mg-cell>code,.mg-list code{background:$bg2;padding:1px 4px;border-radius:4px}
.mg-md .mg-table{overflow-wrap:anywhere}
.mg-md .mg-table td{min-width:7em}
.mg-task{list-style:none;margin-inline-start:-20px}
`
