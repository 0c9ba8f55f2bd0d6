import { tones } from "./tokens.ts"

/** Elements, layout, states, buttons and boxes. */
export const base = `
*,::before,::after{box-sizing:border-box}
[hidden]{display:none!important}
body{margin:0;padding:22px;background:$page;color:$text;font:var(--font-weight-normal,400) $md/$lh $font;overflow-wrap:break-word}
:where(.mg-long:not(td,th,td *,th *)){overflow-wrap:anywhere}
:where(p,h1,h2,h3,h4,h5,h6,ul,ol,dl,dd,figure,pre,blockquote){margin:0}
:where(button,input,select,textarea){font:inherit;color:inherit;max-width:100%;color-scheme:var(--f-scheme)}
:where(a){color:$accent}
:where(:has(>table:not(.mg-table))){overflow-x:auto}
:where(h1,h2,h3,h4,h5,h6){font-size:$md;font-weight:$semibold;line-height:1.35}
:focus-visible{outline:2px solid $ring;outline-offset:2px;border-radius:$r1}
.mg-content:focus{outline:none}
code,pre{font-family:$mono;font-size:.92em}
.mg-stack,.mg-section,.mg-card,.mg-field,.mg-table-block,.mg-panel{display:flex;flex-direction:column;gap:8px;min-width:0}
.mg-stack{gap:12px}
.mg-stack>*,.mg-row>*{min-width:0;max-width:100%}
.mg-stack>.mg-button{align-self:flex-start}
.mg-stack:empty{display:none}
.mg-app,.mg-content{gap:18px}
.mg-top{display:grid;gap:8px 12px;grid-template-columns:minmax(0,1fr) auto;align-items:start}
.mg-top>.mf-form{grid-column:1/-1}
.mg-top>.mf-form:has(>.mf-line:not([hidden])),.mg-top .mf-line:not([hidden]){display:contents}
.mg-top .mf-line>:first-child{grid-column:1/-1;grid-row:2}
.mg-top .mf-line>:last-child{grid-column:2;grid-row:1}
.mg-top:has(.mg-header,>.mg-told) .mf-line .mg-button{font-size:0;gap:0;width:26px;min-height:24px;padding:0;color:$faint}
.mg-top:has(.mg-header p:not([hidden]),>.mg-told) .mf-summary{display:none}
.mg-top:has(.mg-header,>.mg-told){grid-template-columns:minmax(0,1fr)}
.mg-top:has(.mg-header,>.mg-told) .mf-line>:last-child{position:absolute;inset:0;inset-inline-start:auto;height:24px}
.mg-quiet:has(>.mg-told):not(:has(.mg-header,form:not([hidden]))){height:0;margin-bottom:-18px}
.mg-asking{display:flex;flex-wrap:wrap;gap:8px}
.mg-asking>.mg-input{flex:1 1 130px;min-width:0}
.mg-asking>.mg-button{flex:none}
.mg-top:not(:has(>:not([hidden]))){display:none}
.mg-equal>*{flex:1 1 200px}
.mg-row>.mg-meter{flex:1 1 100px}
.mg-toolbar,.mg-chips,.mg-pager,.mg-row,.mg-header,.mg-title,.mg-heading,.mg-item-title,.mg-table-foot,.mg-table-head,.mg-table-tools,.mg-taken{display:flex;flex-wrap:wrap;gap:8px;align-items:center}
.mg-row{gap:12px;align-items:flex-start}
.mg-header{gap:8px 16px;flex-wrap:nowrap}
.mg-header>.mg-toolbar{flex-wrap:wrap;justify-content:flex-end;min-width:min(40%,120px)}
.mg-head-mark{flex:none;display:grid;place-items:center;width:44px;height:44px;border-radius:$r3;background:$accent-bg;color:$accent}
.mg-header:has(p){align-items:flex-start}
.mg-badges,.mg-yes,.mg-no{display:inline-flex;flex-wrap:wrap;gap:4px;align-items:center;vertical-align:middle}
.mg-grow{flex:1 1 auto;min-width:0}
.mg-hidden{position:absolute;width:1px;height:1px;margin:-1px;padding:0;overflow:hidden;clip-path:inset(50%);white-space:nowrap;border:0}
.mg-muted,.mg-no,.mg-stat-label,.mg-item-meta,.mg-item-text{color:$muted}
.mg-strong,.mg-heading,.mg-stat-value{font-weight:$semibold}
.mg-small,.mg-field,.mg-chip,.mg-button-error,.mg-filter,.mg-tab,.mg-table,.mg-table-head,.mg-table-foot,.mg-panel,.mg-detail dt,.mg-item-text{font-size:$sm}
.mg-large{font-size:$lg}
.mg-clamp:not(:focus){display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:var(--lines);overflow:hidden;cursor:pointer}
.mg-text,.mg-lines,.mg-message,.mg-item-text,.mg-detail dd{white-space:pre-wrap}
:where(p,h1,h2,h3,dd,li,pre,blockquote,td,.mg-text,.mg-item-title,.mg-title>span,.mg-table-foot>span){unicode-bidi:plaintext}
.mg-title>*{min-width:0}
:where(.mg-stat-value,.mg-badge,time){unicode-bidi:isolate}
.mg-icon{flex:none;vertical-align:middle;fill:none;stroke:currentColor;stroke-width:1.5;stroke-linecap:round;stroke-linejoin:round}
.mg-drawn{fill:color-mix(in oklab,currentColor 16%,transparent)}
.mg-header p{font-size:15px;line-height:1.4;margin-top:3px}
.mg-title{font-size:clamp(20px,5vw,26px);font-weight:680;line-height:1.2;letter-spacing:-.018em;text-wrap:balance;gap:4px 12px}
.mg-title>.mg-badges,.mg-title>.mg-badge{letter-spacing:0}
.mg-heading{color:$text;font-size:17px;letter-spacing:-.008em}
.mg-linkbutton,.mg-sort,.mg-expand,.mg-tab,.mg-chip{background:none;border:0;padding:0;cursor:pointer;min-height:24px}
.mg-linkbutton{text-align:start;color:$accent;text-decoration:underline}
:where(a),.mg-linkbutton{text-underline-offset:2px}
.mg-badge{display:inline-block;height:fit-content;padding:0 8px;border-radius:$round;font-size:$xs;line-height:20px;font-weight:$medium;background:$bg3;color:$text;border:$bw solid transparent;max-width:100%}
${tones.map((tone) => `.mg-${tone}{background:$${tone}-bg;color:$${tone}}.mg-tone-${tone}{color:$${tone}}.mg-fill-${tone}{background:$${tone}}`).join("\n")}
.mg-status.mg-neutral{background:$bg2;color:$muted}
.mg-fill-neutral{background:$muted}
.mg-yes>.mg-icon{color:$success}
.mg-status,.mg-error{display:flex;gap:8px;padding:8px 12px;border-radius:$r2;align-items:flex-start}
.mg-error{padding:12px}
.mg-status>.mg-icon,.mg-error>.mg-icon{margin-top:2px}
.mg-error :is(.mg-message,.mg-disclosure,summary,.mg-button-plain){color:$text}
.mg-empty{padding:28px 16px;text-align:center;color:$muted;border:$bw dashed $border;border-radius:$r2}
.mg-button{display:inline-flex;gap:7px;align-items:center;justify-content:center;flex-shrink:0;max-width:100%;min-height:34px;padding:5px 13px;border-radius:$r2;border:$bw solid $border;background:$bg;color:$text;font-size:$sm;font-weight:$medium;line-height:1.3;cursor:pointer}
.mg-button:hover,.mg-chip:hover{background:$bg2}
.mg-button.mg-small{min-height:28px;padding:2px 10px}
.mg-button-primary,.mg-button-primary:hover,.mg-chip[aria-pressed=true]{background:$solid;border-color:$solid;color:$on-solid}
.mg-button-primary:hover{box-shadow:0 3px 10px -3px $solid}
.mg-button-danger{color:$danger;border-color:$danger-line}
.mg-button-plain{border-color:transparent;background:none;color:$accent;padding-inline:8px}
.mg-button:is(:disabled,[aria-disabled=true]){cursor:not-allowed;color:$disabled;border-color:$disabled-line;background:$disabled-bg;opacity:1}
.mg-button[aria-busy=true]{cursor:progress}
.mg-button[aria-busy=true]::before{content:"";width:12px;height:12px;border-radius:50%;border:2px solid currentColor;border-top-color:transparent;animation:mg-turn .8s linear infinite}
@keyframes mg-turn{to{transform:rotate(1turn)}}
.mg-button-error{color:$danger}
.mg-chip{min-height:30px;padding:3px 13px;border-radius:$round;border:$bw solid $border;background:$bg}
.mg-input{min-height:36px;padding:5px 12px;border-radius:$r2;border:$bw solid $control;background:$bg;color:$text}
.mg-input::placeholder{color:$faint;opacity:1}
.mg-input[aria-invalid]{border-color:$danger}
textarea.mg-input{min-height:72px;resize:vertical;display:block}
.mg-field{gap:4px}
.mg-field>.mg-input{width:100%}
.mg-check,.mg-toolbar>.mg-field{flex-direction:row;align-items:center;gap:8px}
.mg-check{min-height:26px}
.mg-check>input{width:16px;height:16px;margin:0;accent-color:$accent}
.mg-toolbar>.mg-field>.mg-input{width:auto}
.mg-disclosure>summary{display:inline-flex;gap:6px;align-items:center;cursor:pointer;list-style:none;border-radius:$r1;min-height:26px;color:$muted}
.mg-disclosure>summary::-webkit-details-marker{display:none}
.mg-disclosure>summary>.mg-icon,.mg-expand>.mg-icon{transition:transform .12s;width:14px}
.mg-disclosure[open]>summary>.mg-icon,.mg-expand[aria-expanded=true]>.mg-icon{transform:rotate(90deg)}
.mg-disclosure>summary:dir(rtl)>.mg-icon{scale:-1 1}
.mg-disclosed{margin-top:6px}
.mg-tablist{display:flex;gap:2px;overflow-x:auto;scrollbar-width:thin;box-shadow:inset 0 calc(-1*$bw) $border;margin-bottom:12px}
.mg-tab{flex:none;border-bottom:2px solid transparent;padding:6px 12px;min-height:32px;color:$muted;white-space:nowrap;font-weight:$medium}
.mg-tab:focus-visible{outline-offset:-2px}
.mg-tab:hover,.mg-tab[aria-selected=true]{color:$text}
.mg-tab[aria-selected=true]{border-color:$accent}
.mg-skeleton{height:14px;border-radius:$r1;background:$bg3;animation:mg-pulse 1.4s ease-in-out infinite}
@keyframes mg-pulse{50%{opacity:.45}}
.mg-app[data-busy] .mg-content{opacity:.6}
`
