import { APP_SPECIFIER, PARTS_SPECIFIER } from "./HtmlRules.ts"
import { canonicalSpecifier } from "./ScriptImports.ts"
import { ITEM, member, param, RESULT } from "./Values.ts"
import type { Value, Values } from "./Values.ts"

/** What an import binds a name to: the specifier as the product knows it, and the name there. */
export interface ImportedFrom {
  readonly specifier: string | null
  readonly name: string
}

export const importedFrom = (specifier: string, name: string): ImportedFrom => ({
  specifier: canonicalSpecifier(specifier),
  name
})

export const isPart = (from: ImportedFrom | null | undefined, name: string): boolean =>
  from?.specifier === PARTS_SPECIFIER && from.name === name

const CONTEXT_CALLS = "call update open say select download copy every onCleanup".split(" ")
/** Parts that show one record, where the others show a list. */
const RECORDS: ReadonlySet<string> = new Set(["detail", "stats"])
/** Parts that give a function what a person chose or wrote. */
const CONTROLS: ReadonlySet<string> = new Set(["chips", "input", "form", "pager"])

/** What stands behind an import. */
export const importedValue = (values: Values, { specifier, name }: ImportedFrom): Value => {
  if (specifier === PARTS_SPECIFIER && name === "fmt") return values.fresh("isData")
  const value = values.fresh("isNative")
  const isHost = specifier === APP_SPECIFIER || (specifier === PARTS_SPECIFIER && name === "show")
  values.mark(values.part(value, RESULT), isHost ? "isData" : "isForeign")
  return value
}

/** `show(render)`: the data, and a context whose functions the host answers. Answers with the one that calls tools. */
export const callShow = (values: Values, render: Value): Value => {
  const context = values.fresh("isData")
  const data = values.part(render, param(0))
  values.mark(render, "isCalled")
  values.mark(data, "isData")
  for (const name of CONTEXT_CALLS) values.mark(values.part(context, member(name)), "isNative")
  values.mark(values.part(context, member("update")), "isFunction")
  values.join(values.part(values.part(context, member("update")), param(0)), data)
  values.join(values.part(render, param(1)), context)
  return values.part(context, member("call"))
}

/** What a part gives to the functions among its arguments. */
const giveItems = (values: Values, name: string, args: ReadonlyArray<Value>, given: Value): void => {
  const [first = given] = args
  const row = RECORDS.has(name) ? first : values.part(first, ITEM)
  args.forEach((arg, index) => {
    for (const [fn, path] of values.within(arg)) {
      if (!fn.isFunction) continue
      values.mark(fn, "isCalled")
      if (CONTROLS.has(name)) values.join(values.part(fn, param(0)), given)
      else if (index > 0 && path.length > 1) {
        const content = values.part(row, ITEM)
        values.join(content, values.part(content, ITEM))
        values.give(fn, 0, content)
        values.give(fn, 1, row)
      } else values.give(fn, 0, row)
      if (CONTROLS.has(name) && args.some((other) => values.holdsForeign(other))) values.mark(given, "isForeign")
    }
  })
}

/** What a part does with what it is given; `given` stands for what a person chose. */
export const callPart = (
  values: Values,
  name: string,
  args: ReadonlyArray<Value>,
  given: Value,
  result: Value
): void => {
  const [first, second] = args
  values.mark(result, name === "fmt" ? "isData" : "isForeign")
  if (name === "h" && second !== undefined) values.mark(second, "isShared")
  else if (name === "button" && second !== undefined) values.mark(second, "isHeard")
  else {
    if (CONTROLS.has(name)) values.mark(given, "isData")
    for (const choices of name === "pager" || !CONTROLS.has(name) ? [] : [first, optionsOf(values, second)]) {
      if (choices === undefined) continue
      values.join(given, values.part(choices, ITEM))
      values.join(given, values.part(values.part(choices, ITEM), member("value")))
    }
    giveItems(values, name, args, given)
  }
}

const optionsOf = (values: Values, given: Value | undefined): Value | undefined =>
  given === undefined ? undefined : values.of(given).parts.get(member("options"))
