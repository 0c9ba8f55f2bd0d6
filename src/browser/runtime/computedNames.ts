import { DENIED, OF_WINDOWS, REFLECTION } from "../../domain/inspection/DeniedNames.ts"

const { getOwnPropertyDescriptor, get, set } = Reflect

/** Without a prototype, and asked by `in`: a view may replace the methods of sets. */
const listed = (names: ReadonlyArray<string>): object =>
  Object.assign(Object.create(null) as object, Object.fromEntries(names.map((name) => [name, true])))

const ANYWHERE = listed([...REFLECTION, ...Object.values(DENIED).flat()])
const IN_WINDOWS = listed(OF_WINDOWS)

const isObject = (value: unknown): value is object =>
  (typeof value === "object" && value !== null) || typeof value === "function"

/** The view put it there itself, as data. */
const isOwn = (object: unknown, name: string): boolean => {
  if (!isObject(object) || typeof object === "function") return false
  return !(name in object) || "value" in (getOwnPropertyDescriptor(object, name) ?? {})
}

const checked = (object: unknown, key: unknown): PropertyKey => {
  if (typeof key === "number" || typeof key === "symbol") return key
  const name = typeof key === "string" ? key : `${key as string}`
  const isWindow = object === window || object === document
  if (!(name in ANYWHERE) && !(isWindow && name in IN_WINDOWS)) return name
  if (!isWindow && isOwn(object, name)) return name
  throw new TypeError(`"${name}" is out of reach of this page by a name that it computes`)
}

let last: unknown

/**
 * What the linker puts around the names that the code of a view computes (`guardNames`): `of` and `base` remember the
 * object, whose expression may not run twice, and `name` answers with the name, or throws if it would lead out of the page.
 */
export const computedNames = Object.freeze({
  of: <T>(object: T): T => {
    last = object
    return object
  },
  get base(): unknown {
    return last
  },
  name: checked,
  get: (object: object, key: PropertyKey, ...receiver: [unknown?]): unknown =>
    get(object, checked(object, key), ...receiver),
  set: (object: object, key: PropertyKey, ...given: [unknown, unknown?]): boolean =>
    set(object, checked(object, key), ...given)
})
