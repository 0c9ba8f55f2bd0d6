/** Colours, fonts and radii are the `--mg-…` variables of the parts' stylesheet: `$name` stands for `var(--mg-name)`. */
const CSS = `
.mf-form,.mf-open,.mf-body{display:flex;flex-direction:column;gap:12px;min-inline-size:0}
.mf-form{border:$bw solid $border;border-radius:$r2;padding:12px}
.mf-open{gap:14px}
.mf-form:has(>.mf-line:not([hidden])){padding:6px 8px 6px 12px}
.mf-problem:empty,.mf-confirm:empty,.mf-body:not(:has(input,select,textarea,button,.mf-hint,.mf-constant)),.mf-fields:empty{display:none}
.mf-line,.mf-line>div,.mf-row,.mf-foot,.mf-head,.mf-card-head{display:flex;gap:6px 8px;align-items:center;min-inline-size:0}
.mf-line{flex-wrap:wrap}
.mf-line>.mf-summary-place{flex:1 1 160px}
.mf-line>:last-child{margin-inline-start:auto}
.mf-foot{flex-wrap:wrap}
.mf-foot:not(:has(>:not([hidden]))){display:none}
.mf-summary{display:flex;flex-wrap:wrap;gap:0 14px;overflow-wrap:anywhere}
.mf-summary,.mf-label,.mf-choice,.mf-problem,.mf-confirm,.mf-constant,.mf-segments,.mf-list,.mf-tag{font-size:$sm}
.mf-name,.mf-hint,.mf-card-summary{color:$muted}
.mf-hint,.mf-error{font-size:$xs}
.mf-hint{white-space:pre-wrap;max-inline-size:80ch}
.mf-error,.mf-problem,.mf-required{color:$danger}
.mf-more{background:none;border:0;padding:0 2px;min-block-size:24px;color:$accent;cursor:pointer;font-size:inherit;text-decoration:underline;text-underline-offset:2px}
.mf-fields{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,240px),1fr));gap:14px 16px;align-items:start}
.mf-fields>.mf-wide,.mf-fields>:has(>textarea),.mf-fields>:has(>.mf-content>.mf-choices){grid-column:1/-1}
.mf-field,.mf-content,.mf-items,.mf-variant{display:grid;gap:4px;min-inline-size:0;grid-template-columns:minmax(0,1fr);position:relative}
.mf-items:empty,.mf-variant:empty,.mf-summary-place:empty{display:none}
.mf-content{gap:8px}
.mf-variant{gap:12px;margin-block-start:4px}
.mf-items{gap:6px}
.mf-label{font-weight:$medium;min-inline-size:0}
.mf-head>:nth-last-child(n+2):is(span:empty){flex:1}
.mf-head .mg-button{margin-block:-3px;padding-inline:6px;margin-inline-end:-6px}
.mf-label{min-block-size:20px}
.mf-row>button{flex:none}
.mf-combo{position:relative}
.mf-combo>input{padding-inline-end:30px;text-overflow:ellipsis}
.mf-combo>svg{position:absolute;inset-inline-end:9px;inset-block-start:10px;inline-size:14px;rotate:90deg;pointer-events:none;color:$muted}
.mf-head>.mg-button,.mf-foot>.mg-button-plain{min-block-size:24px;padding-block:0;font-weight:inherit;font-size:$xs}
.mf-required{margin-inline-start:3px}
.mf-note-tag{font-size:$xs;color:$muted}
.mf-group>.mf-label,.mf-group>.mf-head>.mf-label{font-weight:$semibold}
.mf-group>.mf-content,.mf-line-start{border-inline-start:2px solid $border;padding-inline-start:12px}
.mf-group>.mf-content{gap:12px;margin-block-start:4px}
.mf-line-start{margin-inline-start:11px;padding-block:4px 6px}
.mf-input{inline-size:100%;min-inline-size:0;min-block-size:34px;padding:5px 10px;border-radius:$r2;border:$bw solid $control;background:$bg;color:$text}
textarea.mf-input{resize:vertical;field-sizing:content;min-block-size:72px;max-block-size:24em;display:block}
textarea.mf-kept{min-block-size:34px}
.mf-input::placeholder,.mf-tag-input::placeholder{color:$faint;opacity:1}
.mf-input[aria-invalid],.mf-input:has(>[aria-invalid]),[aria-invalid]>.mf-content>.mf-segments{border-color:$danger}
.mf-code{direction:ltr;font-family:$mono;font-size:$sm}
.mf-masked{-webkit-text-security:disc}
.mf-row>input[type=range]{flex:2 1 90px;min-inline-size:60px;accent-color:$accent;block-size:24px;margin:0}
.mf-row>input[type=range]+.mf-input{flex:1 1 70px}
.mf-unset{opacity:.45}
.mf-row>.mf-field{flex:1}
.mf-choice{display:flex;gap:8px;align-items:center;min-block-size:28px}
.mf-choice>input{inline-size:16px;block-size:16px;margin:0;flex:none;accent-color:$accent}
.mf-choices{display:grid;gap:0 12px;grid-template-columns:repeat(auto-fill,minmax(min(100%,150px),1fr))}
.mf-scroll{max-block-size:190px;overflow-y:auto;padding:4px 8px;border:$bw solid $border;border-radius:$r2}
.mf-segments{display:flex;flex-wrap:wrap;inline-size:fit-content;max-inline-size:100%;border:$bw solid $control;border-radius:$r2;background:$bg;padding:2px;gap:2px}
.mf-segments>label{position:relative;display:inline-flex}
.mf-segments span{padding:3px 12px;min-block-size:28px;border-radius:calc($r2 - 3px);display:inline-flex;align-items:center;color:$muted}
.mf-segments input{appearance:none;position:absolute;inset:0;margin:0;inline-size:100%;block-size:100%;cursor:pointer;border-radius:calc($r2 - 3px)}
.mf-segments :checked+span{background:$bg3;color:$text;font-weight:$medium;box-shadow:inset 0 0 0 1px $control}
.mf-list{list-style:none;margin:0;padding:4px;max-block-size:230px;overflow-y:auto;border:$bw solid $control;border-radius:$r2;background:$bg}
.mf-list>li{padding:4px 8px;border-radius:$r1;min-block-size:28px;cursor:pointer}
.mf-list>li[aria-disabled]{cursor:default}
.mf-list>[aria-selected=true],.mf-list>li:not([aria-disabled]):hover{background:$bg3}
.mf-list>.mf-current{font-weight:$semibold}
.mf-tagbox{display:flex;flex-wrap:wrap;gap:4px;padding:3px 4px;cursor:text}
.mf-tagbox:has(>.mf-tag-input:focus-visible){outline:2px solid $ring;outline-offset:2px}
.mf-tags{display:contents}
.mf-tag{display:inline-flex;align-items:center;max-inline-size:100%;background:$bg3;border-radius:$r1;padding-inline-start:8px;min-block-size:26px}
.mf-tag>button,.mf-tool{background:none;border:0;padding:0;inline-size:26px;block-size:26px;flex:none;display:inline-flex;align-items:center;justify-content:center;cursor:pointer;color:$muted;border-radius:$r1}
.mf-tag>button>svg{inline-size:12px}
.mf-tool:hover{background:$bg2;color:$text}
.mf-tool:disabled{opacity:.35;cursor:default}
.mf-tag-input{flex:1 1 80px;min-inline-size:60px;border:0;background:none;color:$text;padding:0 6px;min-block-size:26px;outline:none}
.mf-card{border-block-end:$bw solid $border;padding-block-end:4px}
.mf-card-head{gap:2px}
.mf-card-toggle{flex:1;inline-size:auto;block-size:auto;justify-content:flex-start;gap:6px;min-inline-size:0;text-align:start;min-block-size:30px}
.mf-card-toggle>.mf-label{flex:none;max-inline-size:60%;color:$text}
.mf-card-summary{flex:1;min-inline-size:0;font-size:$sm;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.mf-entry{display:grid;gap:6px;grid-template-columns:minmax(80px,1fr) minmax(0,2fr) 26px;align-items:center}
.mf-entry:has(>.mg-button){grid-template-columns:minmax(80px,1fr) minmax(0,2fr)}
.mf-entry>.mg-button{justify-self:start}
.mf-entry-tall{grid-template-columns:minmax(0,1fr) 26px}
.mf-entry-tall>.mf-field{grid-row:2;grid-column:1/-1;padding-inline-start:12px;border-inline-start:2px solid $border}
.mf-more-fields>summary{font-size:$sm}
.mf-more-fields[open]>summary{margin-block-end:8px}
.mf-confirm{flex:1 1 100%;font-weight:$medium}
.mf-body .mg-linkbutton{font-size:$sm;justify-self:start}
@media(max-width:420px){.mf-card-toggle{flex-wrap:wrap}.mf-card-summary{flex-basis:100%}.mf-card-head{align-items:flex-start}}
@media(prefers-contrast:more){.mf-segments :checked+span{box-shadow:inset 0 0 0 2px $text}}
@media(forced-colors:active){.mf-segments :checked+span,.mf-list>[aria-selected=true]{forced-color-adjust:none;background:Highlight;color:HighlightText}.mf-tag{border:1px solid}}
`

const ID = "mcp-gen-ui-form-styles"

/** Adds a stylesheet, once. */
export const installSheet = (id: string, css: string): void => {
  if (document.getElementById(id) !== null) return
  const style = document.createElement("style")
  style.id = id
  style.dataset.mcpGenUi = ""
  style.textContent = css.replaceAll("\n", "").replace(/\$([a-z][\w-]*)/g, "var(--mg-$1)")
  document.head.append(style)
}

export const installFormStyles = (): void => installSheet(ID, CSS)
