/**
 * The parts that a view of mcp-gen-ui is composed of: what `import { show, header, table } from "mcp-gen-ui/parts"` gives
 * to the script of a page. These are types only; the page brings the code.
 *
 * Every part is a function that answers with a plain DOM element. None throws: missing members, `null`, numbers as text, one
 * object where a list is meant, options that do not exist are all fine.
 */

/** Whatever `JSON.parse` answers with. */
export type Json = ReturnType<JSON["parse"]>

/**
 * What may stand between tags: a node, text, a number, a list of these (at any depth), a promise of them. An object is shown
 * by its name or title. `null`, `undefined` and booleans vanish, so `condition && part(…)` works.
 */
export type Child =
  | Node
  | string
  | number
  | bigint
  | boolean
  | null
  | undefined
  | Iterable<Child>
  | PromiseLike<Child>
  | { readonly name?: unknown }

/** Content that is made when it is first shown. */
export type LazyChild = Child | (() => Child)

export type Tone = "neutral" | "info" | "success" | "warning" | "danger"

// ------------------------------------------------------------------------------------------------ the view

/** What `render` gets beside the data. */
export interface Context {
  /** The input of the call that made this result. */
  readonly args: Json
  /** The result as it came: `content`, `structuredContent`, `_meta`. */
  readonly result: Json
  /** The text blocks of the result. */
  readonly texts: ReadonlyArray<string>
  /** All text of the result. */
  readonly text: string
  /** The lines of the text that are not empty. */
  readonly lines: ReadonlyArray<string>
  /** "Key: value" lines by key; a key that comes twice has a list. */
  readonly pairs: Json
  /** The rows of each table in the text: Markdown, CSV, columns set apart by blanks. */
  readonly tables: ReadonlyArray<ReadonlyArray<Json>>
  /** What stands below each heading. */
  readonly sections: ReadonlyArray<{ readonly title: string; readonly text: string }>
  /** The files that a listing names, as `files` takes them: `{path, type, size, time}`. */
  readonly files: ReadonlyArray<Json>
  readonly links: ReadonlyArray<{ readonly title: string; readonly url: string }>
  /** Pictures, sound, files and links of the result, to be placed. What a view does not place stands above its content by itself. */
  readonly media: ReadonlyArray<HTMLElement>
  /** The data when it is structured or JSON; `undefined` when there is only text. */
  readonly json: Json
  readonly theme: "light" | "dark"
  /** BCP 47. */
  readonly locale: string
  /** IANA name. */
  readonly timeZone: string
  /**
   * `call("name", args)` calls a tool of the same server and answers with its data, as `render` would get it. `call(args)` calls
   * the tool of this page, and `render` runs again with the result. Rejects with the tool's message when the tool fails.
   */
  call(name: string, args?: Record<string, unknown>): Promise<Json>
  call(args: Record<string, unknown>): Promise<Json>
  /** Draws again with other data; a later result replaces it. */
  update(data: unknown): void
  /** Runs `run` every so many seconds (at least 1) until drawn again; not while the page is hidden. Answers with a stop function. */
  every(seconds: number, run: () => unknown): () => void
  /** Runs before the view is drawn again: the place to stop timers of your own. */
  onCleanup(run: () => void): void
  /** Opens an `http`, `https` or `mailto` address through the host; other addresses do nothing. */
  open(url: string): void
  /** Puts a message from the person into the conversation. */
  say(text: string): Promise<void>
  /** Tells the model what the person has chosen; an empty list takes it back. `noun` says what they are: "issues". */
  select(items: unknown, noun?: string): void
  /** Saves a file: text, bytes, any other value as JSON. The type is guessed from the name. Rejects where the host refuses. */
  download(name: string, content: unknown, mimeType?: string): Promise<void>
  copy(text: unknown): Promise<void>
}

export interface ShowOptions {
  /**
   * The form for the tool's input: "collapsed" unless told; "open" stays open. A function draws one of your own: `args` is
   * what the host has sent, `call(args)` runs the tool.
   */
  form?: "collapsed" | "open" | "none" | ((args: Json, call: (args: Json) => Promise<unknown>) => Child)
  /** A name (blue, indigo, violet, plum, rose, orange, amber, green, teal, sky, slate) or a colour; the tool's own unless told. */
  accent?: string
  /** Where the view goes: an element or a selector; the body unless told. */
  into?: Element | string
}

/**
 * Shows the results of this page's tool. `render` runs for every result that is no error. `data` is the structured content, else
 * the JSON in the text (also after prose), else the text; `{}` when there is nothing. The form, loading, errors with a
 * retry, and the raw JSON are taken care of.
 */
