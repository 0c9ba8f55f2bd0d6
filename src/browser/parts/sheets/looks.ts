/** A ground of the theme's own with some paper in it. */
const tinted = (ground: string, share: number, color: string): string =>
  `color-mix(in oklab,var(--l-${ground}) ${100 - share}%,${color})`

/** The air of a text to read: ground, serif and a double line. Where the host has a palette, its colours stay. */
const paper = `
:root:root[data-look=paper]{--f-bg:${tinted("bg", 4, "#c8954a")};--f-page:${tinted("page", 17, "#c39a55")};--f-tint:2%;--mg-font:$serif;--mg-md:16px;--mg-r2:4px;--mg-r3:4px}
[data-look=paper] .mg-top{border-bottom:3px double $control;padding-bottom:12px}
[data-look=paper] :is(.mg-table,.mg-badge,.mg-button,.mf-form,.mg-chip,.mg-input){font-family:$sans}`

/** Frames of what a content is, and the air of a whole view. */
export const looksSheet = `
:root{--mg-serif:ui-serif,Georgia,"Times New Roman",serif;--mg-sans:var(--font-sans,system-ui,sans-serif)}
${paper}
`
