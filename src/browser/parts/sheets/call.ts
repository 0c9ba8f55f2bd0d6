/** A call under way, and the line below a result. */
export const call = `
.mg-call{display:grid;gap:8px;min-width:0}
.mg-call:not([data-open]){display:contents}
.mg-call-line{display:flex;flex-wrap:wrap;gap:4px;align-items:center;min-height:28px;font-size:$sm;color:$muted}
.mg-progress{height:3px;border-radius:3px;background:$bg3;overflow:hidden}
.mg-progress>span{display:block;height:100%;background:$accent;transition:width .2s}
.mg-progress:not([aria-valuenow])>span{width:30%;animation:mg-pass 1.4s ease-in-out infinite}
.mg-call:not([data-open])>.mg-progress{position:absolute;inset:0 0 auto;border-radius:0;background:none}
@keyframes mg-pass{from{translate:-100%}to{translate:340%}}
.mg-sent{max-height:300px;overflow:auto;display:grid;grid-auto-rows:max-content;gap:2px 12px;grid-template-columns:fit-content(40%) minmax(0,1fr);font-size:$sm}
.mg-sent dt{color:$muted}
.mg-sent dd{white-space:pre-wrap;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:3;overflow:hidden}
.mg-left{display:contents}
.mg-untold{border-top:$bw solid $border;padding-top:12px}
.mg-untold dd{font-family:$mono}
.mg-foot summary,.mg-result-foot>.mg-disclosure>summary{font-size:$xs;color:$faint}
.mg-foot:not(:has([open])){height:0;margin-top:-14px}
.mg-foot{display:flex;gap:8px;align-items:start;justify-content:space-between}
.mg-foot:not(:has(>:not([hidden]):not(:empty))){display:none}
.mg-app[data-busy] .mg-content,.mg-stale{opacity:.9;filter:grayscale(1)}
@media(hover:hover){.mg-app:not(:hover,:focus-within) :is(.mg-foot summary:not([open]>*),.mg-quiet .mf-line .mg-button){opacity:0}}
.mg-foot summary,.mf-line .mg-button{transition:opacity .15s}
@media(prefers-reduced-motion:reduce){.mg-progress:not([aria-valuenow])>span{width:100%;opacity:.5;translate:0}}
@media(forced-colors:active){.mg-progress>span{background:Highlight}}
`