export declare const show: (
  render: (data: Json, context: Context) => Child | void | Promise<Child | void>,
  options?: ShowOptions
) => void

/** The automatic view of a result, `resultView(ctx.result)`, or of any data, `resultView(await ctx.call("read", args))`. */
export declare const resultView: (answer: Json, options?: ResultViewOptions) => HTMLElement

export interface ResultViewOptions {
  /** Its titles become labels. */
  outputSchema?: unknown
  /** Names pictures for those who do not see them. */
  toolTitle?: string
  /** UTF-8 bytes of a text before "Show all". */
  maxBytes?: number
  /** What was sent, for the box of a failed call. */
  args?: Record<string, unknown>
  /** Buttons for the box of a failed call. */
  actions?: ReadonlyArray<HTMLElement>
}

// ------------------------------------------------------------------------------------------------ fields

export type FieldType =
  | "text"
  | "number"
  | "money"
  | "percent"
  | "date"
  | "datetime"
  | "time"
  | "relative"
  | "duration"
  | "bytes"
  | "year"
  | "boolean"
  | "badge"
  | "url"
  | "image"
  | "color"
  | "id"
  | "list"
  | "meter"
  | "coordinate"
  | "json"

/** How a value is shown. What is left out is guessed from the name and the values. */
export interface Format {
  type?: FieldType
  /** Text after a number, such as "km". Of a duration: what its numbers count, "s" unless told. */
  unit?: string
  /** Digits after the point. */
  digits?: number
  /** ISO 4217, such as "EUR". */
  currency?: string
  /** Percent: 1 if 0.04 is 4%, 100 if 4 is. Meter: the value that is full. */
  of?: number
  /** Of a badge: a tone, or tones by value. */
  tone?: Tone | string | { readonly [value: string]: Tone | string }
}

/** One member of a record: a table column, a line of a detail, a figure, a series of a chart. */
export interface Field extends Format {
  /** The member's name; `a.b` reaches inside. */
  key: string
  label?: string
  align?: "start" | "end" | "center"
  /** Content of its own; the usual content where it answers nothing or throws. */
  render?: (value: Json, row: Json) => Child
}

/** `"key"`, `{key: "Label"}`, or a list of names and fields. */
export type Fields =
  | string
  | Field
  | ReadonlyArray<string | Field>
  | { readonly [key: string]: string | Omit<Field, "key"> }

/** A member's name, or a function of the item. */
export type Pick = string | ((item: Json) => Child)

// ------------------------------------------------------------------------------------------------ data

export interface TableOptions {
  /** Unless told, the members that say most; the others are one press away. */
  columns?: Fields
  /** A column's name, with "-" before it for descending; `{key, desc}` too. */
  sort?: string | { readonly key: string; readonly desc?: boolean }
  /** Whether there is a box that filters the rows; from 9 rows on unless told. */
  filter?: boolean
  /** The member whose values stand above as chips with counts; a state, from 9 rows on, unless told. */
  groups?: string | false
  pageSize?: number
  title?: string
  /** What stands there when there are no rows. */
  empty?: Child
  /** Called in place of putting the rows in another order. */
  onSort?: (sort: { readonly key: string; readonly desc: boolean } | undefined) => void
  /** Called when a row's first cell is pressed. */
  onRow?: (row: Json) => unknown
  /** What unfolds below a row: `true` for all members, or a function. */
  expand?: boolean | ((row: Json) => Child)
  /** Whether rows can be chosen. Without `onSelect` the model is told what is chosen. */
  select?: boolean | "one" | "many"
  onSelect?: (rows: ReadonlyArray<Json>) => unknown
  /** What the rows are, for the model: "issues". The title, or "rows", unless told. */
  noun?: string
  /** Whether a person can choose the columns; without `columns`, when there are more than fit. */
  choose?: boolean
  /** Labels by name, for columns that are not told. */
  labels?: { readonly [key: string]: string }
  /** Whether copy and download stand above the rows (below, with `select`); from 9 rows on, or with `select`, unless told. */
  download?: boolean
}

/** Rows that sort by their headers, filter and page by themselves. */
export declare const table: (rows?: unknown, options?: TableOptions) => HTMLElement

/** What a table of records can be told; the rest goes by the tools. */
export interface RecordsOptions {
  columns?: Fields
  title?: string
  labels?: { readonly [key: string]: string }
  choose?: boolean
  empty?: Child
  download?: boolean
}

