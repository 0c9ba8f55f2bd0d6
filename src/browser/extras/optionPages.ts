import { resultContent } from "../../domain/results/ResultContent.ts"
import { resultShape } from "../../domain/results/ResultShape.ts"
import { listedRows } from "../../domain/results/ListedRows.ts"
import type { FieldOptions } from "../../domain/tools/FieldOptions.ts"
import { pagingOf } from "../../domain/tools/ListPaging.ts"
import {
  membersOfRows,
  type Option,
  type OptionField,
  optionIn,
  optionMembers
} from "../../domain/tools/OptionMembers.ts"
import type { FormSession } from "../forms/FormSession.ts"
import type { JsonObject } from "../runtime/types.ts"

export interface OptionPage {
  readonly options: ReadonlyArray<Option>
  /** Asks for the next page, where there is one. */
  readonly next: (() => Promise<OptionPage>) | undefined
}

/** As the field takes it: text fields of servers whose ids are numbers get them as text. */
const fitting = (option: Option, { isNumber }: OptionField): ReadonlyArray<Option> => {
  if (isNumber) return typeof option.value === "number" ? [option] : []
  return [{ ...option, value: String(option.value) }]
}

/** Calls the tool that lists the values of a field. Fails with a sentence for the person at the form. */
export const askOptions = async (
  session: FormSession,
  field: OptionField,
  from: FieldOptions,
  args: JsonObject
): Promise<OptionPage> => {
  const result = await session.callTool(from.from, args)
  const { data, isError, message } = resultContent(result)
  if (isError) throw new Error(message || `${from.from} failed.`)
  const listed = listedRows(data) ?? resultShape(result).records
  if (listed === undefined) throw new Error(`${from.from} did not answer with a list.`)
  const { rest, rows } = listed
  const members = optionMembers(membersOfRows(rows), field, from)
  const options = rows.flatMap((row) => {
    const option = optionIn(row, members)
    return option === undefined ? [] : fitting(option, field)
  })
  if (rows.length > 0 && options.length === 0) throw new Error(`The rows of ${from.from} have no value for this field.`)
  const paging = pagingOf({ properties: from.paging }, args, { rest, count: rows.length })
  const more = paging?.hasMore === true ? paging.argumentsOf(paging.page + 1) : undefined
  return { options, next: more === undefined ? undefined : () => askOptions(session, field, from, more) }
}
