import { compile } from "tailwindcss"

/** The names that shadcn/ui gave to colours by their purpose, as ours, which follow the host. */
const PURPOSES: Readonly<Record<string, string>> = {
  background: "page",
  foreground: "text",
  card: "bg",
  "card-foreground": "text",
  muted: "bg2",
  "muted-foreground": "muted",
  secondary: "bg3",
  "secondary-foreground": "text",
  accent: "accent-bg",
  "accent-foreground": "accent",
  primary: "solid",
  "primary-foreground": "on-solid",
  border: "border",
  input: "control",
  ring: "ring",
  destructive: "danger",
  danger: "danger",
  success: "success",
  warning: "warning",
  info: "info"
}

const GREYS = "slate gray zinc neutral stone".split(" ")
const HUES = [
  ..."red orange amber yellow lime green emerald teal cyan sky blue indigo violet purple fuchsia pink rose".split(" "),
  ...GREYS
]
/** Of pale grounds and lines: how much of the hue is on the ground of the page in the dark. */
const PALE = [
  ["50", 10],
  ["100", 17],
  ["200", 27],
  ["300", 38]
] as const
/** Strong grounds, which would glare in the dark. */
const STRONG = ["400", "500", "600"]
/** Of deep texts: what stands for them in the dark. */
const DEEP = [
  ["500", "400"],
  ["600", "400"],
  ["700", "300"],
  ["800", "200"],
  ["900", "100"],
  ["950", "50"]
] as const

/** Grey texts that are to be hardly seen. */
const DIM = [
  ["200", "700"],
  ["300", "600"]
] as const

const GROUNDS = ["background-color", "border-color", "divide-color", "ring-color", "fill", "stroke"]

/** In the dark, pale grounds and lines are deep and deep texts are pale; strong grounds, and so what stands on them, stay nearly as they are. */
const turned = [
  ...["background-color", "fill"].flatMap((use) =>
    HUES.flatMap((hue) =>
      STRONG.map(
        (step) =>
          `--${use}-${hue}-${step}:light-dark(var(--color-${hue}-${step}),color-mix(in oklab,var(--color-${hue}-${step}) 84%,var(--mg-bg)));`
      )
    )
  ),
  ...GROUNDS.flatMap((use) =>
    HUES.flatMap((hue) =>
      PALE.map(
        ([step, share]) =>
          `--${use}-${hue}-${step}:light-dark(var(--color-${hue}-${step}),color-mix(in oklab,var(--color-${hue}-500) ${share}%,var(--mg-bg)));`
      )
    )
  ),
  ...["fill", "stroke"].flatMap((use) =>
    HUES.flatMap((hue) =>
      DEEP.slice(2).map(
        ([step, pale]) => `--${use}-${hue}-${step}:light-dark(var(--color-${hue}-${step}),var(--color-${hue}-${pale}));`
      )
    )
  ),
  ...HUES.flatMap((hue) =>
    [...DEEP, ...(GREYS.includes(hue) ? DIM : [])].map(
      ([step, pale]) =>
        `--text-color-${hue}-${step}:light-dark(var(--color-${hue}-${step}),var(--color-${hue}-${pale}));`
    )
  )
].join("")

/** Rows that end in a button or a badge go on in the next line where they are narrow. */
const WRAPS = ".flex:has(>.mg-button:not(.mg-copy-sign),>.flex>.mg-button:not(.mg-copy-sign),>.mg-badge)"

/** Elements that a page makes itself begin plain, as Tailwind expects them; those of parts have rules of their own. */
const PLAIN = [
  "*,::before,::after){border-color:var(--mg-border)}",
  `${WRAPS}){flex-wrap:wrap}${WRAPS}>.flex-1{flex-basis:9em}`,
  ".mg-short){overflow-wrap:normal}:where(.mg-short>svg){display:block}",
  ":is(.grid-cols-2,.grid-cols-3,.grid-cols-4)>.flex){overflow-wrap:anywhere}",
  "[class*=border-d]){border-width:0}",
  "svg:not(.mg-icon)){display:block}",
  "button){border:0 solid var(--mg-border);padding:0;background:none;text-align:inherit;cursor:pointer}",
  "ul[class],ol[class]){list-style:none;padding:0}",
  "table){border-collapse:collapse;text-indent:0}",
  "input){accent-color:var(--mg-accent)}",
  "summary){cursor:pointer}"
]
  .map((rule) => `:where(${rule}`)
  .join("")

/** A part inside of a card that the page made is a piece of that card: it has no frame of its own. */
const FLUSH =
  ".border.bg-card :is(.mg-fact-lines,.mg-code,.mg-scroll,.mg-stats,.mg-detail,.mg-request){border-width:0;border-radius:0}" +
  ".bg-card :is(.mg-graph,.mg-records){padding-inline:16px}" +
  ".bg-muted .mg-button{min-height:28px;padding:2px 10px}" +
  ".border.bg-card :not(.bg-card)>.mg-fact-lines{padding-inline:0}.bg-card>.mg-code>.mg-code-head{padding-inline:16px 12px}" +
  ".divide-y>.mg-disclosure{padding-block:8px}:is([style*=background],[style*=background] *).text-black{color:#000}.tabular-nums{overflow-wrap:normal}.break-all.break-all{word-break:normal;overflow-wrap:anywhere}" +
  // Words of ours stay readable on a ground that the page has painted.
  ".mg-figure>figcaption,.mg-figure .mg-facts{justify-content:center}.mg-figure>figcaption{background:var(--mg-bg);padding:4px 8px;border-radius:6px}"

