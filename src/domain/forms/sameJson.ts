import { isObject } from "../isObject.ts"

const MAX_DEPTH = 2000

const same = (a: unknown, b: unknown, depth: number): boolean => {
  if (a === b) return true
  if (depth > MAX_DEPTH) return false
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => same(item, b[index], depth + 1))
  }
  if (!isObject(a) || !isObject(b)) return false
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && same(a[name], b[name], depth + 1))
  )
}

/**
 * Equality of JSON values: members in any order, numbers by value. Beyond 2,000 levels only the same object counts as
 * equal.
 */
export const sameJson = (a: unknown, b: unknown): boolean => same(a, b, 0)
