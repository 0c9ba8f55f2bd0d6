/** Tables and what stands in their cells. */
export const table = `
.mg-table-head,.mg-table-foot{justify-content:space-between}
.mg-table-tools{min-width:0;flex:1 1 230px;flex-wrap:nowrap;justify-content:flex-end}
.mg-filter{flex:1 1 140px;min-width:0;max-width:220px;min-height:30px}
.mg-taken{gap:2px;min-height:28px}
.mg-taken>.mg-button{padding-inline:7px}
.mg-taken>[role=status]{margin-inline-end:8px}
.mg-panel{border:$bw solid $border;border-radius:$r2;padding:8px 10px}
.mg-choices{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,120px),1fr));gap:0 12px;max-height:220px;overflow:auto}
.mg-pick{flex:none;vertical-align:middle;width:16px;height:16px;margin:4px;accent-color:$accent;cursor:pointer}
@media(hover:hover){.mg-records:not(:has(.mg-pick:checked)) tr:not(:hover,:focus-within) .mg-pick{opacity:0}.mg-records .mg-pick{margin-inline:0}.mg-records .mg-lead{padding-inline:4px!important;width:24px}}
.mg-opens tbody tr{position:relative;cursor:pointer}
.mg-opens tbody tr:has(.mg-linkbutton)::after{content:"›";position:absolute;inset-inline-end:12px;top:50%;translate:0 -55%;font-size:20px;color:$faint}
.mg-opens td:last-child{padding-inline-end:32px!important}
.mg-scroll{background:$bg;overflow:auto;max-height:1200px;border-radius:$r3;border:$bw solid $border;max-width:100%}
.mg-scroll[aria-busy]{opacity:.6}
.mg-table{border-collapse:separate;border-spacing:0;width:100%;overflow-wrap:break-word}
.mg-table th,.mg-table td{padding:7px 10px;text-align:start;vertical-align:top;border-bottom:$bw solid $border}
.mg-table tbody tr:last-child>td,.mg-table tbody tr:has(+.mg-more[hidden]:last-child)>td{border-bottom:0}
.mg-table thead th{background:$bg2;color:$muted;font-size:$xs;font-weight:$semibold;white-space:nowrap;vertical-align:middle;position:sticky;top:0;z-index:1}
.mg-table .mg-end{text-align:end}
.mg-table .mg-center{text-align:center}
.mg-table .mg-lead{padding:5px 0;padding-inline-start:6px;width:30px;white-space:nowrap}
.mg-table .mg-lead,.mg-table .mg-key{position:sticky;inset-inline-start:0;z-index:1;background:$bg}
.mg-lead+.mg-key{inset-inline-start:30px!important}
.mg-wide-lead .mg-lead{width:54px}
.mg-wide-lead .mg-lead+.mg-key{inset-inline-start:54px!important}
.mg-table thead .mg-lead,.mg-table thead .mg-key{z-index:2;background:$bg2}
.mg-table td:last-child:has(.mg-button){position:sticky;inset-inline-end:0;background:$bg}
.mg-table tbody .mg-key{font-weight:$medium}
.mg-scrolled .mg-key{border-inline-end:$bw solid $border}
.mg-pairs{max-width:720px}
@media(max-width:480px){.mg-key .mg-cell{max-width:46vw}.mg-key:last-child .mg-cell{width:auto;max-width:none}.mg-filter{max-width:none}}
.mg-chosen>td,.mg-table .mg-chosen>.mg-lead,.mg-table .mg-chosen>.mg-key{background:color-mix(in srgb,$accent 9%,$bg)}
.mg-sort,.mg-expand{display:inline-flex;gap:4px;align-items:center;font-weight:inherit}
.mg-end .mg-sort{flex-direction:row-reverse}
.mg-sort-mark{display:inline-flex;opacity:0}
.mg-sort-mark>.mg-icon{width:12px;height:12px}
.mg-sort:hover .mg-sort-mark,.mg-sort:focus-visible .mg-sort-mark,[aria-sort] .mg-sort-mark{opacity:1}
[aria-sort]{color:$text!important}
.mg-cell{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:3;overflow:hidden;max-width:28em;width:max-content}
@media(min-width:540px){.mg-few .mg-cell{width:auto;max-width:none}.mg-few .mg-key>.mg-cell:not(:has(>*)){width:max-content;max-width:15em}}
.mg-table :is(time,.mg-badge){white-space:nowrap}
.mg-end .mg-cell{margin-inline-start:auto}
td:has(.mg-meter) .mg-cell{width:96px}
.mg-many{font-size:$xs}.mg-many :is(th,td){padding-inline:7px}
.mg-expand{width:24px;justify-content:center;color:$muted;vertical-align:top}
.mg-more>td{background:$bg2}
.mg-inside{position:sticky;inset-inline-start:12px;width:min(100%,100vw - 60px)}
.mg-pager .mg-pager{gap:4px;white-space:nowrap}
.mg-name .mg-linkbutton{display:block;min-height:0}.mg-linkbutton:has(.mg-cell>*){color:inherit;text-decoration:none}
.mg-pager .mg-input{min-height:28px;padding:2px 6px}
.mg-page{width:3.8em;text-align:center}
.mg-thumb{height:36px;max-width:72px;object-fit:cover;border-radius:$r1;display:block}
.mg-swatch{width:14px;height:14px;border-radius:3px;border:$bw solid $border2}
.mg-meter{display:flex;gap:8px;align-items:center;min-width:80px}
.mg-meter-bar{flex:1;height:6px;border-radius:$round;background:$bg3;overflow:hidden}
.mg-meter-fill{display:block;height:100%;border-radius:inherit}
.mg-meter-text,.mg-stat-label,.mg-item-meta{font-size:$xs}
`