const OURS = `
@theme inline{--font-sans:var(--mg-font);--font-mono:var(--mg-mono);
${Object.entries(PURPOSES)
  .map(([name, own]) => `--color-${name}:var(--mg-${own});`)
  .join("")}
--background-color-white:var(--mg-bg);--text-color-black:var(--mg-text);--text-color-muted:var(--mg-muted);
${["text-color", "border-color", "ring-color", "fill", "stroke"].map((use) => `--${use}-primary:var(--mg-accent);--${use}-accent:var(--mg-accent);`).join("")}
${turned}}
@custom-variant dark (&:where([data-theme=dark],[data-theme=dark] *));
@tailwind utilities;`

/** What a class of Tailwind may be made of; neither an address nor the end of a style sheet is. */
const CANDIDATE = /^[-\w:./%#!&()[\],>+~*=@]{2,80}$/u

/** A source in its style sheets and all that stands beside them. */
const partsOf = (source: string): { readonly sheets: string; readonly rest: string } => {
  const [before = "", ...pieces] = source.split(/<style/iu)
  const cut = pieces.map((piece) => piece.split(/<\/style/iu))
  return {
    sheets: cut.map(([sheet = ""]) => sheet).join("\n"),
    rest: [before, ...cut.flatMap(([, ...rest]) => rest)].join("\n")
  }
}

const isColour = (word: string): boolean => {
  const [hue = "", step = ""] = word.split("-")
  return Object.hasOwn(PURPOSES, word) || (HUES.includes(hue) && /^\d{2,3}$/u.test(step))
}

const STEPS = "-50 -100 -200 -300 -400 -500 -600 -700 -800 -900 -950".split(" ")

/** Classes whose colour the script chooses, as in `bg-${tone}-100`, `bg-${tone}-${step}` and `bg-${tone}`: with each that the source names. */
const chosenColours = (source: string): ReadonlyArray<string> => {
  const holes = [
    ...source.matchAll(
      /(?<![\w-])([\w:-]{1,30}-)\$\{(?:[^{}]|\{[^{}]{1,80}\}){1,80}\}(-\d{2,3}|-\$\{[^{}]{1,80}\})?(\/\d+)?/gu
    )
  ]
  if (holes.length === 0) return []
  const hues = HUES.filter((hue) => source.includes(hue))
  const colours = new Set((source.match(/(?<![\w-])[a-z]+(?:-[a-z\d]+)?(?![\w-])/gu) ?? []).filter(isColour))
  return holes.flatMap(([, before = "", step = "", share = ""]) => {
    const isAny = step.startsWith("-$")
    // Of `bg-${name}-${shade}` the answer may know more hues than the source.
    const names = step === "" ? [...colours] : isAny && before.endsWith("bg-") ? HUES : hues
    return names.flatMap((name) => (isAny ? STEPS : [step]).map((end) => `${before}${name}${end}${share}`))
  })
}

const numbersTo = (most: number): ReadonlyArray<number> => Array.from({ length: most }, (_, at) => at + 1)

/**
 * Classes whose number the script chooses: as in `sm:grid-cols-${rows.length}` those that a page may have room for, as in
 * `bg-teal-300/${share}` all of a hundred.
 */
const chosenNumbers = (source: string): ReadonlyArray<string> =>
  Array.from(
    source.matchAll(
      /(?<![\w-])([\w:-]{0,24}(?:(?:grid-cols|grid-rows|col-span|row-span|line-clamp|size|gap|w|h)-|[a-z](?:-\d{2,3})?(\/)))\$\{[^{}]{1,80}\}(?=[\s"'`])/gu
    ),
    ([, before = "", slash]) => numbersTo(slash === undefined ? 12 : 100).map((number) => `${before}${number}`)
  ).flat()

/** Every word of a source that may be a class of Tailwind; what the page's own style sheets define is left to them. */
const candidatesIn = (source: string): ReadonlyArray<string> => {
  const { rest, sheets } = partsOf(source)
  const own = new Set(Array.from(sheets.matchAll(/\.([a-z][\w-]*)/giu), ([, name = ""]) => name))
  const words = new Set([...rest.split(/[\s"'`{}]+/u), ...chosenColours(rest), ...chosenNumbers(rest)])
  return [...words].filter((word) => CANDIDATE.test(word) && !own.has(word) && !/url\(|image-set/iu.test(word))
}

const withoutComments = (css: string): string =>
  css
    .split("/*")
    .map((piece, at) => (at === 0 ? piece : piece.slice(piece.indexOf("*/") + 2)))
    .join("")

const minified = (css: string): string =>
  withoutComments(css)
    .replace(/\s+/gu, " ")
    .replace(/ ?([{};,]) ?/gu, "$1")
    .replace(/(?<=[\w-]): /gu, ":")

/** A rule for a class of more than one word: "table" and "grid" alone are words of any script. */
const RULE_OF_WORDS = /\n[ ]{0,4}(?::where\()?\.[a-z\d\\:]{1,40}[-:[]/u

/**
 * The style sheet for the classes of Tailwind 4 that a page names, as safe inside `<style>`; empty where it names none.
 * `theme`: Tailwind's own `theme.css`.
 */
export const utilityStyles = async (theme: string, source: string): Promise<string> => {
  const { build } = await compile(`${theme}${OURS}`)
  const css = build([...candidatesIn(source)])
  return RULE_OF_WORDS.test(css) && !css.includes("</") ? minified(`${PLAIN}${FLUSH}${css}`) : ""
}
