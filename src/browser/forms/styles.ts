export const formSheet = `
.mf-form,.mf-open,.mf-body{display:flex;flex-direction:column;gap:12px;min-inline-size:0}
.mf-form{border:$bw solid $border;border-radius:$r3;padding:14px}
.mf-form:has(>.mf-line:not([hidden])),.mf-form.mf-plain{border:0;padding:0}
.mf-line{color:$muted}
.mf-line .mg-button{border-color:transparent;background:none;color:$muted;padding-inline:6px;font-size:$xs}
.mf-line .mg-button:hover{color:$text;background:$bg2}
.mf-form :is(.mf-problem,.mf-confirm,.mf-fields,.mf-items,.mf-variant):empty,.mf-body:not(:has(input,select,textarea,button,p,.mf-constant)){display:none}
.mf-line,.mf-line>:last-child,.mf-row,.mf-head,.mf-card-head{display:flex;gap:8px;align-items:center;min-inline-size:0}
.mf-line{flex-wrap:wrap;gap:0 8px}
.mf-line>:last-child{gap:0}
.mf-summary{display:flex;flex-wrap:wrap;gap:0 14px}
.mf-summary,.mf-body,.mf-problem,.mf-confirm,.mf-code.mf-input{font-size:$sm}
.mf-summary>span{color:$text}
.mf-name,.mf-hint,.mf-card-summary,.mf-tool{color:$muted}
.mf-hint,.mf-error,.mf-more{font-size:$xs}
.mf-hint{white-space:pre-wrap;max-inline-size:80ch}
.mf-error,.mf-problem,.mf-required{color:$danger}
.mf-more,.mf-tool{background:none;border:0;padding:0;min-block-size:26px;cursor:pointer}
.mf-more{color:$accent;text-decoration:underline;margin-block:-3px}
.mf-fields,.mf-choices{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,240px),1fr));gap:14px 16px;align-items:start}
.mf-choices{gap:0 12px;grid-template-columns:repeat(auto-fill,minmax(min(100%,150px),1fr))}
.mf-fields>.mf-wide,.mf-fields>:has(>textarea),.mf-fields>:has(>.mf-content .mf-choices){grid-column:1/-1}
.mf-field,.mf-content,.mf-items,.mf-variant{display:grid;gap:4px;grid-template-columns:minmax(0,1fr);min-inline-size:0;position:relative}
.mf-content>button{justify-self:start}
.mf-content,.mf-items{gap:8px}
.mf-label{font-weight:$medium;min-block-size:20px;min-inline-size:0}
.mf-head>span:empty,.mf-row>.mf-field,.mf-card-summary{flex:1}
.mf-head>.mg-button,.mf-content>.mg-button-plain{min-block-size:24px;padding:0 6px;font-size:$xs}
.mf-combo>svg{position:absolute;inset-inline-end:9px;inset-block-start:10px;inline-size:14px;rotate:90deg;pointer-events:none}
.mf-combo{position:relative}
.mf-combo>input{padding-inline-end:30px}
.mf-required{margin-inline-start:3px}
.mf-group>.mf-content,.mf-line-start,.mf-entry-tall>.mf-field{border-inline-start:2px solid $border;padding-inline-start:12px}
.mf-group>.mf-content{gap:12px}
.mf-line-start{margin:4px 11px}
.mf-input,.mf-box{border-radius:$r2;border:$bw solid $control;background:$bg}
.mf-input,.mf-tag-input{font-size:$md}
.mf-input{inline-size:100%;min-inline-size:0;min-block-size:34px;padding:5px 10px;color:$text}
textarea.mf-input{min-block-size:60px;resize:vertical;field-sizing:content;max-block-size:24em;display:block}
.mf-input::placeholder,.mf-tag-input::placeholder{color:$faint;opacity:1}
.mf-input[aria-invalid],.mf-input:has(>[aria-invalid]),[aria-invalid]>*>.mf-segments{border-color:$danger}
.mf-code{direction:ltr;font-family:$mono}
.mf-masked{-webkit-text-security:disc}
.mf-row>[type=range]{flex:2 1 90px;min-inline-size:60px;accent-color:$accent;block-size:24px;margin:0}
.mf-row>[type=range]+*{flex:1 1 70px}
.mf-row>button{flex:none}
.mf-unset{opacity:.45}
.mf-choice{display:flex;gap:8px;align-items:center;min-block-size:28px}
.mf-choice>input{inline-size:16px;block-size:16px;margin:0;flex:none;accent-color:$accent}
.mf-box{max-block-size:230px;overflow-y:auto;padding:4px;margin:0;list-style:none}
.mf-segments{display:flex;flex-wrap:wrap;inline-size:fit-content;max-inline-size:100%;border:$bw solid $control;border-radius:$r2;background:$bg;padding:2px;gap:2px}
.mf-segments>label{position:relative}
.mf-segments span{padding:3px 12px;min-block-size:28px;border-radius:$r1;display:flex;align-items:center;color:$muted}
.mf-segments input{appearance:none;position:absolute;inset:0;inline-size:100%;block-size:100%;margin:0;cursor:pointer;border-radius:$r1}
.mf-segments :checked+span{background:$bg3;color:$text;box-shadow:inset 0 0 0 1px $control}
.mf-list>li{padding:4px 8px;border-radius:$r1;min-block-size:28px;cursor:pointer}
.mf-list>[aria-selected=true],.mf-list>li:hover,.mf-tag,.mf-tool:hover{background:$bg3}
.mf-tagbox{display:flex;flex-wrap:wrap;gap:4px;padding:3px 4px;cursor:text}
.mf-tagbox:has(>:focus-visible){outline:2px solid $ring;outline-offset:2px}
.mf-tags{display:contents}
.mf-tag{display:flex;align-items:center;max-inline-size:100%;border-radius:$r1;padding-inline-start:8px}
.mf-tool{inline-size:26px;flex:none;display:grid;place-items:center;border-radius:$r1}
.mf-tool:disabled{opacity:.35;cursor:default}
.mf-tag-input{flex:1 1 80px;min-inline-size:60px;border:0;background:none;color:$text;padding:0 6px;min-block-size:26px;outline:none}
.mf-card{border-block-end:$bw solid $border;padding-block-end:4px}
.mf-card-head{gap:2px}
.mf-card-toggle{flex:1;inline-size:auto;block-size:auto;justify-content:flex-start;gap:0 6px;min-inline-size:0;text-align:start;min-block-size:30px}
.mf-card-toggle>.mf-label{max-inline-size:60%;color:$text}
.mf-card-summary{min-inline-size:0;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.mf-entry{display:grid;gap:6px;grid-template-columns:minmax(80px,1fr) minmax(0,2fr) 26px;align-items:center}
.mf-entry>.mg-button{justify-self:start}
.mf-entry-tall{grid-template-columns:minmax(0,1fr) 26px}
.mf-entry-tall>.mf-field{grid-row:2;grid-column:1/-1}
details[open]>summary+.mf-fields{margin-block-start:8px}
.mf-confirm{flex:1 1 100%;font-weight:$medium}
@media(max-width:420px){.mf-card-toggle{flex-wrap:wrap}.mf-card-summary{flex-basis:100%}}
@media(forced-colors:active){.mf-segments :checked+span,.mf-list>[aria-selected=true]{forced-color-adjust:none;background:Highlight;color:HighlightText}.mf-tag{border:1px solid}}
`
