/** Figures, details, cards, lists, trees. */
export const records = `
.mg-stats{display:flex;flex-wrap:wrap;gap:1px;background:$border;border:$bw solid $border;border-radius:$r3;overflow:hidden}.mg-stats>*{flex:1 1 118px;background:$bg2;padding:13px 18px}
.mg-stat,.mg-card{min-width:0}
.mg-stat-value:not(.mg-stat-long){white-space:nowrap}
.mg-stat-value{font-size:clamp(19px,5vw,24px);font-weight:680;line-height:1.25;letter-spacing:-.018em;overflow-wrap:break-word}
.mg-stat-long{font-size:$lg}
.mg-stat-value,.mg-meter-text,.mg-table .mg-end{font-variant-numeric:tabular-nums}
.mg-detail-row{display:grid;grid-template-columns:minmax(90px,min(28%,180px)) minmax(0,1fr);gap:2px 16px;padding:7px 0;border-bottom:$bw solid $border}
.mg-detail-row:has(>.mg-button){grid-template-columns:minmax(70px,min(28%,180px)) minmax(0,1fr) auto}
.mg-detail-row:last-child{border:0}
:is(.mg-content,.mg-section>.mg-stack)>.mg-detail{border:$bw solid $border;border-radius:$r3;padding:3px 18px}
.mg-hash{display:inline-block;max-width:14ch;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;vertical-align:bottom}
.mg-detail dt{color:$muted}
.mg-cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,220px),1fr));gap:10px}
.mg-card{background:$bg;border-radius:$r3;padding:16px 18px;border:$bw solid $border}
.mg-card .mg-item-title{font-size:15px;font-weight:$semibold;line-height:1.35}
.mg-item{display:flex;gap:8px;align-items:flex-start}
.mg-card .mg-toolbar{margin-top:auto}
.mg-card-image{width:100%;height:120px;object-fit:cover;border-radius:$r1}
.mg-list{padding:0;list-style:none}
ol.mg-list,.mg-list-plain{padding-inline-start:22px;list-style:revert}
.mg-list:not(.mg-list-plain)>li{padding:7px 0;border-bottom:$bw solid $border}
.mg-list:not(.mg-list-plain)>li:last-child{border:0}
.mg-item-title{font-weight:$semibold}
.mg-item-title .mg-link,.mg-item-title .mg-linkbutton{color:inherit;text-decoration-color:$accent-line}
.mg-card>.mg-item-title{justify-content:space-between}
.mg-item>.mg-item-meta{flex:0 1 auto;text-align:end;line-height:21px}
.mg-timeline{padding:0;list-style:none;border-inline-start:2px solid $border;margin-inline-start:5px}
.mg-timeline>li{position:relative;padding:0 0 14px;padding-inline-start:18px}
.mg-timeline>li:last-child{padding-bottom:0}
.mg-timeline>li::before{content:"";position:absolute;inset-inline-start:-6px;top:5px;width:10px;height:10px;border-radius:50%;background:$accent;border:2px solid $bg}
.mg-tree .mg-disclosed{gap:2px;margin:0;padding-inline-start:18px;border-inline-start:$bw solid $border;margin-inline-start:6px}
.mg-tree-leaf{padding-inline-start:20px;display:flex;flex-wrap:wrap;gap:0 10px;min-height:24px;align-items:center}
.mg-tree-leaf>.mg-tree-name{color:$muted}
.mg-tree summary .mg-tree-name{color:$text}
.mg-tree .mg-yes>.mg-icon,.mg-tree summary .mg-icon:nth-of-type(n+2),.mg-tree summary span>.mg-icon{color:$accent}
.mg-tree .mg-yes{gap:8px}
.mg-tree summary>span{display:inline-flex;gap:6px;align-items:center}
`
