/** Colours, fonts and radii are the `--mg-…` variables of the parts' stylesheet: the host's where it sends them. */
const CSS = `
.mv-view,.mv-result,.mf-open,.mf-body{display:flex;flex-direction:column;gap:12px;min-inline-size:0}
.mv-view>*{min-inline-size:0}
.mv-title{font-size:var(--mg-xl);line-height:1.3}
.mv-description,.mv-note,.mv-status,.mv-empty,.mf-summary,.mf-label,.mf-choice,.mf-rest>summary,.mf-problem,.mf-confirm{font-size:var(--mg-sm)}
.mv-description,.mv-note,.mv-status,.mv-empty,.mf-name,.mf-hint,.mf-rest>summary{color:var(--mg-muted)}
.mf-hint,.mf-error{font-size:var(--mg-xs)}
.mf-error,.mf-problem,.mf-required{color:var(--mg-danger)}
.mv-description,.mf-hint{white-space:pre-wrap;max-inline-size:80ch}
.mv-description{margin-block-start:2px}
.mv-more{background:none;border:0;padding:0 2px;min-block-size:24px;color:var(--mg-accent);cursor:pointer;font-size:inherit;text-decoration:underline;text-underline-offset:2px}
.mv-result:empty,.mv-notes:empty,.mf-problem:empty,.mf-body:has(>:empty:only-child){display:none}
.mv-note{display:flex;gap:12px;align-items:center;padding:4px 6px 4px 12px;border-radius:var(--mg-r2);background:var(--mg-bg2)}
.mv-note>p{flex:1;min-inline-size:0}
.mv-status{display:grid;gap:6px}
.mv-status:not(:has(>:not(.mg-hidden))){position:absolute}
.mv-progress{block-size:3px;border-radius:3px;background:var(--mg-bg3);overflow:hidden}
.mv-progress::after{content:"";display:block;block-size:100%;inline-size:30%;background:var(--mg-accent);animation:mv-pass 1.4s ease-in-out infinite}
@keyframes mv-pass{from{translate:-100%}to{translate:340%}}
.mv-stale{opacity:.55}
.mv-empty{padding:16px;text-align:center;border:var(--mg-bw) dashed var(--mg-border);border-radius:var(--mg-r2)}
.mf-set{border:0;padding:0}
.mf-form,.mf-field.mf-group,.mf-scroll{border:var(--mg-bw) solid var(--mg-border);border-radius:var(--mg-r2);padding:12px}
.mf-form:has(>.mf-line:not([hidden])){padding:6px 8px 6px 12px}
.mf-line,.mf-line>div,.mf-row{display:flex;gap:6px 8px;align-items:center;justify-content:flex-end}
.mf-line{flex-wrap:wrap}
.mf-line>.mf-summary{flex:1 1 160px}
.mf-summary{display:flex;flex-wrap:wrap;gap:0 14px;overflow-wrap:anywhere}
.mf-fields,.mf-choices{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,240px),1fr));gap:12px 16px}
.mf-fields>:has(>textarea),.mf-fields>fieldset,.mf-rest{grid-column:1/-1}
.mf-field,.mf-rows{display:grid;gap:4px;min-inline-size:0;margin:0;grid-template-columns:minmax(0,1fr)}
.mf-fields>.mf-field{align-content:space-between}
.mf-fields>.mf-field:has(>.mf-hint){grid-template-rows:auto 1fr auto}
.mf-label{font-weight:var(--mg-medium);padding:0}
.mf-required{margin-inline-start:3px}
.mf-input{inline-size:100%;min-block-size:34px;padding:5px 10px;border-radius:var(--mg-r2);border:var(--mg-bw) solid var(--mg-control);background:var(--mg-bg);color:var(--mg-text)}
textarea.mf-input{resize:vertical}
.mf-input::placeholder{color:var(--mg-faint);opacity:1}
.mf-input[aria-invalid]{border-color:var(--mg-danger)}
.mf-code{font-family:var(--mg-mono);font-size:var(--mg-sm)}
.mf-choice{display:flex;gap:8px;align-items:center;min-block-size:28px}
.mf-choice>input{inline-size:16px;block-size:16px;margin:0;flex:none;accent-color:var(--mg-accent)}
.mf-choices{align-items:start;gap:0 12px;grid-template-columns:repeat(auto-fill,minmax(min(100%,150px),1fr))}
.mf-scroll{max-block-size:190px;overflow-y:auto;padding:4px 8px}
.mf-row>button{flex:none}
.mf-group>legend{padding-inline:4px}
.mf-rest>summary{cursor:pointer;min-block-size:26px}
.mf-rest[open]>summary{margin-block-end:8px}
.mf-confirm{flex:1 1 100%;font-weight:var(--mg-medium)}
@media(prefers-reduced-motion:reduce){.mv-progress::after{inline-size:100%;opacity:.5}}
@media(forced-colors:active){.mv-progress::after{background:Highlight}}
`

const ID = "mcp-gen-ui-form-styles"

/** Adds the stylesheet of the form and the built-in view, once. */
export const installFormStyles = (): void => {
  if (document.getElementById(ID) !== null) return
  const style = document.createElement("style")
  style.id = ID
  style.dataset.mcpGenUi = ""
  style.textContent = CSS.replaceAll("\n", "")
  document.head.append(style)
}
