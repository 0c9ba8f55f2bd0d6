/** A ground of the theme's own with some of another colour in it. */
const tinted = (ground: string, share: number, color: string): string =>
  `color-mix(in oklab,var(--l-${ground}) ${100 - share}%,${color})`

const lines = (gap: number, share: number): string => {
  const line = `color-mix(in oklab,$accent ${share}%,transparent) 1px,transparent 1px`
  return `background-image:linear-gradient(${line}),linear-gradient(90deg,${line});background-size:${gap}px ${gap}px;background-repeat:repeat`
}

/** The air of a whole view: ground, ink, voice and lines. Where the host has a palette, its colours stay. */
const looks: Readonly<
  Record<string, { readonly ground: string; readonly rules?: ReadonlyArray<readonly [string, string]> }>
> = {
  paper: {
    ground: `--f-bg:${tinted("bg", 4, "#c8954a")};--f-page:${tinted("page", 17, "#c39a55")};--f-tint:2%;--mg-font:$serif;--mg-md:16px;--mg-r2:4px;--mg-r3:4px`,
    rules: [
      ["body", "background-image:none"],
      [".mg-top", "border-bottom:3px double $control;padding-bottom:12px"],
      [".mg-title", "font-weight:600;letter-spacing:-.01em"],
      [":is(.mg-table,.mg-badge,.mg-button,.mf-form,.mg-chip,.mg-input)", "font-family:$sans"]
    ]
  },
  graph: {
    ground: `--f-page:${tinted("page", 3, "#2f6fb5")}`,
    rules: [
      ["body", lines(18, 6)],
      [
        ":is(.mg-card,.mg-stats,.mg-scroll,.mg-framed-paper,.mg-framed-browser,.mg-chart)",
        "border:1.5px solid $accent;border-radius:4px;box-shadow:none"
      ],
      [".mg-chart", "background:$bg;padding:12px"]
    ]
  },
  blueprint: {
    ground: `--f-bg:${tinted("bg", 4, "#2f6fe0")};--f-page:${tinted("page", 12, "#2f6fe0")};--mg-hue:#1f5fd6!important;--mg-r2:2px;--mg-r3:2px`,
    rules: [
      ["body", lines(20, 6)],
      [".mg-title", "font-family:$mono;letter-spacing:-.04em"],
      [
        ":is(.mg-card,.mg-stats,.mg-scroll,.mg-framed-paper,.mg-framed-browser)",
        "border:1.5px solid $accent;box-shadow:none"
      ]
    ]
  }
}

const looksCss = Object.entries(looks)
  .map(
    ([name, { ground, rules = [] }]) =>
      `:root:root[data-look=${name}]{${ground}}${rules.map(([what, rule]) => `[data-look=${name}] ${what}{${rule}}`).join("")}`
  )
  .join("\n")

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
.mg-framed-folder{background:none;border:0;overflow:visible;box-shadow:none}
.mg-frame-flap{display:inline-flex;gap:8px;align-items:center;padding:8px 36px 6px 16px;border-radius:$r3 $r3 0 0;clip-path:polygon(0 0,calc(100% - 20px) 0,100% 100%,0 100%);font-weight:700;background:$accent-bg;box-shadow:inset 0 3px $accent}
.mg-framed-folder>:not(.mg-frame-flap){background:$bg;border:$bw solid $accent-line}
.mg-framed-folder>.mg-frame-body{border-start-end-radius:$r3}
.mg-framed-folder>.mg-frame-body+.mg-frame-foot{border-top:0}
.mg-framed-card{position:relative;overflow:visible;margin-top:14px;border:0;border-radius:5px;background:color-mix(in oklab,$bg 93%,#e3b04b);box-shadow:0 0 0 1px $border,0 16px 30px -20px #0007}
.mg-framed-card>.mg-frame-body{padding:26px 24px 18px}
.mg-frame-label{position:absolute;top:-14px;left:50%;translate:-50%;max-width:80%;padding:3px 18px;background:$bg;border:3px solid #a9843f;border-radius:4px;font:700 $sm $mono;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.mg-framed-card .mg-detail-row,.mg-framed-card li{border-bottom:1px solid color-mix(in oklab,#3f7fd0 34%,transparent)}
.mg-framed-card .mg-detail{border-top:2px solid color-mix(in oklab,#d43c3c 65%,$bg)}
.mg-framed-card dd{font-family:$mono}
${looksCss}
`
