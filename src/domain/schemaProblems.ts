import { SchemaIssue } from "effect"
import { closestOf } from "./closestOf.ts"
import { formatPath, valueAt } from "./valuePath.ts"

/** One thing wrong with a file: where, as {@link formatPath} writes it (empty for the whole), and what. */
export interface FileProblem {
  readonly path: string
  readonly text: string
}

type Path = ReadonlyArray<PropertyKey>
type Found = (value: unknown, path: Path) => string

const EXPECTED_TYPES: Readonly<Record<string, string>> = {
  String: "a text in double quotes",
  Number: "a number",
  Boolean: "true or false",
  Arrays: "a list in [ ]",
  Objects: "an object in { }"
}

const formatter = SchemaIssue.makeFormatterStandardSchemaV1()

const expectedBy = (issue: SchemaIssue.Issue): string => {
  if (issue._tag === "InvalidType") {
    const check = issue.ast.checks?.at(-1)?.annotations?.expected
    return typeof check === "string" ? check : (EXPECTED_TYPES[issue.ast._tag] ?? "another type")
  }
  const message = formatter(issue).issues[0]?.message ?? "another value"
  return message.replace(/^Expected /, "").replaceAll(" | ", ", ")
}

const unknownKey = (path: Path, issue: SchemaIssue.UnexpectedKey): string => {
  const known = issue.ast._tag === "Objects" ? issue.ast.propertySignatures.map(({ name }) => String(name)) : []
  const names = issue.ast._tag === "Objects" ? issue.ast.indexSignatures[0]?.parameter.checks?.at(-1) : undefined
  const expected = names?.annotations?.expected
  if (typeof expected === "string") return `is not allowed as a name; allowed: ${expected}`
  const closest = closestOf(String(path.at(-1)), known)
  return closest === undefined
    ? `is not a known key; known here: ${known.filter((name) => name !== "$schema").join(", ")}`
    : `is not a known key; did you mean "${closest}"?`
}

/** What a value says of no member of a union: of objects, the key that tells them apart. */
const unionProblem = (issue: SchemaIssue.AnyOf, path: Path, document: unknown, found: Found) => {
  const types = issue.ast.types.flatMap((type) => (type._tag === "Objects" ? type.propertySignatures : []))
  const tags = types.flatMap(({ name, type }) => (type._tag === "Literal" ? [[name, type.literal] as const] : []))
  const value = valueAt(document, path)
  const [tag] = tags
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value)
  if (tag === undefined || !isObject) {
    const types = issue.ast.types.map(({ _tag }) => EXPECTED_TYPES[_tag])
    const allowed = types.includes(undefined) ? expectedBy(issue) : [...new Set(types)].join(", or ")
    return [{ path: formatPath(path), text: `${found(value, path)}; allowed: ${allowed}` }]
  }
  const at = [...path, tag[0]]
  const allowed = tags.map(([, literal]) => JSON.stringify(literal)).join(", ")
  return [{ path: formatPath(at), text: `${found(valueAt(document, at), at)}; allowed: ${allowed}` }]
}

/** All problems of an issue, in the order of the file. `found` says what stands there: a text such as `found 1`. */
export const schemaProblems = (
  issue: SchemaIssue.Issue,
  path: Path,
  document: unknown,
  found: Found
): ReadonlyArray<FileProblem> => {
  switch (issue._tag) {
    case "Pointer":
      return schemaProblems(issue.issue, [...path, ...issue.path], document, found)
    case "Composite":
      return issue.issues.flatMap((inner) => schemaProblems(inner, path, document, found))
    case "AnyOf":
      if (issue.issues.length > 0) {
        return issue.issues.flatMap((inner) => schemaProblems(inner, path, document, found))
      }
      return unionProblem(issue, path, document, found)
    case "MissingKey":
      return [{ path: formatPath(path), text: "is missing" }]
    case "UnexpectedKey":
      return [{ path: formatPath(path), text: unknownKey(path, issue) }]
    default:
      return [
        { path: formatPath(path), text: `${found(valueAt(document, path), path)}; allowed: ${expectedBy(issue)}` }
      ]
  }
}
