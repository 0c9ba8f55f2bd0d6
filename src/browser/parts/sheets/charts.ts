/** Charts. */
export const charts = `
.mg-chart{display:flex;flex-direction:column;gap:6px;min-width:0}
.mg-plot{position:relative;overflow:hidden;width:100%;direction:ltr}
.mg-scan{position:absolute;inset:0;touch-action:pan-y}
.mg-scan:focus-visible{outline-offset:-2px}
.mg-rule{position:absolute;top:8px;bottom:24px;border-inline-start:1px dashed $muted}
.mg-tip{position:absolute;top:4px;min-width:110px;max-width:70%;padding:6px 10px;background:$bg;border:$bw solid $border2;border-radius:$r2;font-size:$xs;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
.mg-tip>div{display:flex;gap:6px;align-items:center}
.mg-tip i,.mg-legend i{flex:none;width:10px;height:10px;border-radius:3px;background:var(--c)}
.mg-chart svg{display:block;max-width:100%}
${Array.from({ length: 8 }, (_, index) => `.mg-s${index}{--c:$${index + 1}}`).join("")}
.mg-grid{stroke:$border}
.mg-axis{stroke:$control}
.mg-tick{fill:$muted;font-size:11px;font-family:$font;font-variant-numeric:tabular-nums}
.mg-line{fill:none;stroke:var(--c);stroke-width:2;stroke-linejoin:round}
.mg-value{fill:$text;font-weight:$semibold;paint-order:stroke;stroke:$page;stroke-width:4px;stroke-linejoin:round}
.mg-area{fill:var(--c);opacity:.18}
.mg-mark,.mg-dot{fill:var(--c)}
.mg-dot,.mg-slice{stroke:$bg}
.mg-pie{width:190px;height:190px;flex:none}
.mg-pie-row{align-items:center;gap:20px}
.mg-legend{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:2px 14px;font-size:$xs}
.mg-legend li{display:flex;gap:6px;align-items:center}
.mg-legend-stack{flex:1 1 180px;flex-direction:column;gap:5px;font-size:$sm}
.mg-hbars{list-style:none;padding:0;display:grid;gap:6px;font-size:$sm;font-variant-numeric:tabular-nums}
.mg-hbars li{display:grid;grid-template-columns:minmax(60px,32%) minmax(0,1fr) auto;gap:10px;align-items:center}
.mg-hbars i{height:14px;border-radius:3px;background:var(--c);min-width:1px}
`