/**
 * The rows of a list, joined with the tools that get, create, update and delete them: only in pages of tools that have such
 * neighbours. Takes what `show` hands to its function as second.
 */
export declare const records: (
  call?: { readonly result: unknown; readonly args: Json },
  options?: RecordsOptions
) => HTMLElement

export interface ChartOptions extends Omit<Format, "of" | "tone"> {
  /** The member along the axis; the first date or text unless told. */
  x?: string
  /** The series; the numbers that fit together unless told. */
  y?: Fields
  title?: string
  /** CSS pixels. */
  height?: number
  /** Bars or areas on top of each other. */
  stacked?: boolean
  /** Bars that run along the line, for long labels. */
  horizontal?: boolean
  min?: number
  max?: number
  empty?: string
}

/** Rows, `{label: number}`, or a list of numbers. A missing value is a gap. */
export declare const chart: {
  /** `chart(rows, {type: "bar"})` is `chart.bar(rows)`. */
  (rows?: unknown, options?: Omit<ChartOptions, "type"> & { type?: string }): HTMLElement
  line(rows?: unknown, options?: ChartOptions): HTMLElement
  area(rows?: unknown, options?: ChartOptions): HTMLElement
  bar(rows?: unknown, options?: ChartOptions): HTMLElement
  scatter(rows?: unknown, options?: ChartOptions): HTMLElement
  pie(rows?: unknown, options?: ChartOptions): HTMLElement
  /** A grid of values, the larger the stronger. */
  heat(rows?: unknown, options?: HeatOptions): HTMLElement
}

export interface StatOptions extends Format {
  /** Below the value. */
  note?: Child
}

/** One figure with its label. */
export declare const stat: (label?: Child, value?: Child, options?: StatOptions) => HTMLElement

/** One of several figures. */
export interface StatItem extends StatOptions {
  label?: Child
  value?: unknown
}

/** Figures side by side: a list of `{label, value, …}`, or a record. */
export declare const stats: (
  items?: ReadonlyArray<StatItem | Node | null | undefined | false> | { readonly [label: string]: unknown },
  options?: { fields?: Fields }
) => HTMLElement

export interface DetailOptions {
  fields?: Fields
  title?: string
  /** Whether empty values are left out; they are unless `false`. */
  hideEmpty?: boolean
  /** Whether a button copies each value. */
  copy?: boolean
}

/** Names and values of one record; values may be nodes. Objects and lists inside are folded. */
export declare const detail: (record?: unknown, options?: DetailOptions) => HTMLElement

export interface CardsOptions {
  title?: Pick
  subtitle?: Pick
  badge?: Pick
  /** A `data:` image: hosts block all others. */
  image?: Pick
  /** An address for the title. */
  href?: Pick
  fields?: Fields
  /** More content. */
  content?: (item: Json) => Child
  /** Nodes at the foot, such as buttons. */
  actions?: (item: Json) => Child
  /** When the title is pressed. */
  onClick?: (item: Json) => unknown
  empty?: Child
}

/** Items as cards in a grid. Title, subtitle, badge, image and address are guessed unless told. */
export declare const cards: (items?: unknown, options?: CardsOptions) => HTMLElement

export interface ListOptions {
  title?: Pick
  text?: Pick
  /** At the end of the line. */
  meta?: Pick
  badge?: Pick
  href?: Pick
  ordered?: boolean
  onClick?: (item: Json) => unknown
  /** The whole content of an item. */
  render?: (item: Json) => Child
  empty?: Child
}

/** Items below each other: nodes, text, or records, of which title, text, meta and badge are guessed unless told. */
export declare const list: (items?: unknown, options?: ListOptions) => HTMLElement

export interface TimelineOptions {
  time?: Pick
  title?: Pick
  text?: Pick
  badge?: Pick
  empty?: Child
}

/** Events in the order given. */
export declare const timeline: (items?: unknown, options?: TimelineOptions) => HTMLElement

export interface TreeOptions {
  /** How many levels are unfolded; 1 unless told. */
  open?: number
  label?: string
  /** Keys as words, counted from one, and values as a table shows them; otherwise as the data has them. */
  words?: boolean
}

/** Nested data, folded: any JSON, or `{name, children}`. */
export declare const tree: (value?: unknown, options?: TreeOptions) => HTMLElement

/** A short label, or several: text, `{text, tone}`, or a list of them. Words such as "failed" have a tone of their own. */
export declare const badge: (content?: unknown, tone?: Tone | string | { tone?: string }) => HTMLElement

