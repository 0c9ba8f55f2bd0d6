/** A ground of the theme's own with some paper in it. */
const tinted = (ground: string, share: number, color: string): string =>
  `color-mix(in oklab,var(--l-${ground}) ${100 - share}%,${color})`

/** The air of a text to read: ground, serif and a double line. Where the host has a palette, its colours stay. */
const paper = `
:root:root[data-look=paper]{--f-bg:${tinted("bg", 4, "#c8954a")};--f-page:${tinted("page", 17, "#c39a55")};--f-tint:2%;--mg-font:$serif;--mg-md:16px;--mg-r2:4px;--mg-r3:4px}
[data-look=paper] body{background-image:none}
[data-look=paper] .mg-top{border-bottom:3px double $control;padding-bottom:12px}
[data-look=paper] :is(.mg-table,.mg-badge,.mg-button,.mf-form,.mg-chip,.mg-input){font-family:$sans}`

/** Frames of what a content is, and the air of a whole view. */
export const looksSheet = `
:root{--mg-serif:ui-serif,Georgia,"Times New Roman",serif;--mg-sans:var(--font-sans,system-ui,sans-serif)}
.mg-framed{border:$bw solid $border;border-radius:$r3;overflow:hidden;background:$bg;min-width:0;box-shadow:$shadow}
.mg-frame-body{padding:18px 20px}
.mg-frame-bar{display:flex;gap:14px;align-items:center;padding:10px 14px;background:color-mix(in oklab,$text 12%,$bg);min-height:42px}
.mg-dots{display:flex;gap:6px}
.mg-dots>i{width:11px;height:11px;border-radius:50%;background:color-mix(in oklab,$text 24%,$bg)}
.mg-frame-tab{display:flex;gap:8px;align-items:center;font-size:$sm;font-weight:$semibold;background:$bg;padding:7px 16px 7px 10px;border-radius:10px 10px 0 0;margin-bottom:-10px;min-width:0;box-shadow:0 -2px 0 $accent}
.mg-favicon{flex:none;display:grid;place-items:center;width:20px;height:20px;border-radius:5px;font-size:$xs;font-weight:700}
.mg-frame-url{display:flex;gap:8px;align-items:center;margin:10px 14px 0;padding:6px 14px;border-radius:$round;background:$bg2;font:$sm $mono;color:$muted}
.mg-frame-foot{display:flex;flex-wrap:wrap;gap:8px;align-items:center;padding:10px 20px;border-top:$bw solid $border;font-size:$sm;background:$bg2}
.mg-frame-title{display:flex;flex-wrap:wrap;gap:8px;padding:18px 20px 0;font-weight:700;font-size:20px;letter-spacing:-.015em}
.mg-framed-terminal{--f-bg:#14171c;--f-fg:#e9ebf0;--f-scheme:dark;--f-ink:0%;--f-rise:4%;--f-vivid:60%;font-family:$mono;font-size:$sm;direction:ltr}
.mg-framed-terminal .mg-pre{background:none;border:0;padding:0;max-height:none}
.mg-framed-terminal .mg-code-head>span:first-child{display:none}
.mg-frame-prompt::before{content:"$ ";color:#5ec27c}
.mg-framed-paper{border-radius:3px;border:0;box-shadow:0 0 0 1px $border,0 1px 2px #0001,0 18px 36px -22px #0006;background:$bg linear-gradient(225deg,$page 15px,$border 15px 16px,transparent 17px);line-height:1.6}
.mg-framed-paper>.mg-frame-body,.mg-framed-paper>.mg-frame-title{padding-inline:clamp(20px,5vw,34px)}
${paper}
`
