import { SchemaIssue } from "effect"
import { shortened } from "../shortened.ts"
import { closestOf } from "../closestOf.ts"
import { isSensitiveName } from "../observability/Redaction.ts"
import { formatConfigPath, valueAt } from "./ConfigText.ts"
import { NOT_SHOWN, quotedAddress } from "./Secrets.ts"

/** One thing wrong with the file: where, as {@link formatConfigPath} writes it (empty for the whole), and what. */
export interface ConfigFileProblem {
  readonly path: string
  readonly text: string
}

const LONGEST_FOUND = 60

/** What was found, short and on one line; `undefined` if it could be a secret. */
const show = (value: unknown, path: ReadonlyArray<PropertyKey>): string | undefined => {
  const secret = path.some((part) => typeof part === "string" && isSensitiveName(part))
  const holdsSecrets = path[0] === "upstream" && ["env", "headers"].includes(String(path[1]))
  const at = formatConfigPath(path)
  const mayBeSecret = at === "cache.url" || (["upstream.oauth", "cache"].includes(at) && typeof value === "string")
  if (secret || holdsSecrets || mayBeSecret) return undefined
  if (Array.isArray(value)) return "a list"
  if (typeof value === "object" && value !== null) return "an object"
  const json = typeof value === "string" ? quotedAddress(value) : (JSON.stringify(value) ?? "nothing")
  return shortened(json, LONGEST_FOUND)
}

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

const unknownKey = (path: ReadonlyArray<PropertyKey>, issue: SchemaIssue.UnexpectedKey): string => {
  const known = issue.ast._tag === "Objects" ? issue.ast.propertySignatures.map(({ name }) => String(name)) : []
  const closest = closestOf(String(path.at(-1)), known)
  return closest === undefined
    ? `is not a known key; known here: ${known.filter((name) => name !== "$schema").join(", ")}`
    : `is not a known key; did you mean "${closest}"?`
}

/** All problems of an issue, in the order of the file's sections. */
export const configFileProblems = (
  issue: SchemaIssue.Issue,
  path: ReadonlyArray<PropertyKey>,
  document: unknown
): ReadonlyArray<ConfigFileProblem> => {
  switch (issue._tag) {
    case "Pointer":
      return configFileProblems(issue.issue, [...path, ...issue.path], document)
    case "Composite":
      return issue.issues.flatMap((inner) => configFileProblems(inner, path, document))
    // Of several kinds of value, those that this one cannot be are left out already.
    case "AnyOf": {
      const [only, ...more] = issue.issues
      if (only !== undefined && more.length === 0) return configFileProblems(only, path, document)
      break
    }
    case "MissingKey":
      return [{ path: formatConfigPath(path), text: "is missing" }]
    case "UnexpectedKey":
      return [{ path: formatConfigPath(path), text: unknownKey(path, issue) }]
  }
  const shown = show(valueAt(document, path), path)
  const found = shown === undefined ? NOT_SHOWN : `found ${shown}`
  return [{ path: formatConfigPath(path), text: `${found}; allowed: ${expectedBy(issue)}` }]
}