export interface MeterOptions {
  /** The value that is full: 1 for values up to 1 unless told, else 100. */
  max?: number | undefined
  min?: number
  /** For screen readers. */
  label?: string
  /** Beside the bar; the share in percent unless told. */
  text?: string
  tone?: Tone | string
}

/** A bar that shows how much of a whole a number is. */
export declare const meter: (value?: unknown, options?: MeterOptions) => HTMLElement

/** A picture by its name, or by words that mean one: "rain", "database", "pull request". */
export type IconWord = string

export interface HeroOptions extends Format {
  /** What the value is, above it. */
  label?: Child
  /** What it means, below it. */
  note?: Child
  /** Colours the whole: a status that went well or badly. Words such as "Valid" and "failed" have one by themselves. */
  tone?: Tone | string
  icon?: IconWord | false
  badge?: unknown
  /** What belongs to it, in a line: a record, or a list of `{label, value}`. */
  facts?: unknown
  actions?: Child
}

/** The answer itself, as large as it can be: a status, a figure, a word. `hero(value, "Label")` is short for the label. */
export declare const hero: (value?: Child, options?: HeroOptions | string) => HTMLElement

export interface StepsOptions {
  title?: Pick
  text?: Pick
  /** Done, active, failed or open: guessed from words such as "completed" and "in progress". */
  state?: Pick
  badge?: Pick
  time?: Pick
  onClick?: (item: Json) => unknown
  content?: (item: Json) => Child
  actions?: (item: Json) => Child
  /** Whether "2 of 5 done" stands above; it does when one is done. */
  progress?: boolean
  empty?: Child
}

/** Tasks, a plan, a procedure: numbered, each with its state. */
export declare const steps: (items?: unknown, options?: StepsOptions) => HTMLElement

export interface FilesOptions {
  path?: Pick
  /** Bytes, or text. */
  size?: Pick
  time?: Pick
  onClick?: (item: Json) => unknown
  /** More at the end of the line. */
  meta?: (item: Json) => Child
  empty?: Child
}

/** Paths or records of files, by folder, each with a picture of its kind. */
export declare const files: (items?: unknown, options?: FilesOptions) => HTMLElement

export interface HitsOptions {
  /** What was searched for: its words are marked. */
  query?: unknown
  title?: Pick
  text?: Pick
  path?: Pick
  line?: Pick
  /** At the end of the first line. */
  meta?: Pick
  href?: Pick
  onClick?: (item: Json) => unknown
  actions?: (item: Json) => Child
  empty?: Child
}

/** What a search found, with the words marked. */
export declare const hits: (items?: unknown, options?: HitsOptions) => HTMLElement

export interface FindingsOptions {
  /** The tone of each, by a word such as "error". */
  severity?: Pick
  /** One tone for all. */
  tone?: Tone | string
  title?: Pick
  /** A file, a path, a rule. */
  place?: Pick
  line?: Pick
  /** What would mend it. */
  fix?: Pick
  onClick?: (item: Json) => unknown
  actions?: (item: Json) => Child
  /** What stands there when nothing was found. */
  empty?: Child
}

/** Problems that a check found: the worst first. */
export declare const findings: (items?: unknown, options?: FindingsOptions) => HTMLElement

export interface LogOptions {
  empty?: Child
}

/** Lines with their time and level, and chips that choose a level: a text, or records. */
export declare const log: (source?: unknown, options?: LogOptions) => HTMLElement

export interface CompareOptions {
  /** Headings; "Before" and "After" unless told. */
  before?: Child
  after?: Child
  fields?: Fields
}

/**
 * Two values side by side; of records, what differs. `compare([[before, after, note]], {before, after})` shows pairs, an
 * arrow in each: what became what.
 */
export declare const compare: (before?: unknown, after?: unknown, options?: CompareOptions) => HTMLElement

export interface ScaleOptions {
  /** The ends of the line; round numbers around the values unless told. */
  min?: number
  max?: number
  unit?: string
  /** What is marked and named: `{Mean: 22}` or `[{value, label}]`. A single value is marked by itself. */
  marks?: unknown
  /** A stretch of the line: `[from, to]`. */
  band?: readonly [number, number]
  /** A second unit: the value in it is the value times `factor`. Draws a ruler. */
  second?: { unit?: string; factor: number }
}

/** A number or a list of numbers on a line, each where it is. */
export declare const scale: (values?: unknown, options?: ScaleOptions) => HTMLElement

