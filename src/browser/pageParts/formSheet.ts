/** How the fields of `form` and `wizard` stand. */
export const formSheet = `
.mg-form{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,200px),1fr));gap:10px 12px;align-items:end}
.mg-form>.mg-toolbar,.mg-form>.mg-wide{grid-column:1/-1}
.mg-form:has(>.mg-field:not(.mg-wide,.mg-check):first-child:nth-last-child(2)){grid-template-columns:minmax(0,1fr) auto}
.mg-form>.mg-field:first-child:nth-last-child(2):not(.mg-wide,.mg-check)+.mg-toolbar{grid-column:auto}
`
