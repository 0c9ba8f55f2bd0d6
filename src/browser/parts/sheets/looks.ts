import { tones } from "./tokens.ts"

/** A ground of the theme's own with some of another colour in it. */
const tinted = (ground: string, share: number, color: string): string =>
  `color-mix(in oklab,var(--l-${ground}) ${100 - share}%,${color})`

/** A ground that is the same in light and dark. */
const fixed = (surface: string, page: string, ink: string): string =>
  `--f-bg:${surface};--f-page:${page};--f-fg:${ink};--f-scheme:dark;--f-rise:0%;--f-ink:0%;--f-tint:0%;--f-vivid:60%;--f-heat:19%;`

const lines = (gap: number, share: number): string => {
  const line = `color-mix(in oklab,$accent ${share}%,transparent) 1px,transparent 1px`
  return `background-image:linear-gradient(${line}),linear-gradient(90deg,${line});background-size:${gap}px ${gap}px;background-repeat:repeat`
}

const dot = (at: string, size: number): string =>
  `radial-gradient(circle at ${at},#fff ${size}px,transparent ${size + 0.6}px)`

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
      ["body", lines(18, 11)],
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
      ["body", lines(20, 11)],
      [".mg-title", "font-family:$mono;letter-spacing:-.04em"],
      [
        ":is(.mg-card,.mg-stats,.mg-scroll,.mg-framed-paper,.mg-framed-browser)",
        "border:1.5px solid $accent;box-shadow:none"
      ]
    ]
  },
  night: {
    ground: `${fixed("#1c1f42", "#11132c", "#f4f2ff")}--mg-hue:#ffcf70!important`,
    rules: [
      [
        "body",
        `background-image:${[dot("12% 40px", 1), dot("31% 110px", 0.7), dot("47% 30px", 0.8), dot("66% 150px", 1), dot("82% 60px", 1.3), dot("93% 190px", 0.8), dot("22% 230px", 0.8)].join(",")},radial-gradient(120% 360px at 80% 0,#34388a,transparent)`
      ],
      [".mg-title", "font-family:$serif;font-style:italic;font-weight:500"]
    ]
  },
  poster: {
    ground: `${fixed("color-mix(in oklab,var(--mg-hue) 66%,#000)", "color-mix(in oklab,var(--mg-hue) 78%,#000)", "#fff")}--f-tone:12%;--f-hush:92%;--mg-accent:$text;--mg-solid:#fff;--mg-on-solid:$page`,
    rules: [
      [".mg-title", "font-size:clamp(32px,9.5vw,58px);font-weight:800;line-height:1;letter-spacing:-.035em"],
      [".mg-header p", "font-size:17px"],
      [".mg-head-mark", "background:none;color:$text"]
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
.mg-framed-folder,.mg-framed-ticket{background:none;border:0;overflow:visible;box-shadow:none}
.mg-frame-flap{display:inline-flex;gap:8px;align-items:center;padding:9px 40px 7px 18px;border-radius:$r3 $r3 0 0;clip-path:polygon(0 0,calc(100% - 22px) 0,100% 100%,0 100%);font-weight:700;font-size:$md}
.mg-framed-folder>.mg-frame-body{border:12px solid var(--mg-solid);border-bottom-width:0;border-start-end-radius:$r3;background:$bg}
.mg-framed-folder>.mg-frame-body:last-child{border-bottom-width:12px;border-end-start-radius:$r3;border-end-end-radius:$r3}
.mg-framed-folder>.mg-frame-foot{border:0;border-radius:0 0 $r3 $r3;padding:12px 20px}
.mg-framed-folder .mg-frame-foot .mg-button{background:none}
.mg-framed-card{position:relative;overflow:visible;margin-top:14px;border:0;border-radius:5px;background:color-mix(in oklab,$bg 93%,#e3b04b);box-shadow:0 0 0 1px $border,0 16px 30px -20px #0007}
.mg-framed-card>.mg-frame-body{padding:26px 24px 18px}
.mg-frame-label{position:absolute;top:-14px;left:50%;translate:-50%;max-width:80%;padding:3px 18px;background:$bg;border:3px solid #a9843f;border-radius:4px;font:700 $sm $mono;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.mg-framed-card .mg-detail-row,.mg-framed-card li{border-bottom:1px solid color-mix(in oklab,#3f7fd0 34%,transparent)}
.mg-framed-card .mg-detail{border-top:2px solid color-mix(in oklab,#d43c3c 65%,$bg)}
.mg-framed-card dd{font-family:$mono}
.mg-framed>.mg-stamp{position:absolute;z-index:2;inset-inline-end:22px;top:24px;font-size:$lg;margin:0}
.mg-framed-folder>.mg-stamp{top:66px;inset-inline-end:34px}
.mg-framed:has(>.mg-stamp){position:relative}
.mg-framed-ticket{display:grid;grid-template-columns:minmax(104px,auto) minmax(0,1fr);filter:drop-shadow(0 12px 18px #0002)}
.mg-frame-stub{display:grid;place-content:center;justify-items:center;gap:6px;padding:20px;border-radius:$r3 0 0 $r3;font-size:$sm;text-align:center;mask:radial-gradient(circle 9px at 100% 0,#0000 98%,#000) 0 0/100% 51% no-repeat,radial-gradient(circle 9px at 100% 100%,#0000 98%,#000) 0 100%/100% 51% no-repeat}
.mg-frame-stub>b{line-height:1;letter-spacing:-.03em}
.mg-framed-ticket>.mg-frame-body{background:$bg;border-inline-start:2px dashed $border;border-radius:0 $r3 $r3 0;min-height:120px;align-content:center;justify-content:center}
.mg-framed-ticket>.mg-frame-foot{grid-column:1/-1;border:0;background:none}
@media(max-width:440px){.mg-framed-ticket{grid-template-columns:minmax(0,1fr)}.mg-frame-stub{justify-content:start;justify-items:start;border-radius:$r3 $r3 0 0;mask:none;padding:16px 20px}.mg-framed-ticket>.mg-frame-body{border-radius:0 0 $r3 $r3;border-inline-start:0;border-top:2px dashed $border}}
.mg-stamp{transform:rotate(-5deg);border:2.5px solid currentColor;border-radius:7px;background:$bg;color:$accent;padding:4px 14px;font-size:$md;font-weight:800;letter-spacing:.06em;text-transform:uppercase;outline:1px solid currentColor;outline-offset:3px;margin:6px;align-self:flex-start;flex:none}
${tones.map((tone) => `.mg-stamp.mg-${tone}{background:$bg;color:$${tone}}`).join("")}
${looksCss}
`