/**
 * One value in large letters, its pieces in colours, with the meaning of each below it: `[{text, label, tone}]` or
 * `[[text, label, tone]]`. Pieces without a label are muted: the separators.
 */
export declare const anatomy: (pieces?: unknown) => HTMLElement

export interface CardOptions {
  /** The name of an icon, or a letter, a picture. */
  icon?: Child
  /** The colour of the tile: of a state, else the accent of the view. */
  tone?: Tone
  /** Small, above the title: what it is about. */
  subject?: Child
  /** Large: the finding itself. */
  title?: Child
  /** Muted, below the title. */
  text?: Child
  /** At the right of the head; below it where there is no room. */
  actions?: Child
  /** A line of `[value, unit]`; those without a value are left out. */
  facts?: ReadonlyArray<ReadonlyArray<Child> | false | null | undefined | "" | 0>
  /** A last small line. */
  foot?: Child
}

/**
 * The page as one card: a head, a line of facts, then the children, each with room around it and a hairline above; parts have no
 * frame of their own in it. `card(options, ...children)`.
 */
export declare const card: (options?: CardOptions, ...children: ReadonlyArray<Child>) => HTMLElement

/** A muted line over the content of a card: its name, then small buttons at the right. */
export declare const bar: (title?: Child, ...actions: ReadonlyArray<Child>) => HTMLElement

export interface CellsOptions {
  /** How many stand in a line; all of a row, at most 31, unless told. */
  columns?: number
}

/**
 * Squares in rows: a list, or lists by the name of their row, of `{label, on, value, title, tone}`, truth values or numbers. One is
 * filled where `on` is true, or as strongly as its value is beside the largest.
 */
export declare const cells: (items?: unknown, options?: CellsOptions) => HTMLElement

/** A small button that copies `text`: the sign alone, or with a label. */
export declare const copy: (text?: unknown, label?: Child) => HTMLElement

/** Lines of label, exact value and its meaning in small print: `[[label, value, note]]`; code stands in monospace, long code with Copy. */
export declare const facts: (
  rows?: ReadonlyArray<ReadonlyArray<Child> | Child> | { readonly [label: string]: Child }
) => HTMLElement

export interface RequestOptions {
  method?: string
  url?: string
  query?: unknown
  headers?: unknown
  body?: unknown
  status?: unknown
  statusText?: unknown
  /** Milliseconds that it took. */
  ms?: unknown
  responseHeaders?: unknown
  response?: unknown
}

/** An HTTP request with its response, and "Copy cURL". */
export declare const request: (options?: RequestOptions) => HTMLElement

export interface PageOptions {
  title?: Child
  /** Where it is from: a file, an address. */
  source?: Child
  number?: unknown
  /** How many pages there are. */
  of?: unknown
}

/** A sheet of paper: a page of a document, an article, a letter; text may be Markdown. */
export declare const page: (content?: unknown, options?: PageOptions) => HTMLElement

export interface BarsOptions extends Omit<Format, "tone"> {
  label?: Pick
  value?: Pick
  note?: Pick
  /** The value of a full bar; the largest one unless told. */
  max?: number
  tone?: Tone | string | ((item: Json) => string)
  /** Whether the largest stands first; it does unless `false`. */
  sort?: boolean
  href?: Pick
  onClick?: (item: Json) => unknown
  empty?: Child
}

/** Names with their amounts as bars behind them: rows, or `{name: number}`. */
export declare const bars: (items?: unknown, options?: BarsOptions) => HTMLElement

export interface RatingOptions {
  /** The best grade; 5 unless told. */
  of?: number
  /** How many have given it. */
  count?: unknown
}

/** A grade as stars. */
export declare const rating: (value?: unknown, options?: RatingOptions) => HTMLElement

export interface PeopleOptions {
  /** The name. */
  title?: Pick
  /** The role, the address. */
  text?: Pick
  badge?: Pick
  href?: Pick
  onClick?: (item: Json) => unknown
  actions?: (item: Json) => Child
  empty?: Child
}

/** People, each with the letters of the name in a circle. */
export declare const people: (items?: unknown, options?: PeopleOptions) => HTMLElement

/** The letters of a name in a circle, to stand beside it. */
export declare const avatar: (name?: unknown) => HTMLElement

export interface ScheduleOptions {
  start?: Pick
  end?: Pick
  title?: Pick
  text?: Pick
  badge?: Pick
  tone?: Pick
  href?: Pick
  onClick?: (item: Json) => unknown
  actions?: (item: Json) => Child
  empty?: Child
}

/** Appointments and moments, by day. */
export declare const schedule: (items?: unknown, options?: ScheduleOptions) => HTMLElement

