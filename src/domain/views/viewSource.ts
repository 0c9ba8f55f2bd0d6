import { Result } from "effect"
import { labelOf } from "../labelOf.ts"
import type { FileProblem } from "../schemaProblems.ts"
import type { Tool } from "../tools/Tool.ts"
import { callOf, Code, codeOf, memberCode, type Names, textCode, valueCode } from "./viewCode.ts"
import type { ViewFile } from "./ViewFile.ts"
import { inputsOf } from "./viewInputs.ts"

type Kind<Name extends ViewFile["kind"]> = Extract<ViewFile, { readonly kind: Name }>
type Panel = Kind<"search">["results"]
type CalledPanel = Kind<"dashboard">["panels"][number]
type Action = NonNullable<Panel["actions"]>[number]
type Item = NonNullable<Extract<Panel, { readonly kind: "cards" }>["item"]>
type Field = NonNullable<Extract<Panel, { readonly kind: "cards" }>["fields"]>[number]

const DATA: Names = { of: "data", args: "ctx.args" }
const ROW: Names = { of: "row", args: "ctx.args" }

const keyOf = (field: Field): string => (typeof field === "string" ? field : field.key)

/** A member's name, or a function where a text has {members}. */
const pickCode = (pick: string | undefined): unknown => {
  const code = pick === undefined ? undefined : textCode(pick, ROW)
  return code instanceof Code ? new Code(`(row) => ${code.text}`) : code
}

const itemOptions = (item: Item = {}) =>
  Object.fromEntries(Object.entries(item).map(([name, pick]) => [name, pickCode(pick)]))

/** The columns that are shown at first, and labels for those that a person may choose. */
const columnOptions = ({
  columns,
  defaultColumns
}: {
  readonly columns?: ReadonlyArray<Field>
  readonly defaultColumns?: ReadonlyArray<string>
}) => {
  if (defaultColumns === undefined) return { columns }
  const told = new Map((columns ?? []).map((column) => [keyOf(column), column]))
  const others = [...told.values()].filter((column) => !defaultColumns.includes(keyOf(column)))
  const labels = others.flatMap((column) =>
    typeof column === "string" || column.label === undefined ? [] : [[column.key, column.label] as const]
  )
  return {
    columns: defaultColumns.map((key) => told.get(key) ?? key),
    labels: labels.length === 0 ? undefined : Object.fromEntries(labels),
    choose: true
  }
}

/**
 * The source of a page for a declared view: a composition of parts, as a model or a person would write it, so that it goes
 * their way from here on. Fails with what does not fit the tool.
 */
