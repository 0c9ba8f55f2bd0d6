/** Tables and what stands in their cells. */
export const table = `
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
`