export interface DaysOptions {
  type?: FieldType
  unit?: string
  date?: Pick
  /** The main value. */
  value?: Pick | false
  /** The second value. */
  low?: Pick | false
  text?: Pick
  /** Words that mean a picture; those of the text unless told. */
  icon?: Pick
  empty?: Child
}

/** A strip of days or hours, each with a picture and one or two values: a forecast. */
export declare const days: (items?: unknown, options?: DaysOptions) => HTMLElement

export interface MapOptions {
  lat?: string
  lon?: string
  title?: Pick
  text?: Pick
  href?: Pick
  onClick?: (item: Json) => unknown
  empty?: Child
}

/** Places as points that lie to each other as they do in the world, with a scale. There are no map tiles. */
export declare const map: (items?: unknown, options?: MapOptions) => HTMLElement

export interface GraphOptions {
  /** The member by which relations name a node; `id` or `name` unless told. */
  id?: string
  title?: Pick
  /** What gives the colour. */
  group?: Pick
  empty?: Child
}

/** Things and the relations between them, drawn: `graph(nodes, [{from, to, label}])`. A node with a `tone` is marked. */
export declare const graph: (nodes?: unknown, edges?: unknown, options?: GraphOptions) => HTMLElement

export interface FrameOptions {
  /** In the bar, or above the content. */
  title?: Child
  /** Of a browser. */
  url?: Child
  badge?: unknown
  actions?: Child
  /** A quiet line at the foot. */
  foot?: Child
}

/**
 * Content in the frame of what it is: `frame("browser", ...children, {title, url})`. Kinds: browser, terminal, paper.
 */
export declare const frame: (
  kind?: "browser" | "terminal" | "paper" | (string & {}),
  ...children: ReadonlyArray<Child | FrameOptions>
) => HTMLElement

/** Colours to look at and copy. */
export declare const swatches: (items?: unknown) => HTMLElement

/** A line drawing: the icons of Lucide by the names that stand in the source, and a few more by any word that means one. */
export declare const icon: (name: IconWord, size?: number) => HTMLElement

export interface HeatOptions extends Omit<Format, "tone" | "of"> {
  x?: string
  y?: string
  value?: string
  title?: string
  empty?: string
}

/** Markdown as nodes. HTML in it stays text. */
export declare const markdown: (source?: unknown) => HTMLElement

export interface CodeOptions {
  /** Shown above; "diff" colours lines. */
  language?: string
  /** Lines are wrapped instead of scrolled. */
  wrap?: boolean
  /** Numbers before the lines: `true`, or the first number. */
  lines?: boolean | number
  title?: string
  /** UTF-8 bytes before "Show all". */
  maxBytes?: number
}

/** Preformatted text that scrolls in a region of its own, with a copy button. */
export declare const code: (content?: unknown, options?: CodeOptions | string) => HTMLElement

/** A value as indented JSON, with a copy button. */
export declare const json: (value?: unknown, options?: { title?: string; maxBytes?: number }) => HTMLElement

export interface ImageOptions {
  /** What it shows, for those who do not see it. */
  alt?: string
  caption?: Child
  /** CSS pixels. */
  width?: number
  height?: number
}

/** A picture: a `data:` URL, `{data, mimeType}`, or the source of an SVG. Other addresses become links: hosts block them. */
export declare const image: (source?: unknown, options?: ImageOptions) => HTMLElement

// ------------------------------------------------------------------------------------------------ layout

export interface HeaderOptions {
  subtitle?: Child
  /** A badge or several, as `badge` takes them. */
  badge?: unknown
  /** At the end of the line, such as buttons. */
  actions?: Child
  /** Beside the title; guessed from the tool unless told. */
  icon?: IconWord | false
  /** The colour of the icon; without an icon, the mark of the tone. */
  tone?: Tone
}

/** The title of the view. */
export declare const header: (title?: Child, options?: HeaderOptions | string) => HTMLElement

export interface SectionOptions {
  /** Whether it can be folded; with `open: false` it can in any case. */
  collapsible?: boolean
  open?: boolean
  badge?: unknown
  actions?: Child
}

/** A titled group: `section(title, ...children, options?)`. With a function as a child it is folded, and the function called when it is opened. */
export declare const section: (title?: Child, ...children: ReadonlyArray<LazyChild | SectionOptions>) => HTMLElement

