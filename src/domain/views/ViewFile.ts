import { Result, Schema } from "effect"
import { findJsonTextProblem } from "../findJsonTextProblem.ts"
import { shortened } from "../shortened.ts"
import { type FileProblem, schemaProblems } from "../schemaProblems.ts"

/** A larger file is no view. */
export const MAX_VIEW_BYTES = 200_000

const TYPES =
  "text number money percent date datetime time relative duration bytes year boolean badge url image color id list meter coordinate json"
const TONES = ["neutral", "info", "success", "warning", "danger"] as const
const INPUTS = "text search number date time datetime email url password textarea select checkbox"

const described = <S extends Schema.Top>(schema: S, description: string): S["Rebuild"] =>
  schema.annotate({ description })

const words = <const Text extends string>(text: Text) => Schema.Literals(text.split(" "))
const maybe = Schema.optionalKey

/** Built on first use, as the configuration is. */
const define = () => {
  const expected = "a text that is not empty"
  const text = (description: string) => described(Schema.String.check(Schema.isMinLength(1, { expected })), description)
  const flag = (description: string) => described(Schema.Boolean, description)
  const count = (description: string) => {
    const expected = "a whole number from 1 to 100000"
    const checks = [
      Schema.isInt({ expected }),
      Schema.isBetween({ minimum: 1, maximum: 100_000 }, { expected })
    ] as const
    return described(Schema.Finite.check(...checks), description)
  }
  const list = <S extends Schema.Top>(item: S, description: string) =>
    described(Schema.Array(item).check(Schema.isMinLength(1, { expected: "a list with something in it" })), description)

  const format = {
    type: maybe(described(words(TYPES), "How values are shown; guessed unless set.")),
    unit: maybe(text("After a number, such as km.")),
    digits: maybe(described(Schema.Literals([0, 1, 2, 3, 4, 5, 6]), "Digits after the point.")),
    currency: maybe(text("ISO 4217, such as EUR."))
  }
  const tone = described(
    Schema.Union([Schema.Literals(TONES), Schema.Record(Schema.String, Schema.Literals(TONES))]),
    "A tone, or tones by value."
  )
  const field = Schema.Union([
    text("A member; a.b reaches inside."),
    Schema.Struct({
      key: text("A member; a.b reaches inside."),
      label: maybe(text("Its name on screen.")),
      ...format,
      of: maybe(described(Schema.Finite, "Percent: 1 if 0.04 is 4%. Meter: the value that is full.")),
      tone: maybe(tone),
      align: maybe(described(Schema.Literals(["start", "center", "end"]), "Where it stands in its column."))
    })
  ]).annotate({ identifier: "Field" })
  const fields = (description: string) => list(field, description)

  const choices = Schema.Union([
    list(Schema.String, "Values to choose from."),
    Schema.Record(Schema.String, Schema.String)
  ])
  const input = Schema.Union([
    text("An argument of the tool."),
    Schema.Struct({
      key: text("An argument of the tool."),
      label: maybe(text("Its name on screen; that of the schema unless set.")),
      type: maybe(described(words(INPUTS), "The control; by the schema unless set.")),
      options: maybe(described(choices, "What there is to choose, or labels by value.")),
      placeholder: maybe(text("In the empty control.")),
      required: maybe(flag("Whether it has to be filled in; as the schema says unless set."))
    })
  ]).annotate({ identifier: "Input" })
  const inputs = maybe(list(input, "Arguments of the tool, in this order."))
  const inputSection = { title: text("Above the fields."), text: maybe(text("Below the title.")), fields: inputs }

  const args = Schema.Record(Schema.String, Schema.Json)
  const action = Schema.Struct({
    label: text("On the button; {name} is a member."),
    call: maybe(text("The tool to call.")),
    args: maybe(described(args, "Its arguments; {name} is a member, {args.name} an argument of this call.")),
    say: maybe(text("What to say in the conversation.")),
    open: maybe(text("An address to open.")),
    copy: maybe(text("What to copy.")),
    again: maybe(flag("Whether this tool is called again when it is done.")),
    confirm: maybe(text("What to ask before.")),
    kind: maybe(described(Schema.Literals(["primary", "secondary", "danger", "plain"]), "How it looks.")),
    icon: maybe(text("A word that means a picture."))
  }).annotate({ identifier: "Action" })
  const actions = (description: string) => maybe(list(action, description))
  const item = maybe(
    described(
      Schema.Struct({
        title: maybe(text("A member, or a text with {members}.")),
        subtitle: maybe(text("Below the title.")),
        text: maybe(text("More of it.")),
        badge: maybe(text("A short label.")),
        meta: maybe(text("At the end of the line.")),
        image: maybe(text("A picture.")),
        href: maybe(text("An address for the title.")),
        state: maybe(text("Of a step: done, active, failed.")),
        time: maybe(text("When."))
      }),
      "What of an item stands where; guessed unless set."
    ).annotate({ identifier: "Item" })
  )

  const panel = {
    title: maybe(text("Above it; {name} is a member of the data, {args.name} an argument.")),
    from: maybe(text("The member of the data that is shown; found by itself unless set.")),
    actions: actions("Buttons for the whole.")
  }
  const rows = { ...panel, empty: maybe(text("What stands there when there is nothing.")) }
  const columns = {
    columns: maybe(fields("What there is to see, in this order.")),
    defaultColumns: maybe(list(Schema.String, "The columns shown at first; the others can be chosen.")),
    sort: maybe(text('A column, with "-" before it for descending.')),
    filter: maybe(flag("Whether there is a box that filters.")),
    pageSize: maybe(count("Rows on a page.")),
    noun: maybe(text("What the rows are: issues."))
  }
  const kinds = {
    table: {
      ...rows,
      ...columns,
      expand: maybe(flag("Whether a row unfolds to all its members.")),
      select: maybe(described(Schema.Literals(["one", "many"]), "Rows can be chosen, and the model is told.")),
      rowActions: actions("Buttons in each row.")
    },
    detail: {
      ...panel,
      fields: maybe(fields("What is shown, in this order.")),
      sections: maybe(
        list(
          Schema.Struct({
            title: text("Above the fields."),
            fields: fields("What is shown, in this order."),
            collapsible: maybe(flag("Whether it can be folded."))
          }),
          "Groups of fields, each with a title."
        )
      ),
      showEmpty: maybe(flag("Whether empty values are shown, too."))
    },
    cards: {
      ...rows,
      item,
      fields: maybe(fields("More of each item.")),
      rowActions: actions("Buttons on each card.")
    },
    list: { ...rows, item, ordered: maybe(flag("Whether the items are numbered.")) },
    chart: {
      ...rows,
      ...format,
      chart: described(Schema.Literals(["line", "area", "bar", "scatter", "pie", "heat"]), "The kind of chart."),
      x: maybe(text("The member along the axis.")),
      y: maybe(fields("The series.")),
      value: maybe(text("Of a heat map: the member that gives the strength.")),
      stacked: maybe(flag("Bars or areas on top of each other.")),
      horizontal: maybe(flag("Bars that run along the line."))
    },
    progress: {
      ...rows,
      value: maybe(text("The member that says how far it is.")),
      max: maybe(Schema.Union([Schema.Finite, text("The value that is full, or the member that has it.")])),
      steps: maybe(text("The member with the steps.")),
      item
    }
  } as const
  const page = {
    $schema: maybe(described(Schema.String, "The JSON Schema of this file, for editors.")),
    subtitle: maybe(text("Below the title.")),
    badge: maybe(text("Beside the title: a member, or a text with {members}.")),
    icon: maybe(text("A word that means a picture.")),
    accent: maybe(text("A name, such as teal, or a colour.")),
    look: maybe(described(Schema.Literals(["paper"]), "The air of the page.")),
    form: maybe(
      described(Schema.Literals(["collapsed", "open", "none"]), "The tool's own form: collapsed unless set.")
    ),
    refresh: maybe(count("Seconds after which the tool is called again; without a press only what is read-only."))
  }
  const tagged = <const Kind extends string, const Fields extends Schema.Struct.Fields>(kind: Kind, keys: Fields) =>
    Schema.Struct({ kind: described(Schema.Literal(kind), "What is drawn."), ...keys })
  /** The kinds that draw data, with more keys. */
  const panelsWith = <const Fields extends Schema.Struct.Fields>(more: Fields) =>
    [
      tagged("table", { ...more, ...kinds.table }),
      tagged("detail", { ...more, ...kinds.detail }),
      tagged("cards", { ...more, ...kinds.cards }),
      tagged("list", { ...more, ...kinds.list }),
      tagged("chart", { ...more, ...kinds.chart }),
      tagged("progress", { ...more, ...kinds.progress })
    ] as const
  const { actions: ownActions, title } = panel
  const submit = maybe(text("On the button."))
  const drawn = Schema.Union(panelsWith({})).annotate({ identifier: "Panel" })
  const result = maybe(described(drawn, "How the result is shown; by itself unless set."))
  const called = {
    call: maybe(text("The tool that has the data, which has to be read-only; this one unless set.")),
    args: maybe(described(args, "Its arguments."))
  }
  return Schema.Union([
    ...panelsWith(page),
    tagged("form", {
      ...page,
      title,
      submit,
      fields: inputs,
      sections: maybe(list(Schema.Struct(inputSection), "Groups of fields, each with a title.")),
      result
    }),
    tagged("wizard", {
      ...page,
      title,
      submit,
      steps: list(Schema.Struct(inputSection), "One after the other; values stay when a person goes back."),
      result
    }),
    tagged("search", {
      ...page,
      title,
      query: described(input, "The argument that is searched by."),
      filters: maybe(list(input, "More arguments: those with options as chips.")),
      paging: maybe(
        described(
          Schema.Struct({
            arg: text("The argument that says which page, from 1."),
            size: maybe(count("Items on a page.")),
            total: maybe(text("The member that says how many there are."))
          }),
          "Pages that the server makes."
        )
      ),
      results: described(drawn, "How what is found is shown.")
    }),
    tagged("picker", {
      ...page,
      ...rows,
      ...columns,
      select: maybe(described(Schema.Literals(["one", "many"]), "How many can be chosen; many unless set.")),
      pick: described(action, "What is done with what is chosen: {chosen.id} is its id, or the list of ids.")
    }),
    tagged("dashboard", {
      ...page,
      title,
      actions: ownActions,
      stats: maybe(fields("Figures, side by side.")),
      panels: list(Schema.Union(panelsWith(called)), "Each in its own card.")
    })
  ])
}