export const viewSource = (view: ViewFile, tool: Tool): Result.Result<string, ReadonlyArray<FileProblem>> => {
  const problems: Array<FileProblem> = []
  const inputs = inputsOf(tool, problems)
  const problem = (path: string, text: string): void => void problems.push({ path, text })

  const assureCallable = (name: string, path: string): void => {
    const names = tool.callable
    if (names.length > 1 && !names.includes(name)) {
      problem(path, `found ${JSON.stringify(name)}; allowed: ${names.join(", ")}`)
    }
  }

  const actionCode = (action: Action, names: Names, path: string): Code => {
    const { again, args = {}, call, confirm, copy, icon, kind, label, open, say } = action
    const deeds: Array<string> = []
    if (call !== undefined) {
      assureCallable(call, `${path}.call`)
      deeds.push(codeOf(callOf("ctx.call", call, valueCode(args, names))))
    }
    if (say !== undefined) deeds.push(codeOf(callOf("ctx.say", textCode(say, names))))
    if (open !== undefined) deeds.push(codeOf(callOf("ctx.open", textCode(open, names))))
    if (copy !== undefined) deeds.push(codeOf(callOf("ctx.copy", textCode(copy, names))))
    if (again === true) deeds.push("ctx.call(ctx.args)")
    if (deeds.length === 0) problem(path, "does nothing; give it one of call, say, open, copy, again")
    const isChosen = names.chosen !== undefined
    if (isChosen) deeds.unshift('if (chosen.length === 0) throw new Error("Choose something first.")')
    const [only = ""] = deeds
    const run =
      deeds.length === 1
        ? `() => ${only}`
        : `async () => { ${deeds.map((deed) => (deed.startsWith("if ") ? deed : `await ${deed}`)).join("; ")} }`
    return callOf("button", textCode(label, names), new Code(run), {
      kind,
      icon,
      confirm: confirm === undefined ? undefined : textCode(confirm, names)
    })
  }
  const actionCodes = (actions: ReadonlyArray<Action> | undefined, names: Names, path: string) => {
    const codes = (actions ?? []).map((action, at) => actionCode(action, names, `${path}[${at}]`))
    return codes.length === 0 ? undefined : codes
  }

  const ofData = (path: string | undefined): Code => new Code(path === undefined ? "data" : memberCode("data", path))

  /** What a panel draws, without its title and actions. */
  const drawn = (panel: Panel, path: string): ReadonlyArray<Code> => {
    const data = ofData(panel.from)
    switch (panel.kind) {
      case "table": {
        const { empty, expand, filter, noun, pageSize, rowActions, select, sort } = panel
        const { columns, ...more } = columnOptions(panel)
        const buttons = actionCodes(rowActions, ROW, `${path}rowActions`)
        const last =
          buttons === undefined
            ? []
            : [
                {
                  key: "actions",
                  label: "Actions",
                  render: new Code(`(_, row) => row && ${codeOf(callOf("toolbar", ...buttons))}`)
                }
              ]
        if (buttons !== undefined && columns === undefined) {
          problem(`${path}columns`, "is missing: with rowActions the columns have to be named")
        }
        const options = { ...more, sort, filter, pageSize, expand, select, noun, empty }
        return [callOf("table", data, { columns: columns && [...columns, ...last], ...options })]
      }
      case "detail": {
        const hideEmpty = panel.showEmpty === true ? false : undefined
        const { fields, sections = [] } = panel
        const groups = sections.map(({ collapsible, fields, title }) =>
          callOf("section", title, callOf("detail", data, { fields, hideEmpty }), { collapsible })
        )
        const whole = callOf("detail", data, { fields, hideEmpty })
        return fields === undefined && groups.length > 0 ? groups : [whole, ...groups]
      }
      case "cards": {
        const { empty, fields, item, rowActions } = panel
        const buttons = actionCodes(rowActions, ROW, `${path}rowActions`)
        const actions = buttons === undefined ? undefined : new Code(`(row) => ${codeOf(buttons)}`)
        return [callOf("cards", data, { ...itemOptions(item), fields, actions, empty })]
      }
      case "list":
        return [callOf("list", data, { ...itemOptions(panel.item), ordered: panel.ordered, empty: panel.empty })]
      case "chart": {
        const { chart, currency, digits, empty, horizontal, stacked, type, unit, value, x, y } = panel
        const options = { x, y, value, type, unit, digits, currency, stacked, horizontal, empty }
        return [callOf(`chart.${chart}`, data, options)]
      }
      case "progress": {
        const { empty, item, max, steps, value } = panel
        const of = (name: string) => new Code(memberCode(codeOf(data), name))
        const full = typeof max === "string" ? of(max) : max
        const meter =
          value === undefined ? [] : [callOf("meter", of(value), { max: full, label: panel.title ?? "Progress" })]
        const isList = steps !== undefined || value === undefined
        const source = steps === undefined ? data : of(steps)
        return isList ? [...meter, callOf("steps", source, { ...itemOptions(item), empty })] : meter
      }
    }
  }

  /** A panel below the top of the page. */
  const panelCode = (panel: Panel, path: string): Code => {
    const inner = drawn(panel, path)
    const actions = actionCodes(panel.actions, DATA, `${path}actions`)
    const title = panel.title === undefined ? "" : textCode(panel.title, DATA)
    return callOf("section", title, ...inner, { actions })
  }

  const calledPanel = (panel: CalledPanel, path: string): Code => {
    const { args = {}, call, ...rest } = panel
    const code = panelCode(rest as Panel, path)
    if (call === undefined) return code
    assureCallable(call, `${path}call`)
    return new Code(`${codeOf(callOf("ctx.call", call, valueCode(args, DATA)))}.then((data) => ${code.text})`)
  }

  /** Statements before the children, the children, and options of `show`. */
  interface Page {
    readonly before?: ReadonlyArray<string>
    readonly children: ReadonlyArray<Code>
    readonly form?: Code | string
    readonly actions?: ReadonlyArray<Action> | undefined
  }

  const resultPanel = (result: Panel | undefined): ReadonlyArray<Code> =>
    result === undefined ? [new Code("resultView(ctx.result)")] : [panelCode(result, "result.")]

  const page = (): Page => {
    switch (view.kind) {
      case "form": {
        const { fields, sections, submit } = view
        const options = { submit, value: new Code("args") }
        const call = new Code("call")
        const body =
          sections === undefined
            ? callOf("form", inputs.all(fields ?? inputs.usual, "fields"), call, options)
            : callOf("wizard", stepsOf(sections, "sections"), call, { ...options, all: true })
        return { form: new Code(`(args, call) => ${body.text}`), children: resultPanel(view.result) }
      }
      case "wizard": {
        const options = { submit: view.submit, value: new Code("args") }
        const body = callOf("wizard", stepsOf(view.steps, "steps"), new Code("call"), options)
        return { form: new Code(`(args, call) => ${body.text}`), children: resultPanel(view.result) }
      }
      case "search": {
        const { filters = [], paging, query, results } = view
        const first = paging === undefined ? "" : `${codeOf({ [paging.arg]: 1 }).slice(2, -2)}, `
        const control = (given: typeof query, path: string): Code => {
          const { key, label, options, type, ...more } = inputs.input(given, path)
          const now = new Code(memberCode("ctx.args", key))
          const again = new Code(`(value) => again({ ${codeOf({ [key]: new Code("value") }).slice(2, -2)} })`)
          if (options !== undefined) return callOf("chips", options, again, { value: now, label })
          return callOf("input", label, {
            ...more,
            type: path === "query" ? "search" : type,
            value: now,
            onEnter: again
          })
        }
        const controls = [control(query, "query"), ...filters.map((filter, at) => control(filter, `filters[${at}]`))]
        if (paging !== undefined) inputs.assureKnown(paging.arg, "paging.arg")
        const pager = paging && {
          page: new Code(memberCode("ctx.args", paging.arg)),
          total: paging.total === undefined ? undefined : ofData(paging.total),
          pageSize: paging.size,
          onPage: new Code(`(page) => again({ ${codeOf({ [paging.arg]: new Code("page") }).slice(2, -2)} })`)
        }
        return {
          before: [`const again = (change) => ctx.call({ ...ctx.args, ${first}...change })`],
          children: [
            callOf("toolbar", ...controls),
            panelCode(results, "results."),
            ...(pager === undefined ? [] : [callOf("pager", pager)])
          ]
        }
      }
      case "picker": {
        const { empty, filter, noun, pageSize, pick, select = "many", sort } = view
        const chosen = (path: string): string =>
          select === "one" ? memberCode("chosen[0]", path) : `chosen.map((row) => ${memberCode("row", path)})`
        const onSelect = new Code(
          `(rows) => { chosen = rows; ${codeOf(callOf("ctx.select", new Code("rows"), noun))} }`
        )
        const options = { ...columnOptions(view), sort, filter, pageSize, noun, empty, select, onSelect }
        return {
          before: ["let chosen = []"],
          children: [
            callOf("table", ofData(view.from), options),
            callOf("toolbar", actionCode({ kind: "primary", ...pick }, { ...DATA, chosen }, "pick"))
          ],
          actions: view.actions
        }
      }
      case "dashboard": {
        const { panels, stats } = view
        const figures = stats === undefined ? [] : [callOf("stats", new Code("data"), { fields: stats })]
        const style = {
          display: "grid",
          gap: "18px",
          gridTemplateColumns: "repeat(auto-fit, minmax(min(100%, 300px), 1fr))"
        }
        const cells = panels.map((panel, at) => calledPanel(panel, `panels[${at}].`))
        return {
          children: [...figures, callOf("h", "div", { style }, ...cells.map((cell) => callOf("stack", cell)))],
          actions: view.actions
        }
      }
      default:
        return { children: drawn(view, ""), actions: view.actions }
    }
  }

  const stepsOf = (steps: Kind<"wizard">["steps"], path: string) =>
    steps.map(({ fields, text, title }, at) => ({ title, text, fields: inputs.all(fields, `${path}[${at}].fields`) }))

  const { actions, before = [], children, form } = page()
  const { accent, badge, icon, look, refresh, subtitle } = view
  const head = callOf("header", textCode(view.title ?? tool.title ?? labelOf(tool.name), DATA), {
    subtitle: subtitle === undefined ? undefined : textCode(subtitle, DATA),
    badge: badge === undefined ? undefined : badge.includes("{") ? textCode(badge, DATA) : ofData(badge),
    icon,
    actions: actionCodes(actions, DATA, "actions")
  })
  const statements = [
    ...(refresh === undefined ? [] : [`ctx.every(${refresh}, () => ctx.call(ctx.args))`]),
    ...before,
    `return [\n    ${[head, ...children].map(({ text }) => text).join(",\n    ")}\n  ]`
  ]
  const options = codeOf({ form: form ?? view.form, accent, look })
  const code = `show((data, ctx) => {\n  ${statements.join("\n  ")}\n}${options === "{}" ? "" : `, ${options}`})`
  const used = PARTS.filter((part) => code.includes(`${part}(`) || code.includes(`${part}.`))
  if (problems.length > 0) return Result.fail(problems)
  return Result.succeed(
    `${LEFT_OUT}\n<script type="module">\nimport { ${used.join(", ")} } from "mcp-gen-ui/parts"\n${code}\n</script>`
  )
}

/** A person chose what is shown: a page does not add what a view leaves out. */
const LEFT_OUT = "<style>.mg-left { display: none }</style>"

/** The parts that views are made of. */
const PARTS =
  "show header table detail cards list chart stats meter steps section stack toolbar button chips input pager form wizard resultView h".split(
    " "
  )
