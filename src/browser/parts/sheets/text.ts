/** Code, Markdown, media and files. */
export const text = `
.mg-code{border:$bw solid $border;border-radius:$r3;overflow:hidden;position:relative}
.mg-pre{margin:0;padding:12px 16px;background:$bg;overflow:auto;max-height:680px;white-space:pre;line-height:1.5;font-size:$sm;tab-size:2;overflow-wrap:normal}
.mg-numbered{display:block;position:relative;min-height:1lh;padding-inline-start:calc(var(--n)*1ch + 14px)}
.mg-numbered::before{content:attr(data-line);position:absolute;inset-inline-start:0;width:calc(var(--n)*1ch);text-align:end;color:$faint;user-select:none}
.mg-wrap{white-space:pre-wrap;overflow-wrap:anywhere}
:is(pre,.mg-badge) wbr{display:none}
@property --mg-x{syntax:"<length>";inherits:false;initial-value:0px}
@property --mg-y{syntax:"<length>";inherits:false;initial-value:0px}
@keyframes mg-on{from{--mg-x:28px}}
@keyframes mg-down{from{--mg-y:28px}}
:is(.mg-pre,.mg-scroll,.overflow-auto,.overflow-x-auto,.overflow-y-auto):dir(ltr){mask:linear-gradient(90deg,#000 calc(100% - var(--mg-x)),#0000) no-clip,linear-gradient(#000 calc(100% - var(--mg-y)),#0000) no-clip;mask-composite:intersect;animation:mg-on linear,mg-down linear;animation-timeline:scroll(self inline),scroll(self);animation-duration:auto!important}
.mg-code-head,.mg-record-head,.mg-result-foot,.mg-result-tools,.mg-figure figcaption,.mg-facts{display:flex;flex-wrap:wrap;gap:4px 10px;align-items:center}
.mg-code-head{font:$xs $mono;color:$muted;background:$bg2;padding:4px 8px;padding-inline-start:16px;border-bottom:$bw solid $border}
.mg-code-head:has(>span:empty){position:absolute;z-index:1;inset:6px 8px auto auto;background:none;border:0;padding:0!important}.mg-code-head:has(>span:empty)>.mg-button:not(:hover,:focus){color:$faint;font-size:0;gap:0}.mg-code:has(>.mg-code-head>span:empty) .mg-pre{padding-inline-end:44px}
.mg-code-head>.mg-button{margin-inline-start:auto}
.mg-added{background:color-mix(in oklab,#22c55e 19%,$bg)}
.mg-removed{background:color-mix(in oklab,#f43f5e 17%,$bg)}
.mg-image{max-width:100%;height:auto;border-radius:$r1;display:block;background:#fff;box-shadow:0 0 0 1px $border}
.mg-frame{max-width:100%;justify-self:stretch}
.mg-frame:not(.mg-full)>.mg-image{max-height:480px;width:auto}
.mg-full{overflow:auto;max-height:80vh}
.mg-full>.mg-image{max-width:none}
.mg-figure figcaption,.mg-tree-note{font-size:$sm}
.mg-pre{direction:ltr;text-align:left}
.mg-text,.mg-md>p,.mg-md li{unicode-bidi:plaintext}
.mg-portrait{width:48px;height:48px;object-fit:cover;border-radius:$r2}
.mg-facts-grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,260px),1fr));column-gap:24px}
.mg-facts-grid .mg-detail-row:last-child{border-bottom:$bw solid $border}
.mg-columns,.mg-columns .mg-list{columns:10em;column-gap:24px}
.mg-result-tools{gap:0}
.mg-result-foot{align-items:flex-start;justify-content:space-between}
.mg-result-foot>.mg-disclosure{min-width:0;max-width:100%}
.mg-result-foot>.mg-disclosure[open]{flex:1 1 100%}
.mg-result-raw{display:flex;flex-wrap:wrap;gap:4px 16px;font-size:$sm}
.mg-result-raw>[open]{flex:1 1 100%}
.mg-names{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:8px;font:$sm $mono}
.mg-names>li{padding:4px 12px;border-radius:$r2;background:$accent-bg}
.mg-card-points{padding-inline-start:18px;color:$muted;font-size:$sm}
.mg-figure{display:grid;gap:4px;justify-items:start}
.mg-figure audio{width:100%;max-width:420px}
.mg-file{display:flex;gap:8px;padding:8px 12px;border:$bw solid $border;border-radius:$r2}
.mg-file>.mg-icon,.mg-lost>.mg-icon{margin-top:3px;color:$muted}
.mg-file>.mg-button{flex:none;align-self:start}
.mg-files{display:grid;gap:6px}
.mg-md{display:flex;flex-direction:column;gap:10px;min-width:0}
.mg-md>*{max-width:100%;min-width:0}
.mg-md>p,.mg-md>ul,.mg-md>ol{max-width:76ch}
.mg-md h2{font-size:21px;letter-spacing:-.018em}
.mg-md h3{font-size:$lg}
.mg-md>:is(h2,h3):not(:first-child){margin-top:8px}
.mg-md li+li{margin-top:4px}
.mg-callout{padding:10px 14px;border-radius:$r2;border-inline-start:3px solid $info;background:$info-bg;max-width:none!important}
.mg-callout-warning{border-color:$warning;background:$warning-bg}
.mg-md ul,.mg-md ol{padding-inline-start:22px}
.mg-md blockquote{padding-inline-start:12px;border-inline-start:3px solid $border;color:$muted}
.mg-md hr{border:0;border-top:$bw solid $border;width:100%}
.mg-md :not(pre)>code,.mg-detail code,.mg-list code{background:$accent-bg;padding:1px 5px;border-radius:5px}
.mg-md .mg-table{overflow-wrap:anywhere}
.mg-md .mg-table td{min-width:7em}
.mg-task{list-style:none;margin-inline-start:-20px}
.mg-task>input{appearance:none;width:15px;height:15px;margin-inline:0 8px;vertical-align:-3px;border:1.5px solid $control;border-radius:4px}
.mg-task>input:checked{background:$accent;box-shadow:inset 0 0 0 2px $bg}
`
