/*
 * Every colour, font and radius is the host's variable where it sends one (MCP Apps 2026-01-26, "Theming"), else our own.
 * `--mg-…` are the names that views may use.
 *
 * A host may send any subset, and a text colour of the host on a background of ours would be luck. So its colours count
 * only where it sends both the primary background and the primary text: `--h` is a valid colour exactly then, and
 * `host(name)` needs it. What such a host leaves out is mixed from the two colours in use, in either theme; so are our own.
 */

const mix = (color: string, percent: number, other: string): string =>
  `color-mix(in oklab,${color} ${percent}%,${other})`

/** The host's colour, invalid without `base`: then what uses it takes its fallback. */
const host = (name: string, base = "--h"): string => `color-mix(in srgb,var(--color-${name}) 100%,var(${base}))`

const text = (percent: number): string => mix("$text", percent, "$bg")

const hues = { info: "#1a6be8", success: "#119848", warning: "#bf7400", danger: "#e23228" }

export const tones = Object.keys(hues)

const series = ["#2a6fd8", "#e2701c", "#249a5a", "#aa52b8", "#c0900c", "#da445a", "#2496a8", "#80808c"]

/*
 * The ground of a view: surface, ink, page; how much of the accent is in surface, ink and page; how much of their own colour
 * accent and tones keep, and muted text of the ink. On a darker ground these give way, so that all can be read. A strong
 * ground is deep with pale ink in the light, and the other way round in the dark.
 */
const light =
  "--l-bg:#fff;--l-fg:#131418;--l-page:#fff;--f-scheme:light;--f-rise:0%;--f-ink:9%;--f-tint:0%;--f-vivid:80%;--f-tone:66%;--f-hush:76%;--f-heat:48%;--f-deep:$text;--f-on-deep:$bg;"
const dark =
  "--l-bg:#28282a;--l-fg:#f4f5f7;--l-page:#1e1e1f;--f-scheme:dark;--f-rise:1%;--f-ink:4%;--f-tint:0%;--f-vivid:56%;--f-deep:oklch(from var(--mg-hue) .86 c h);--f-on-deep:#0b0c0f;"

const hue = (share: string, ground: string): string => `color-mix(in oklab,var(--mg-hue) var(${share}),var(${ground}))`

const names = `
--h:color-mix(in srgb,var(--color-background-primary),var(--color-text-primary));
--h-bg:${host("background-primary")};
--h-text:${host("text-primary")};
--h-bg2:${host("background-secondary")};
--h-bg3:${host("background-tertiary")};
--h-muted:${host("text-secondary")};
--h-faint:${host("text-tertiary")};
--h-line:${host("border-secondary")};
--h-line2:${host("border-primary")};
--h-line3:${host("border-tertiary")};
--h-ring:${host("ring-primary")};
--h-inverse:${host("background-inverse", "--color-text-inverse")};
--h-on-inverse:${host("text-inverse", "--color-background-inverse")};
--h-off:${host("text-disabled")};
--h-off-bg:${host("background-disabled", "--h-off")};
--h-off-line:${host("border-disabled", "--h-off")};
--mg-bg:var(--h-bg,${hue("--f-rise", "--f-bg")});
--mg-page:var(--h-bg,${hue("--f-tint", "--f-page")});
--mg-text:var(--h-text,${hue("--f-ink", "--f-fg")});
--mg-bg2:var(--h-bg2,${mix("$accent", 5, "$bg")});
--mg-bg3:var(--h-bg3,${text(8)});
--mg-muted:var(--h-muted,color-mix(in oklab,$text var(--f-hush),$bg));
--mg-faint:var(--h-faint,color-mix(in oklab,$text calc(var(--f-hush) - 5%),$bg));
--mg-border:var(--h-line,var(--h-line2,var(--h-line3,${text(13)})));
--mg-control:${text(47)};
--mg-border2:var(--h-line2,$control);
--mg-disabled:var(--h-off,$faint);
--mg-disabled-bg:var(--h-off-bg,$bg2);
--mg-disabled-line:var(--h-off-line,$border);
--mg-inverse:var(--h-inverse,var(--f-fg));
--mg-on-inverse:var(--h-on-inverse,var(--f-bg));
--h-accent:color-mix(in srgb,${mix("var(--mg-hue)", 56, "$text")} 100%,var(--h));
--mg-accent:var(--h-info,var(--h-accent,color-mix(in oklab,var(--mg-hue) var(--f-vivid),$text)));
--mg-accent-bg:${mix("$accent", 9, "$bg")};
--mg-accent-line:${mix("$accent", 34, "$bg")};
--mg-ring:var(--h-ring,$accent);
--mg-font:var(--font-sans,system-ui,-apple-system,"Segoe UI",Roboto,sans-serif);
--mg-mono:var(--font-mono,ui-monospace,SFMono-Regular,Menlo,Consolas,monospace);
--mg-xs:var(--font-text-xs-size,13px);
--mg-sm:var(--font-text-sm-size,14px);
--mg-md:var(--font-text-md-size,15px);
--mg-lg:var(--font-heading-sm-size,var(--font-text-lg-size,17px));
--mg-xl:var(--font-heading-md-size,20px);
--mg-2xl:var(--font-heading-lg-size,28px);
--mg-lh:var(--font-text-md-line-height,1.5);
--mg-medium:var(--font-weight-medium,500);
--mg-semibold:var(--font-weight-semibold,600);
--mg-r1:var(--border-radius-sm,6px);
--mg-r2:var(--border-radius-md,10px);
--mg-r3:var(--border-radius-lg,14px);
--mg-round:var(--border-radius-full,999px);
--mg-bw:var(--border-width-regular,1px);
--mg-shadow:var(--shadow-sm,0 1px 2px #0000000f,0 10px 24px -18px #00000047);
${Object.entries(hues)
  .map(
    ([tone, hue]) =>
      `--h-${tone}:${host(`text-${tone}`)};--h-${tone}-bg:${host(`background-${tone}`, `--h-${tone}`)};--h-${tone}-line:${host(`border-${tone}`, `--h-${tone}`)};` +
      `--mg-${tone}:var(--h-${tone},color-mix(in oklab,${hue} var(--f-tone),$text));--mg-${tone}-bg:var(--h-${tone}-bg,${mix(`var(--h-${tone},${hue})`, 10, "$bg")});--mg-${tone}-line:var(--h-${tone}-line,$${tone});`
  )
  .join("\n")}
${series.map((hue, index) => `--mg-${index + 1}:${mix(hue, 88, "$text")};`).join("")}`

/** The names that all other sheets use. */
export const tokens = `
:root{${light}--f-bg:var(--l-bg);--f-fg:var(--l-fg);--f-page:var(--l-page);--mg-hue:#2563eb;--mg-solid:var(--h-info,var(--h-accent,var(--mg-fill,color-mix(in oklab,var(--mg-hue) var(--f-vivid),var(--f-deep)))));--mg-on-solid:var(--h-bg,var(--mg-on-fill,var(--f-on-deep)))}
:root,.mg-own{${names}}
.mg-own{--h:initial;background:$bg;color:$text}
.mg-solid{--f-bg:$solid;--f-fg:$on-solid;--f-rise:0%;--f-ink:0%;--mg-muted:${text(95)};${["accent", ...tones].map((name) => `--mg-${name}:$text;--mg-${name}-bg:${text(10)};`).join("")}}
@media(prefers-color-scheme:dark){:root:not([data-theme]){${dark}}}
:root[data-theme=dark]{${dark}}
`
