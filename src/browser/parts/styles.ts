import { h } from "./dom.ts"

/*
 * Every colour, font and radius is the host's variable where it sends one (MCP Apps 2026-01-26, "Theming"), else our own, for
 * light and for dark. `--mg-…` are the names that views may use; in the sheet `$name` stands for `var(--mg-name)`.
 */

const light =
  "--f-bg:#fff;--f-bg2:#f6f6f7;--f-bg3:#ececee;--f-fg:#1a1a1e;--f-fg2:#54545c;--f-fg3:#64646d;--f-line:#e0e0e4;--f-line2:#8a8a93;--f-inv:#1f1f24;--f-oninv:#fff;" +
  "--f-info:#1b5fc1;--f-infobg:#e8f0fd;--f-success:#1b6e3c;--f-successbg:#e5f4ea;--f-warning:#855000;--f-warningbg:#fcf1da;--f-danger:#b3261e;--f-dangerbg:#fdecea;" +
  "--mg-1:#2f74d6;--mg-2:#d2691e;--mg-3:#2e8b57;--mg-4:#a855b5;--mg-5:#b8860b;--mg-6:#d1495b;--mg-7:#3a8f9c;--mg-8:#7a7a85;"

const dark =
  "--f-bg:#1c1c1f;--f-bg2:#26262a;--f-bg3:#333339;--f-fg:#f1f1f3;--f-fg2:#b9b9c2;--f-fg3:#a3a3ad;--f-line:#3a3a41;--f-line2:#7d7d88;--f-inv:#f1f1f3;--f-oninv:#1c1c1f;" +
  "--f-info:#8db8fb;--f-infobg:#1d2c45;--f-success:#7fd09c;--f-successbg:#18301f;--f-warning:#ecb95c;--f-warningbg:#362a12;--f-danger:#ff9d94;--f-dangerbg:#401d1b;" +
  "--mg-1:#6aa5f4;--mg-2:#f0935a;--mg-3:#5fc08a;--mg-4:#cd8ad8;--mg-5:#d9b04a;--mg-6:#f07f8e;--mg-7:#62bccb;--mg-8:#9d9da8;"

const tones = ["info", "success", "warning", "danger"]

const names = `
--mg-bg:var(--color-background-primary,var(--f-bg));
--mg-bg2:var(--color-background-secondary,var(--f-bg2));
--mg-bg3:var(--color-background-tertiary,var(--f-bg3));
--mg-text:var(--color-text-primary,var(--f-fg));
--mg-muted:var(--color-text-secondary,var(--f-fg2));
--mg-faint:var(--color-text-tertiary,var(--f-fg3));
--mg-disabled:var(--color-text-disabled,var(--f-fg3));
--mg-border:var(--color-border-secondary,var(--color-border-primary,var(--f-line)));
--mg-border2:var(--color-border-primary,var(--f-line2));
--mg-control:var(--f-line2);
--mg-inverse:var(--color-background-inverse,var(--f-inv));
--mg-on-inverse:var(--color-text-inverse,var(--f-oninv));
--mg-accent:var(--color-text-info,var(--f-info));
--mg-ring:var(--color-ring-primary,var(--mg-accent));
--mg-font:var(--font-sans,system-ui,-apple-system,"Segoe UI",Roboto,sans-serif);
--mg-mono:var(--font-mono,ui-monospace,SFMono-Regular,Menlo,Consolas,monospace);
--mg-xs:var(--font-text-xs-size,12px);
--mg-sm:var(--font-text-sm-size,13px);
--mg-md:var(--font-text-md-size,14px);
--mg-lg:var(--font-heading-sm-size,16px);
--mg-xl:var(--font-heading-md-size,18px);
--mg-2xl:var(--font-heading-lg-size,22px);
--mg-lh:var(--font-text-md-line-height,1.5);
--mg-medium:var(--font-weight-medium,500);
--mg-semibold:var(--font-weight-semibold,600);
--mg-r1:var(--border-radius-sm,5px);
--mg-r2:var(--border-radius-md,8px);
--mg-round:var(--border-radius-full,999px);
--mg-bw:var(--border-width-regular,1px);
--mg-shadow:var(--shadow-sm,none);
${tones.map((tone) => `--mg-${tone}:var(--color-text-${tone},var(--f-${tone}));--mg-${tone}-bg:var(--color-background-${tone},var(--f-${tone}bg));--mg-${tone}-line:var(--color-border-${tone},var(--mg-${tone}));`).join("\n")}`

