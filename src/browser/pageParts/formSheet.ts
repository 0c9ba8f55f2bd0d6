/** How the fields of `form` and `wizard` stand. */
export const formSheet = `
.mg-form{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,200px),1fr));gap:10px 12px;align-items:end}
.mg-form>.mg-toolbar,.mg-form>.mg-wide{grid-column:1/-1}
`