let defined: ReturnType<typeof define> | undefined

/** The Schema of `<tool>.view.json`. */
const viewFileSchema = (): ReturnType<typeof define> => (defined ??= define())

/** A declared view. */
export type ViewFile = ReturnType<typeof define>["Type"]

const found = (value: unknown): string => {
  if (Array.isArray(value)) return value.length === 0 ? "found an empty list" : "found a list"
  if (typeof value === "object" && value !== null) return "found an object"
  return `found ${shortened(JSON.stringify(value) ?? "nothing", 60)}`
}

/** Reads the text of the file, or says everything that is wrong with it. */
export const parseViewFile = (text: string): Result.Result<ViewFile, ReadonlyArray<FileProblem>> => {
  const malformed = findJsonTextProblem(text)
  if (malformed !== undefined) {
    const { column, expected, found, line } = malformed
    return Result.fail([{ path: "", text: `line ${line}, column ${column}: expected ${expected}, found ${found}` }])
  }
  const document: unknown = JSON.parse(text)
  return Result.mapError(
    Schema.decodeUnknownResult(viewFileSchema(), { errors: "all", onExcessProperty: "error" })(document),
    (error) => schemaProblems(error.issue, [], document, found)
  )
}

/** What is wrong with a file, in one text. */
export const viewProblemsText = (problems: ReadonlyArray<FileProblem>): string =>
  problems.map(({ path, text }) => (path === "" ? text : `${path}: ${text}`)).join("; ")

/** The JSON Schema (draft 2020-12) of the file, for editors. */
export const viewFileJsonSchema = () => {
  const { definitions, schema } = Schema.toJsonSchemaDocument(viewFileSchema(), { onExcessProperty: "error" })
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "mcp-gen-ui view",
    ...schema,
    ...(Object.keys(definitions).length === 0 ? {} : { $defs: definitions })
  }
}