const sheet = `
:root{${light}${names}}
@media(prefers-color-scheme:dark){:root:not([data-theme]){${dark}}}
:root[data-theme=dark]{${dark}}
*,::before,::after{box-sizing:border-box}
[hidden]{display:none!important}
body{margin:0;padding:16px;background:$bg;color:$text;font:var(--font-weight-normal,400) $md/$lh $font;overflow-wrap:anywhere;-webkit-text-size-adjust:100%;text-size-adjust:100%}
:where(p,h1,h2,h3,h4,h5,h6,ul,ol,dl,dd,figure,pre,blockquote){margin:0}
:where(button,input,select,textarea){font:inherit;color:inherit;max-width:100%}
:where(h1,h2,h3,h4,h5,h6){font-size:$md;font-weight:$semibold;line-height:1.35}
:focus-visible{outline:2px solid $ring;outline-offset:2px;border-radius:$r1}
.mg-content:focus{outline:none}
code,pre{font-family:$mono;font-size:.92em}
.mg-stack{display:flex;flex-direction:column;gap:12px;min-width:0}
.mg-stack>*{min-width:0;max-width:100%}
.mg-stack:empty{display:none}
.mg-app{gap:14px}
.mg-row{display:flex;flex-wrap:wrap;gap:12px;align-items:flex-start}
.mg-row>*{min-width:0;max-width:100%}
.mg-equal>*{flex:1 1 200px}
.mg-toolbar,.mg-actions,.mg-badges,.mg-chips,.mg-pager{display:flex;flex-wrap:wrap;gap:8px;align-items:center}
.mg-badges{display:inline-flex;gap:4px;vertical-align:middle}
.mg-grow{flex:1 1 auto;min-width:0}
.mg-hidden{position:absolute;width:1px;height:1px;margin:-1px;padding:0;overflow:hidden;clip-path:inset(50%);white-space:nowrap;border:0}
.mg-muted,.mg-subtitle,.mg-no{color:$muted}
.mg-strong{font-weight:$semibold}
.mg-small{font-size:$sm}
.mg-large{font-size:$lg}
.mg-text,.mg-lines,.mg-message{white-space:pre-wrap}
.mg-icon{flex:none;fill:none;stroke:currentColor;stroke-width:1.5;stroke-linecap:round;stroke-linejoin:round}
.mg-header{display:flex;flex-wrap:wrap;gap:8px 16px;align-items:flex-start}
.mg-header>.mg-grow{flex-basis:200px}
.mg-title{font-size:$xl;line-height:1.3;display:flex;flex-wrap:wrap;gap:4px 8px;align-items:center}
.mg-subtitle{margin-top:2px}
.mg-heading{font-size:$md;font-weight:$semibold;display:flex;flex-wrap:wrap;gap:8px;align-items:center}
.mg-section{display:flex;flex-direction:column;gap:8px;min-width:0}
.mg-section-head{display:flex;flex-wrap:wrap;gap:8px;align-items:center;justify-content:space-between}
.mg-link{color:$accent;text-decoration:underline;text-underline-offset:2px;text-decoration-thickness:1px}
.mg-linkbutton{background:none;border:0;padding:0;text-align:start;color:$accent;cursor:pointer;text-decoration:underline;text-underline-offset:2px;text-decoration-thickness:1px;min-height:24px}
.mg-badge{display:inline-block;padding:0 8px;border-radius:$round;font-size:$xs;line-height:20px;font-weight:$medium;background:$bg3;color:$text;border:$bw solid transparent;max-width:100%}
${tones.map((tone) => `.mg-${tone}{background:$${tone}-bg;color:$${tone}}.mg-tone-${tone}{color:$${tone}}.mg-fill-${tone}{background:$${tone}}`).join("\n")}
.mg-status.mg-neutral{background:$bg2;color:$muted}
.mg-fill-neutral{background:$muted}
.mg-yes{color:$success}
.mg-yes,.mg-no{display:inline-flex;gap:4px;align-items:center}
.mg-status,.mg-error{display:flex;gap:8px;padding:8px 12px;border-radius:$r2;align-items:flex-start}
.mg-error{padding:12px}
.mg-status>.mg-icon,.mg-error>.mg-icon{margin-top:2px}
.mg-error .mg-message,.mg-error .mg-disclosure,.mg-error .mg-pre{color:$text}
.mg-error .mg-stack{gap:8px}
.mg-empty{padding:20px 12px;text-align:center;color:$muted;border:$bw dashed $border;border-radius:$r2}
.mg-button{display:inline-flex;gap:6px;align-items:center;justify-content:center;min-height:34px;padding:4px 14px;border-radius:$r2;border:$bw solid $border2;background:$bg;color:$text;font-weight:$medium;line-height:1.3;cursor:pointer}
.mg-button:hover{background:$bg2}
.mg-button.mg-small{min-height:28px;padding:2px 10px}
.mg-button-primary{background:$inverse;border-color:$inverse;color:$on-inverse}
.mg-button-primary:hover{background:$inverse;opacity:.88}
.mg-button-danger{color:$danger;border-color:$danger-line}
.mg-button-plain{border-color:transparent;background:none;color:$muted}
.mg-button:disabled{cursor:not-allowed;color:$disabled;border-color:$border;background:$bg2}
.mg-button[aria-busy=true]{cursor:progress}
.mg-button[aria-busy=true]::before{content:"";width:12px;height:12px;border-radius:50%;border:2px solid currentColor;border-top-color:transparent;animation:mg-turn .8s linear infinite}
@keyframes mg-turn{to{transform:rotate(1turn)}}
.mg-button-error{color:$danger;font-size:$sm}
.mg-chip{min-height:28px;padding:2px 12px;border-radius:$round;border:$bw solid $border2;background:none;font-size:$sm;cursor:pointer}
.mg-chip[aria-pressed=true]{background:$inverse;border-color:$inverse;color:$on-inverse}
.mg-input{min-height:34px;padding:4px 10px;border-radius:$r2;border:$bw solid $control;background:$bg;color:$text}
.mg-input::placeholder{color:$faint;opacity:1}
.mg-filter{min-height:30px;width:200px;font-size:$sm;margin-inline-start:auto}
.mg-disclosure>summary{display:inline-flex;gap:6px;align-items:center;cursor:pointer;list-style:none;border-radius:$r1;min-height:26px;color:$muted}
.mg-disclosure>summary::-webkit-details-marker{display:none}
.mg-disclosure>summary>.mg-icon,.mg-expand>.mg-icon{transition:transform .12s;width:14px}
.mg-disclosure[open]>summary>.mg-icon,.mg-expand[aria-expanded=true]>.mg-icon{transform:rotate(90deg)}
.mg-disclosure>summary:dir(rtl)>.mg-icon{scale:-1 1}
.mg-disclosure>summary .mg-heading{color:$text}
.mg-disclosed{margin-top:6px}
.mg-tablist{display:flex;gap:2px;overflow-x:auto;border-bottom:$bw solid $border;margin-bottom:12px}
.mg-tab{background:none;border:0;border-bottom:2px solid transparent;padding:6px 12px;color:$muted;cursor:pointer;white-space:nowrap;font-size:$sm;font-weight:$medium}
.mg-tab:focus-visible{outline-offset:-2px}
.mg-tab[aria-selected=true]{color:$text;border-color:$accent}
.mg-stats{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,118px),1fr));gap:8px}
.mg-stat,.mg-card{padding:10px 12px;border-radius:$r2;background:$bg2;min-width:0}
.mg-stat-label,.mg-stat-note,.mg-item-meta{font-size:$xs;color:$muted}
.mg-stat-value{font-size:$xl;font-weight:$semibold;line-height:1.3;font-variant-numeric:tabular-nums}
.mg-scalar{font-size:$2xl;font-weight:$semibold;line-height:1.3}
.mg-detail{display:block}
.mg-detail-row{display:grid;grid-template-columns:minmax(90px,min(28%,180px)) minmax(0,1fr);gap:2px 16px;padding:5px 0;border-bottom:$bw solid $border}
.mg-detail-row:last-child{border:0}
.mg-detail dt{color:$muted;font-size:$sm}
.mg-detail dd{white-space:pre-wrap}
.mg-cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,220px),1fr));gap:10px}
.mg-card{display:flex;flex-direction:column;gap:6px;background:$bg;border:$bw solid $border;box-shadow:$shadow}
.mg-card-head,.mg-item{display:flex;gap:8px;align-items:flex-start;justify-content:space-between}
.mg-card-head{flex-wrap:wrap}
.mg-card-title{font-weight:$semibold}
.mg-card-text,.mg-item-text{color:$muted;font-size:$sm;white-space:pre-wrap}
.mg-card .mg-toolbar{margin-top:auto}
.mg-card-image{width:100%;height:120px;object-fit:cover;border-radius:$r1}
.mg-list{padding:0;list-style:none}
ol.mg-list,.mg-list-plain{padding-inline-start:22px;list-style:revert}
.mg-list:not(.mg-list-plain)>li{padding:7px 0;border-bottom:$bw solid $border}
.mg-list:not(.mg-list-plain)>li:last-child{border:0}
.mg-item-title{font-weight:$medium;display:flex;flex-wrap:wrap;gap:2px 8px;align-items:center}
.mg-item>.mg-item-meta{flex:0 1 auto;text-align:end;line-height:21px}
.mg-timeline{padding:0;list-style:none;border-inline-start:2px solid $border;margin-inline-start:5px}
.mg-timeline>li{position:relative;padding:0 0 14px;padding-inline-start:18px}
.mg-timeline>li:last-child{padding-bottom:0}
.mg-timeline>li::before{content:"";position:absolute;inset-inline-start:-6px;top:5px;width:10px;height:10px;border-radius:50%;background:$accent;border:2px solid $bg}
.mg-tree .mg-disclosed{gap:2px;margin:0;padding-inline-start:18px;border-inline-start:$bw solid $border;margin-inline-start:6px}
.mg-tree-leaf{padding-inline-start:20px;display:flex;flex-wrap:wrap;gap:0 10px;min-height:24px;align-items:center}
.mg-tree-leaf>.mg-tree-name{color:$muted}
.mg-tree summary .mg-tree-name{color:$text}
.mg-table-block{display:flex;flex-direction:column;gap:8px;min-width:0}
.mg-table-head,.mg-table-foot{display:flex;flex-wrap:wrap;gap:8px;align-items:center;justify-content:space-between;font-size:$sm}
.mg-scroll{overflow-x:auto;border:$bw solid $border;border-radius:$r2;max-width:100%}
.mg-table{border-collapse:collapse;width:100%;font-size:$sm;overflow-wrap:break-word}
.mg-table th,.mg-table td{padding:6px 12px;text-align:start;vertical-align:top;border-bottom:$bw solid $border}
.mg-table tbody tr:last-child>td,.mg-table tbody tr:has(+.mg-more[hidden]:last-child)>td{border-bottom:0}
.mg-table thead th{background:$bg2;color:$muted;font-weight:$medium;white-space:nowrap}
.mg-table .mg-end{text-align:end;font-variant-numeric:tabular-nums}
.mg-table .mg-center{text-align:center}
.mg-table .mg-expand-cell{padding-inline:6px 0;width:30px}
.mg-sort{background:none;border:0;padding:0;display:inline-flex;gap:4px;align-items:center;cursor:pointer;font-weight:inherit;color:inherit;min-height:24px}
.mg-end .mg-sort{flex-direction:row-reverse}
.mg-sort-mark{display:inline-flex;opacity:0}
.mg-sort-mark>.mg-icon{width:12px;height:12px}
.mg-sort:hover .mg-sort-mark,.mg-sort:focus-visible .mg-sort-mark,[aria-sort] .mg-sort-mark{opacity:1}
[aria-sort]{color:$text!important}
.mg-cell{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:3;overflow:hidden;max-width:28em;width:max-content}
.mg-end .mg-cell{margin-inline-start:auto}
td:has(.mg-meter) .mg-cell{width:140px}
.mg-expand{background:none;border:0;padding:0;width:24px;height:24px;display:inline-flex;align-items:center;justify-content:center;cursor:pointer;color:$muted}
.mg-more>td{background:$bg2}
.mg-thumb{height:36px;max-width:72px;object-fit:cover;border-radius:$r1;display:block}
.mg-swatch{display:inline-flex;gap:6px;align-items:center}
.mg-swatch>i{width:14px;height:14px;border-radius:3px;border:$bw solid $border2}
.mg-meter{display:flex;gap:8px;align-items:center;min-width:80px}
.mg-meter-bar{flex:1;height:6px;border-radius:$round;background:$bg3;overflow:hidden}
.mg-meter-fill{display:block;height:100%;border-radius:inherit}
.mg-meter-text{font-size:$xs;color:$muted;font-variant-numeric:tabular-nums}
.mg-chart{display:flex;flex-direction:column;gap:6px;min-width:0}
.mg-plot{overflow:hidden;width:100%}
.mg-chart svg{display:block;max-width:100%}
${Array.from({ length: 8 }, (_, index) => `.mg-s${index}{--c:$${index + 1}}`).join("")}
.mg-grid{stroke:$border;stroke-width:1}
.mg-axis{stroke:$control;stroke-width:1}
.mg-tick{fill:$muted;font-size:11px;font-family:$font;font-variant-numeric:tabular-nums}
.mg-line{fill:none;stroke:var(--c);stroke-width:2;stroke-linejoin:round;stroke-linecap:round}
.mg-area{fill:var(--c);opacity:.18}
.mg-mark,.mg-dot{fill:var(--c)}
.mg-dot{stroke:$bg;stroke-width:1}
.mg-dot-quiet{opacity:0}
.mg-mark:hover,.mg-dot:hover{opacity:.8}
.mg-slice{stroke:$bg;stroke-width:1}
.mg-pie{width:150px;height:150px;flex:none}
.mg-pie-row{align-items:center;gap:20px}
.mg-spark{width:auto;vertical-align:middle}
.mg-legend{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:2px 14px;font-size:$xs}
.mg-legend li{display:flex;gap:6px;align-items:center}
.mg-legend i{flex:none;width:10px;height:10px;border-radius:3px;background:var(--c)}
.mg-legend-stack{flex:1 1 180px;flex-direction:column;gap:5px;font-size:$sm}
.mg-hbars{list-style:none;padding:0;display:grid;gap:6px;font-size:$sm}
.mg-hbars li{display:grid;grid-template-columns:minmax(60px,32%) minmax(0,1fr) auto;gap:10px;align-items:center}
.mg-hbar-track{height:14px}
.mg-hbar{display:block;height:100%;border-radius:3px;background:var(--c);min-width:1px}
.mg-hbar-value{font-variant-numeric:tabular-nums}
.mg-pre{margin:0;padding:10px 12px;background:$bg2;border-radius:$r2;overflow:auto;max-height:420px;white-space:pre;line-height:1.5;font-size:$xs;tab-size:2;overflow-wrap:normal}
.mg-wrap{white-space:pre-wrap;overflow-wrap:anywhere}
.mg-code-head{display:flex;align-items:center;font-size:$xs;color:$muted}
.mg-added{color:$success}
.mg-removed{color:$danger}
.mg-image{max-width:100%;height:auto;border-radius:$r1;display:block}
.mg-figure{display:flex;flex-direction:column;gap:4px;align-items:flex-start}
.mg-figure audio{width:100%;max-width:420px}
.mg-file{display:flex;gap:8px;padding:8px 12px;border:$bw solid $border;border-radius:$r2}
.mg-file>.mg-icon,.mg-lost>.mg-icon{margin-top:3px;color:$muted}
.mg-files{display:grid;gap:6px}
.mg-md{display:flex;flex-direction:column;gap:10px;min-width:0}
.mg-md>*{max-width:100%;min-width:0}
.mg-md>p,.mg-md>ul,.mg-md>ol{max-width:76ch}
.mg-md h2{font-size:$lg}
.mg-md .mg-md-heading{margin-top:4px}
.mg-md ul,.mg-md ol{padding-inline-start:22px}
.mg-md li>ul,.mg-md li>ol,.mg-md li>p{margin-top:2px}
.mg-md blockquote{padding-inline-start:12px;border-inline-start:3px solid $border;color:$muted}
.mg-md hr{border:0;border-top:$bw solid $border;width:100%}
.mg-md :not(pre)>code,.mg-detail code,.mg-cell>code,.mg-list code{background:$bg2;padding:1px 4px;border-radius:4px}
.mg-md .mg-table{overflow-wrap:anywhere}
.mg-md .mg-table td{min-width:7em}
.mg-task{list-style:none;margin-inline-start:-20px}
.mg-skeleton{display:grid;gap:10px}
.mg-skeleton span{height:14px;border-radius:$r1;background:$bg3;animation:mg-pulse 1.4s ease-in-out infinite}
.mg-skeleton span:nth-child(2){width:82%}
.mg-skeleton span:nth-child(3){width:58%}
@keyframes mg-pulse{50%{opacity:.45}}
.mg-app[data-busy] .mg-content{opacity:.6}
@media(max-width:420px){body{padding:12px}.mg-detail-row{grid-template-columns:minmax(0,1fr)}.mg-table th,.mg-table td{padding-inline:8px}.mg-filter{width:100%}}
@media(prefers-reduced-motion:reduce){*,::before,::after{animation-duration:0s!important;animation-iteration-count:1!important;transition:none!important}}
@media(prefers-contrast:more){:root{--mg-muted:$text;--mg-faint:$text;--mg-border:$control;--mg-border2:$text}}
@media(forced-colors:active){.mg-badge,.mg-status,.mg-error,.mg-stat,.mg-meter-bar,.mg-input{border:1px solid}.mg-meter-fill,.mg-hbar,.mg-legend i{forced-color-adjust:none;background:Highlight}.mg-legend i,.mg-mark,.mg-line,.mg-area,.mg-dot{forced-color-adjust:none}.mg-legend i{background:var(--c)}.mg-tab[aria-selected=true],.mg-chip[aria-pressed=true]{border-color:Highlight;color:Highlight}}
`

const id = "mg-styles"

/** Adds the stylesheet to the page, once, before all other styles so that they win. */
export const installStyles = (): void => {
  if (document.getElementById(id) !== null) return
  document.head.prepend(
    h("style", { id, "data-mcp-gen-ui": true }, sheet.replaceAll("\n", "").replace(/\$([\w-]+)/g, "var(--mg-$1)"))
  )
}