export interface BoxOptions {
  /** A CSS length; a number is pixels. */
  gap?: string | number
  align?: "start" | "center" | "end" | "stretch" | "baseline"
  justify?: "start" | "center" | "end" | "between"
  /** Of a row: whether its children share the width evenly. */
  equal?: boolean
}

/** Children side by side, wrapped where there is no room: `row(...children, options?)`. */
export declare const row: (...children: ReadonlyArray<Child | BoxOptions>) => HTMLElement
/** Children below each other. */
export declare const stack: (...children: ReadonlyArray<Child | BoxOptions>) => HTMLElement
/** Controls in a line: buttons, chips, inputs. */
export declare const toolbar: (...children: ReadonlyArray<Child | BoxOptions>) => HTMLElement

export interface TabsOptions {
  /** The index or the label of the tab that is shown at first. */
  selected?: number | string
  /** What the tabs are, for screen readers. */
  label?: string
}

/**
 * Panels of which one is shown: `{Label: content}` or a list of `{label, content}`. A function is called when its tab is first
 * shown. What a person chose stays chosen when the view is drawn again.
 */
export declare const tabs: (
  items?: { readonly [label: string]: LazyChild } | ReadonlyArray<{ label: Child; content: LazyChild }>,
  options?: TabsOptions
) => HTMLElement

export interface TextOptions {
  tone?: Tone | string
  muted?: boolean
  strong?: boolean
  size?: "small" | "large"
  /** How many lines are shown until the text is pressed. */
  lines?: number
}

/** A paragraph; line breaks are kept. */
export declare const text: (content?: Child, options?: TextOptions | string) => HTMLElement

/** A line that says how something went; read out when it appears. */
export declare const status: (message?: Child, tone?: Tone | string | { tone?: string }) => HTMLElement

/** What stands where there is nothing to show, with more below it, such as a button. */
export declare const empty: (message?: Child, ...more: ReadonlyArray<Child>) => HTMLElement

export interface ErrorBoxOptions {
  title?: string
  message?: string
  /** Longer text, folded. */
  detail?: string
  /** The arguments of the call that failed, folded. */
  sent?: unknown
  actions?: Child
}

/** A failure: what happened, what to do next. Announced when it appears. A text or an `Error` is its message. */
export declare const errorBox: (options?: ErrorBoxOptions | string | Error) => HTMLElement

// ------------------------------------------------------------------------------------------------ controls

export interface ButtonOptions {
  kind?: "primary" | "secondary" | "danger" | "plain"
  small?: boolean
  disabled?: boolean
  /** Asked on the button itself before it acts: "Delete 3 files?" */
  confirm?: string
  /** For screen readers, when the label alone does not say enough. */
  title?: string | undefined
  icon?: IconWord
  /** Classes of its own, such as those of Tailwind. */
  class?: string
}

/**
 * A button. It is busy while the promise of `onClick` runs; an error appears beside it, and it can be pressed again. An element
 * that the promise answers with is shown below the row of the button, in the place of what one of them brought before.
 */
export declare const button: (
  label?: Child,
  onClick?: ((event: MouseEvent) => unknown) | null,
  options?: ButtonOptions
) => HTMLElement

/** Texts, `{label, value}`, or labels by value. */
export type Choices =
  | ReadonlyArray<string | number | { label?: string; value?: unknown; count?: number }>
  | { readonly [value: string]: string }

export interface ChipsOptions {
  /** What is chosen at first: a value, or a list of values with `multiple`. */
  value?: unknown
  multiple?: boolean
  /** What they choose, for screen readers. */
  label?: string
}

/** Choices as a row of toggle buttons. `onChange` gets the chosen value, or the list of chosen values with `multiple`. */
export declare const chips: (
  items?: Choices,
  onChange?: ((value: Json) => unknown) | null,
  options?: ChipsOptions
) => HTMLElement

export interface PagerOptions {
  /** From 1. */
  page?: number
  pages?: number
  /** Instead of `pages`: how many items there are, and how many a page has. */
  total?: number
  pageSize?: number
  /** With `pages` unknown: whether there is a next one. */
  hasMore?: boolean
  /** May answer with a promise; the button is busy while it runs. */
  onPage?: (page: number) => unknown
}

/** Previous and next, for pages that the server makes. */
export declare const pager: (options?: PagerOptions) => HTMLElement

