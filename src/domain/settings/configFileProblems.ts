import type { SchemaIssue } from "effect"
import { shortened } from "../shortened.ts"
import { isSensitiveName } from "../observability/Redaction.ts"
import { type FileProblem, schemaProblems } from "../schemaProblems.ts"
import { formatPath } from "../valuePath.ts"
import { NOT_SHOWN, quotedAddress } from "./Secrets.ts"

const LONGEST_FOUND = 60

/** What was found, short and on one line, unless it could be a secret. */
const found = (value: unknown, path: ReadonlyArray<PropertyKey>): string => {
  const secret = path.some((part) => typeof part === "string" && isSensitiveName(part))
  const holdsSecrets = path[0] === "upstream" && ["env", "headers"].includes(String(path[1]))
  const at = formatPath(path)
  const mayBeSecret = at === "cache.url" || (["upstream.oauth", "cache"].includes(at) && typeof value === "string")
  if (secret || holdsSecrets || mayBeSecret) return NOT_SHOWN
  if (Array.isArray(value)) return "found a list"
  if (typeof value === "object" && value !== null) return "found an object"
  const json = typeof value === "string" ? quotedAddress(value) : (JSON.stringify(value) ?? "nothing")
  return `found ${shortened(json, LONGEST_FOUND)}`
}

/** All problems of an issue, in the order of the file's sections. */
export const configFileProblems = (issue: SchemaIssue.Issue, document: unknown): ReadonlyArray<FileProblem> =>
  schemaProblems(issue, [], document, found)
