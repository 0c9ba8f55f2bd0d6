import { tones } from "./tokens.ts"

/** What shows a subject in its own form: the answer, steps, files, hits, findings, logs, pages, people, days, maps. */
export const subjects = `
.mg-hero{display:flex;gap:20px;align-items:center;padding:20px 24px;border-radius:$r3}
.mg-hero>.mg-grow{display:grid;gap:6px}
.mg-hero .mg-hero-label,.mg-hero-md{color:$text}
.mg-hero:not([class*=" "]){background:$accent-bg;color:$accent}
.mg-hero .mg-hash{max-width:none;white-space:normal;overflow-wrap:anywhere}
.mg-hero-mark{flex:none;line-height:0}
.mg-facts{color:$text}
.mg-hero-label{font-weight:$medium;color:$muted}
.mg-hero-value{font-weight:720;letter-spacing:-.03em;line-height:1.06;font-size:18px;white-space:pre-wrap;text-wrap:balance}
.mg-hero-value .mg-unit{font-size:.5em;letter-spacing:0;font-weight:$medium;white-space:nowrap}
.mg-hero-value>.mg-badges{margin-inline-start:12px;letter-spacing:0}
.mg-hero-value>.mg-badge{vertical-align:middle}
.mg-hero-xl{font-size:clamp(40px,11vw,60px)}
.mg-hero-lg{font-size:clamp(28px,7vw,40px)}
.mg-hero-md{font-size:clamp(22px,5vw,28px);line-height:1.2;letter-spacing:-.02em}
.mg-hero-sm{letter-spacing:0;line-height:1.4}
.mg-hero-value code{font-size:.82em;letter-spacing:0;background:$bg;padding:1px 8px;border-radius:$r2}
.mg-hero-code{font-family:$mono;letter-spacing:0}
.mg-hero-value .mg-link{color:inherit;text-decoration-color:$accent-line}
.mg-hero-note{color:$muted;max-width:70ch;white-space:pre-wrap}
.mg-facts{display:flex;flex-wrap:wrap;gap:8px 24px;margin-top:6px}
.mg-facts dt{font-size:$xs;color:$muted}
.mg-facts dd{font-weight:$medium}
.mg-steps{list-style:none;padding:0;display:grid}
.mg-step{position:relative;display:flex;gap:14px;padding-bottom:18px}
.mg-step:last-child{padding-bottom:0}
.mg-step:not(:last-child)::before{content:"";position:absolute;inset-inline-start:12px;top:26px;bottom:0;border-inline-start:2px solid $border}
.mg-step-mark{flex:none;display:grid;place-items:center;width:26px;height:26px;border-radius:50%;border:2px solid $border;background:$bg;font-size:$xs;font-weight:$semibold;color:$muted;font-variant-numeric:tabular-nums;z-index:1}
.mg-step-done>.mg-step-mark{background:$success;border-color:$success;color:$bg}
.mg-step-failed>.mg-step-mark{background:$danger;border-color:$danger;color:$bg}
.mg-step-active>.mg-step-mark{border-color:$accent;color:$accent;box-shadow:0 0 0 4px $accent-bg}
.mg-step-done .mg-item-title{color:$muted}
.mg-steps-done{display:flex;gap:12px;align-items:center}
.mg-step>.mg-grow{padding-top:2px}
.mg-filelist,.mg-hits,.mg-findings,.mg-people,.mg-bars,.mg-schedule,.mg-swatches{list-style:none;padding:0;margin:0}
.mg-nothing{display:grid;justify-items:center;gap:8px;padding:28px 16px;text-align:center;color:$muted;border-radius:16px;background:$bg2}
.mg-filelist-folder{font:$xs $mono;color:$muted;padding:10px 0 4px}
.mg-filelist-folder:first-child{padding-top:0}
.mg-filelist-item{display:flex;gap:12px;align-items:center;padding:6px 8px;border-radius:$r1}
.mg-filelist .mg-linkbutton{color:inherit;text-decoration:none;font-weight:$medium}
.mg-filelist-item:hover{background:$bg2}
.mg-fileicon{display:inline-flex;flex:none}
.mg-sheet{fill:$bg;stroke:color-mix(in oklab,currentColor 55%,$border)}
.mg-filetiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,190px),1fr));gap:4px 12px}
.mg-filetiles>.mg-filelist-folder{grid-column:1/-1}
.mg-filetiles>.mg-filelist-item{font-weight:$medium}
.mg-filetiles small{display:block;color:$muted;font:$xs $font}
.mg-hits>li{padding:12px 0;border-bottom:$bw solid $border;display:grid;gap:3px}
.mg-hits>li:first-child{padding-top:0}
.mg-hits>li:last-child{border:0}
.mg-hits .mg-item-title{font-size:15px;justify-content:space-between}
.mg-hit-path{font:$xs $mono;color:$muted}
.mg-hit-text{color:$muted;white-space:pre-wrap;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:4;overflow:hidden}
:is(mark,.mg-badge):empty{display:none}
mark{background:color-mix(in oklab,$warning 22%,transparent);color:inherit;border-radius:3px;padding:0 1px}
.mg-findings>li{display:flex;gap:12px;padding:10px 12px;border-inline-start:3px solid currentColor;background:$bg2;border-radius:$r1;margin-bottom:6px}
.mg-findings .mg-grow{color:$text;display:grid;gap:2px}
.mg-finding-title{font-weight:$medium}
.mg-log{font:$xs/1.7 $mono;direction:ltr;overflow:auto;max-height:480px;background:$bg2;border-radius:$r3;padding:10px 14px}
.mg-log-line{display:flex;gap:12px;white-space:pre-wrap}
.mg-log-line>time{flex:none;color:$muted}
.mg-log-line>b{flex:none;width:3.6em;font-weight:$semibold;text-transform:uppercase}
.mg-log-danger>b,.mg-log-danger>span{color:$danger}
.mg-log-warning>b{color:$warning}
.mg-log-info>b{color:$info}
.mg-log-neutral>b,.mg-log-neutral>time+span{color:$muted}
.mg-paper{border:$bw solid $border;border-radius:$r3;padding:clamp(16px,5vw,32px);display:grid;gap:14px;line-height:1.65}
.mg-paper>header{display:grid;gap:4px;border-bottom:$bw solid $border;padding-bottom:12px}
.mg-paper h2{font-size:$xl;letter-spacing:-.012em}
.mg-paper>footer{text-align:center;color:$muted;font-size:$xs}
.mg-bars{display:grid;gap:4px;font-variant-numeric:tabular-nums}
.mg-bars>li{position:relative;display:flex;gap:12px;align-items:center;padding:6px 12px;border-radius:$r1;isolation:isolate}
.mg-bar-fill{position:absolute;inset:0 auto 0 0;inset-inline-start:0;background:color-mix(in oklab,$accent 24%,$bg);border-inline-start:3px solid $accent;border-radius:$r1;z-index:-1;min-width:3px}
${tones.map((tone) => `.mg-bar-${tone}>.mg-bar-fill{background:color-mix(in oklab,$${tone} 24%,$bg);border-color:$${tone}}`).join("")}
.mg-avatar{flex:none;display:grid;place-items:center;width:36px;height:36px;border-radius:50%;font-size:$xs;font-weight:$semibold;background:color-mix(in oklab,var(--c) 22%,$bg);color:$text}
.mg-people{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,240px),1fr));gap:6px 20px}
.mg-people>li{display:flex;gap:12px;align-items:center;padding:6px 0}
.mg-schedule{display:grid;gap:6px}
.mg-schedule-day{font-weight:$semibold;padding-top:8px}
.mg-schedule-day:first-child{padding-top:0}
.mg-slot{display:flex;gap:14px}
.mg-slot-time{flex:none;width:64px;display:grid;align-content:start;padding-top:8px;font-size:$sm;font-variant-numeric:tabular-nums;text-align:end}
.mg-slot-time>span{color:$muted;font-size:$xs}
.mg-slot-body{flex:1;min-width:0;padding:8px 14px;border-radius:$r2;background:$accent-bg;border-inline-start:3px solid $accent}
${tones.map((tone) => `.mg-slot-${tone}>.mg-slot-body{background:$${tone}-bg;border-color:$${tone}}`).join("")}
.mg-days{display:flex;overflow-x:auto;background:$bg;border:$bw solid $border;border-radius:$r3}
.mg-day{flex:1 0 84px;display:grid;gap:4px;justify-items:center;align-content:start;text-align:center;padding:12px 8px;font-variant-numeric:tabular-nums}
.mg-day+.mg-day{border-inline-start:$bw solid $border}
.mg-day>b{font-size:$lg}
.mg-day>.mg-icon{color:$accent;margin:2px 0}
.mg-map{background:$bg;border:$bw solid $border;border-radius:$r3;overflow:hidden;direction:ltr}
.mg-map>svg{display:block;width:100%;background:$accent-bg}
.mg-place{fill:$accent;stroke:$bg;stroke-width:2}
.mg-place-name{font:600 12px $font;fill:$text;paint-order:stroke;stroke:$bg;stroke-width:3px;stroke-linejoin:round}
.mg-map-list{padding:10px 16px 10px 36px;columns:220px;font-size:$sm}
.mg-swatches{display:grid;grid-template-columns:repeat(auto-fill,minmax(84px,1fr));gap:12px}
.mg-swatches>li{display:grid;gap:2px;min-width:0}
.mg-swatches>li>span{height:64px;border-radius:$r3;box-shadow:inset 0 0 0 1px #8883}
.mg-swatches b{font-size:$sm}
.mg-swatches .mg-button{justify-content:start;padding:0;font:$xs $mono}
.mg-heat{border-collapse:separate;border-spacing:2px;font-size:$xs;font-variant-numeric:tabular-nums;width:100%}
.mg-heat th{font-weight:$medium;color:$muted;padding:4px 6px;white-space:nowrap;text-align:start}
.mg-heat td{padding:6px;white-space:nowrap;text-align:center;border-radius:4px;background:color-mix(in oklab,$accent var(--share,0%),$bg2)}
.mg-heat td:not([style]){background:none}
.mg-heat .mg-hot{color:$bg}
.mg-graph{position:relative;display:flex;gap:clamp(48px,12vw,104px);align-items:center;justify-content:space-around;padding:12px 0}
.mg-layer{list-style:none;padding:0;display:flex;flex-direction:column;gap:16px;min-width:0;z-index:1}
.mg-layer-single{flex-flow:wrap;gap:8px;justify-content:center;padding-bottom:12px}
.mg-node{padding:9px 14px;border-radius:$r2;background:$bg;box-shadow:$shadow,0 0 0 1.5px var(--c);display:grid;max-width:220px}
.mg-node>small{color:$muted}
.mg-bonds{position:absolute;inset:0;width:100%;height:100%;overflow:visible}
.mg-bonds>path{fill:none;stroke:$control;stroke-width:1.5}
.mg-bonds>.mg-arrow{fill:$control;stroke:none}
.mg-bonds>text{font:$xs $font;fill:$muted;text-anchor:middle;paint-order:stroke;stroke:$page;stroke-width:7px;stroke-linejoin:round}:is(.bg-card,.mg-sheet) .mg-bonds>text{stroke:$bg}
.mg-graph-down{flex-direction:column;gap:44px}
.mg-graph-down>.mg-layer{flex-flow:wrap;justify-content:center}
@media(max-width:480px){.mg-broad>:is(.mg-layer,.mg-bonds){display:none}.mg-broad>.mg-hidden{all:unset;display:grid;gap:8px;width:100%;list-style:none}.mg-graph{flex-direction:column;gap:64px}.mg-graph>.mg-layer{flex-flow:wrap;justify-content:center}.mg-heat{font-size:10px;border-spacing:1px}.mg-heat td,.mg-heat th{padding:3px}}
`
