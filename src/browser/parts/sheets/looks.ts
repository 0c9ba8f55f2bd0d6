import { tones } from "./tokens.ts"

const serif = 'ui-serif,Georgia,"Times New Roman",serif'

/** Frames of what a content is, and the air of a whole view. */
export const looks = `
.mg-framed{border:$bw solid $border;border-radius:$r3;overflow:hidden;background:$bg;min-width:0}
.mg-frame-body{padding:16px 18px}
.mg-frame-bar{display:flex;gap:14px;align-items:center;padding:8px 14px;background:$bg3;min-height:38px}
.mg-dots{display:flex;gap:6px}
.mg-dots>i{width:10px;height:10px;border-radius:50%;background:color-mix(in oklab,$text 22%,$bg)}
.mg-frame-tab{font-size:$sm;font-weight:$medium;background:$bg;padding:6px 14px;border-radius:$r2 $r2 0 0;margin-bottom:-8px;min-width:0}
.mg-frame-url{display:flex;gap:8px;align-items:center;margin:8px 12px;padding:5px 14px;border-radius:$round;background:$bg2;font:$xs $mono;color:$muted}
.mg-frame-foot{display:flex;flex-wrap:wrap;gap:8px;align-items:center;padding:8px 18px;border-top:$bw solid $border;font-size:$sm}
.mg-frame-title{display:flex;flex-wrap:wrap;gap:8px;padding:16px 18px 0;font-weight:$semibold;font-size:$lg}
.mg-framed-terminal{--mg-bg:#15171c;--mg-text:#e8e8ec;--mg-muted:#a3a7b3;--mg-border:#34373f;--mg-bg2:#1d2027;--mg-bg3:#23262e;background:$bg;color:$text;font-family:$mono;font-size:$sm;direction:ltr}
.mg-framed-terminal .mg-pre{background:none;padding:0;max-height:none}
.mg-framed-terminal .mg-code-head>span:first-child{display:none}
.mg-frame-prompt::before{content:"$ ";color:#5ec27c}
.mg-framed-paper{box-shadow:0 1px 2px #0001,0 10px 26px -14px #0004;border-radius:3px}
.mg-framed-folder,.mg-framed-ticket{background:none;border:0;overflow:visible}
.mg-frame-flap{display:inline-flex;gap:6px;align-items:center;padding:6px 16px;border-radius:$r3 $r3 0 0;background:$accent;color:$bg;font-weight:$semibold;font-size:$sm}
.mg-framed-folder>.mg-frame-body{border:2px solid $accent;border-radius:0 $r3 $r3 $r3;background:$bg}
.mg-framed-folder>.mg-frame-foot{border:0;padding-inline:2px}
.mg-framed-ticket{display:grid;grid-template-columns:minmax(84px,auto) minmax(0,1fr);filter:drop-shadow(0 6px 14px #0002)}
.mg-frame-stub{display:grid;place-content:center;justify-items:center;gap:4px;padding:18px;background:$accent;color:$bg;border-radius:$r3 0 0 $r3;border-inline-end:2px dashed $bg;font-size:$lg;text-align:center}
.mg-frame-stub>b{font-size:clamp(20px,5vw,32px);line-height:1.1}
.mg-framed-ticket>.mg-frame-body{background:$bg;border:$bw solid $border;border-inline-start:0;border-radius:0 $r3 $r3 0}
.mg-framed-ticket>.mg-frame-foot{grid-column:1/-1;border:0}
.mg-stamp{transform:rotate(-4deg);border:2px solid currentColor;border-radius:6px;background:none;padding:2px 12px;font-weight:700;letter-spacing:.04em;text-transform:uppercase;outline:1px solid currentColor;outline-offset:2px}
${tones.map((tone) => `.mg-stamp.mg-${tone}{background:none}`).join("")}
[data-look]{--k:0%}
[data-look=paper],[data-look=ledger]{--mg-bg:var(--h-bg,color-mix(in oklab,var(--f-bg) 96.5%,#c9a96a));}
[data-look=paper]{--mg-font:var(--font-serif,${serif})}
[data-look=paper] :is(.mg-table,.mg-badge,.mg-button,.mf-form,.mg-facts,.mg-stat-label,.mg-chip){font-family:var(--font-sans,system-ui,sans-serif)}
[data-look=ledger] body{background-image:repeating-linear-gradient(transparent 0 27px,color-mix(in oklab,$accent 9%,transparent) 27px 28px)}
[data-look=blueprint]{--mg-hue:#2563eb;--mg-bg:var(--h-bg,color-mix(in oklab,var(--f-bg) 95%,#3b82f6))}
[data-look=blueprint] body{background-image:linear-gradient(color-mix(in oklab,$accent 8%,transparent) 1px,transparent 1px),linear-gradient(90deg,color-mix(in oklab,$accent 8%,transparent) 1px,transparent 1px);background-size:16px 16px}
[data-look=blueprint] :is(.mg-hero,.mg-card,.mg-stats,.mg-scroll,.mg-framed){background:$bg;border:1.5px solid $accent;border-radius:2px}
[data-look=night]{--f-bg:#12141c;--f-fg:#f2f3f7;--f-scheme:dark;--mg-bg:var(--f-bg);--mg-text:var(--f-fg)}
`
