import { givenBySchema } from "./givenBySchema.ts"
import { isRecord, pointerStep, sameJson, shortJson } from "./json.ts"

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/

const isSameScalar = (entered: unknown, arrived: unknown): boolean => {
  if (sameJson(entered, arrived)) return true
  if (typeof entered !== "string" || typeof arrived !== "string") return false
  // The same moment may be written in another way.
  return DATE_TIME.test(entered) && DATE_TIME.test(arrived) && Date.parse(entered) === Date.parse(arrived)
}

/** A group or a list that was opened, and nothing entered in it. */
const isEmpty = (value: unknown): boolean =>
  (isRecord(value) && Object.values(value).every(isEmpty)) || (Array.isArray(value) && value.length === 0)

/**
 * How what arrived differs from what was entered by hand; empty if it is the same. Defaults and constants of the schema may be
 * there or missing, what was opened and left empty may be left out, the order of members is free, and a moment may be written in another way.
 */
export const enteredArrived = (entered: unknown, arrived: unknown, schema: unknown): ReadonlyArray<string> => {
  const given = givenBySchema(schema)
  const differences = (left: unknown, right: unknown, path: string): ReadonlyArray<string> => {
    if (isRecord(left) && isRecord(right)) {
      const names = new Set([...Object.keys(left), ...Object.keys(right)])
      return [...names].flatMap((name) => {
        const here = `${path}${pointerStep(name)}`
        const [has, got] = [Object.hasOwn(left, name), Object.hasOwn(right, name)]
        if (has && got) return differences(left[name], right[name], here)
        const isGiven = (value: unknown): boolean => given.get(name)?.some((known) => sameJson(known, value)) === true
        if (has && (isEmpty(left[name]) || isGiven(left[name]))) return []
        if (has) return [`${here}: ${shortJson(left[name])} was entered and did not arrive`]
        return isGiven(right[name]) ? [] : [`${here}: ${shortJson(right[name])} arrived and was not entered`]
      })
    }
    if (Array.isArray(left) && Array.isArray(right) && left.length === right.length)
      return left.flatMap((item, index) => differences(item, right[index], `${path}${pointerStep(index)}`))
    return isSameScalar(left, right) ? [] : [`${path}: ${shortJson(left)} was entered, ${shortJson(right)} arrived`]
  }
  return differences(entered, arrived, "")
}