export interface InputOptions {
  /** Text unless told; a choice with `options`, a checkbox where `value` is a boolean, a number where it is one. */
  type?:
    | "text"
    | "search"
    | "number"
    | "date"
    | "time"
    | "datetime"
    | "email"
    | "url"
    | "password"
    | "textarea"
    | "select"
    | "checkbox"
  value?: unknown
  options?: Choices
  placeholder?: string
  min?: number | string
  max?: number | string
  step?: number
  disabled?: boolean
  /** With every change: text, a number (`undefined` when empty), a boolean, the chosen value. */
  onChange?: (value: Json) => unknown
  /** The label of the button beside an input with `onEnter`, an arrow unless told; `false`: no button. */
  submit?: string | false
  /** When Enter or the button beside it is pressed. */
  onEnter?: (value: Json) => unknown
}

/** One input with a visible label; `value` is what it holds now. */
export declare const input: (
  label?: Child,
  options?: InputOptions | ((value: Json) => unknown)
) => HTMLElement & { value: Json }

export interface FormField extends InputOptions {
  key: string
  label?: string
  required?: boolean
}

/**
 * Inputs with one button. `onSubmit` gets `{key: value}` without what is empty; while its promise runs the button is busy, and
 * what it throws appears beside it.
 */
export declare const form: (
  fields?: ReadonlyArray<string | FormField> | { readonly [key: string]: string },
  onSubmit?: (values: Json) => unknown,
  options?: FormOptions
) => HTMLElement

/** One step of a wizard. */
export interface WizardStep {
  title?: Child
  text?: Child
  fields?: ReadonlyArray<string | FormField> | { readonly [key: string]: string }
}

export interface WizardOptions extends FormOptions {
  /** Whether all steps are on screen at once, as groups of one form. */
  all?: boolean
}

/**
 * A form in steps: Next asks for what is required, Back keeps what was typed, and the last step sends all values as `form`
 * does.
 */
export declare const wizard: (
  steps?: ReadonlyArray<WizardStep>,
  onSubmit?: (values: Json) => unknown,
  options?: WizardOptions
) => HTMLElement

export interface FormOptions {
  /** The label of the button; "Send" unless told. */
  submit?: string
  /** What the fields begin with, by key. */
  value?: unknown
}

// ------------------------------------------------------------------------------------------------ elements and text

export interface Attributes {
  class?: string | ReadonlyArray<string | false | null | undefined>
  /** CSS text, or properties by name. */
  style?: string | { readonly [property: string]: string | number | undefined }
  /** `data-…` attributes by name. */
  data?: { readonly [name: string]: unknown }
  /** Any attribute, or a function for `on…`. `null`, `undefined` and `false` leave it out. */
  [name: string]: unknown
}

/**
 * Any element; what loads or runs something is never made. Text is never parsed as HTML. Classes of Tailwind 4 may stand behind the
 * name: `h("div flex gap-3 rounded-xl border p-4", …)`; the page gets the rules of those that its source names.
 */
export declare const h: {
  <K extends keyof HTMLElementTagNameMap>(
    tag: K,
    attributes?: Attributes | Child,
    ...children: ReadonlyArray<Child>
  ): HTMLElementTagNameMap[K]
  (tag: string, attributes?: Attributes | Child, ...children: ReadonlyArray<Child>): HTMLElement
}

export interface NumberOptions {
  /** Digits after the point; as many as say something, at most 2, unless told. */
  digits?: number
  unit?: string
  /** 12,300,000 as 12.3M. */
  compact?: boolean
  /** A plus before what is above zero. */
  sign?: boolean
}

export interface PercentOptions {
  /** 1 if 0.04 is 4%, 100 if 4 is; values up to 1 are shares unless told. */
  of?: number | undefined
  digits?: number
  /** A plus before what is above zero. */
  sign?: boolean
}

export interface DateOptions {
  /** With the clock, if the value has one. */
  time?: boolean
  /** "short" leaves the year out, "long" adds the weekday; "medium" unless told. */
  style?: "short" | "medium" | "long"
}

/** Text for the host's locale and time zone. What is no number or date stays as it is; nothing is "–". */
export declare const fmt: {
  number(value: unknown, options?: NumberOptions): string
  money(value: unknown, currency?: string | { currency?: string; digits?: number }): string
  percent(value: unknown, options?: PercentOptions): string
  /** Of ISO 8601 text, epoch seconds or milliseconds, `Date`. */
  date(value: unknown, options?: DateOptions): string
  time(value: unknown): string
  /** "3 hours ago". */
  relative(value: unknown): string
  bytes(value: unknown): string
  /** `unit` is what the number counts, "s" unless told. */
  duration(value: unknown, unit?: "s" | "ms" | "min" | "h"): string
  /** "1 item", "2 items". */
  plural(count: unknown, one: string, many?: string): string
}
