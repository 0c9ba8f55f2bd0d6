/*
 * Every colour, font and radius is the host's variable where it sends one (MCP Apps 2026-01-26, "Theming"), else our own, for
 * light and for dark. `--mg-…` are the names that views may use.
 */

const light =
  "--f-bg:#fff;--f-bg2:#f6f6f7;--f-bg3:#ececee;--f-fg:#1a1a1e;--f-fg2:#54545c;--f-fg3:#64646d;--f-line:#e0e0e4;--f-line2:#8a8a93;--f-inv:#1f1f24;--f-oninv:#fff;" +
  "--f-info:#1b5fc1;--f-infobg:#e8f0fd;--f-success:#1b6e3c;--f-successbg:#e5f4ea;--f-warning:#855000;--f-warningbg:#fcf1da;--f-danger:#b3261e;--f-dangerbg:#fdecea;" +
  "--mg-1:#2f74d6;--mg-2:#d2691e;--mg-3:#2e8b57;--mg-4:#a855b5;--mg-5:#b8860b;--mg-6:#d1495b;--mg-7:#3a8f9c;--mg-8:#7a7a85;"

const dark =
  "--f-bg:#1c1c1f;--f-bg2:#26262a;--f-bg3:#333339;--f-fg:#f1f1f3;--f-fg2:#b9b9c2;--f-fg3:#a3a3ad;--f-line:#3a3a41;--f-line2:#7d7d88;--f-inv:#f1f1f3;--f-oninv:#1c1c1f;" +
  "--f-info:#8db8fb;--f-infobg:#1d2c45;--f-success:#7fd09c;--f-successbg:#18301f;--f-warning:#ecb95c;--f-warningbg:#362a12;--f-danger:#ff9d94;--f-dangerbg:#401d1b;" +
  "--mg-1:#6aa5f4;--mg-2:#f0935a;--mg-3:#5fc08a;--mg-4:#cd8ad8;--mg-5:#d9b04a;--mg-6:#f07f8e;--mg-7:#62bccb;--mg-8:#9d9da8;"

export const tones = ["info", "success", "warning", "danger"]

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

/** The names that all other sheets use. */
export const tokens = `
:root{${light}${names}}
@media(prefers-color-scheme:dark){:root:not([data-theme]){${dark}}}
:root[data-theme=dark]{${dark}}
`
