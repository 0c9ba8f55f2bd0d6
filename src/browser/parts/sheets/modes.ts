/** Narrow pages, reduced motion, high contrast and forced colours. Last, so that they win. */
export const modes = `
@media(max-width:480px){.mg-head-mark{display:none}}
@media(max-width:420px){body{padding:14px}.mg-detail-row{grid-template-columns:minmax(0,1fr)}.mg-table th,.mg-table td{padding-inline:8px}}
@media(prefers-reduced-motion:reduce){*,::before,::after{animation-duration:0s!important;animation-iteration-count:1!important;transition:none!important}}
@media(prefers-contrast:more){:root{--mg-muted:$text;--mg-faint:$text;--mg-disabled:$text;--mg-border:$control;--mg-border2:$text;--mg-control:$text}}
@media(forced-colors:active){.mg-heat .mg-hot{color:$text}.mg-own,.mg-solid{--f-bg:Canvas;--f-fg:CanvasText;--mg-muted:$text;border:1px solid}.mg-badge,.mg-status,.mg-error,.mg-stat,.mg-meter-bar,.mg-input{border:1px solid}.mg-meter-fill,.mg-legend i{forced-color-adjust:none;background:Highlight}.mg-legend i,.mg-mark,.mg-line,.mg-area,.mg-dot{forced-color-adjust:none}.mg-legend i{background:var(--c)}.mg-tab{border-color:Canvas}.mg-tab[aria-selected=true]{border-color:Highlight}.mg-chip[aria-pressed=true],.mg-button-primary:enabled{forced-color-adjust:none;border-color:Highlight;background:Highlight;color:HighlightText}}
`
