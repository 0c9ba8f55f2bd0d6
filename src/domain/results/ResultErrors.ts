import { isObject } from "../isObject.ts"
import { textOr } from "./ResultBlocks.ts"
import { jsonInText } from "./ResultJson.ts"

const issueOf = (issue: unknown): string | undefined => {
  if (!isObject(issue) || typeof issue.message !== "string") return undefined
  const path = Array.isArray(issue.path) ? issue.path.join(".") : textOr(issue.field)
  return path === undefined || path === "" ? issue.message : `${path}: ${issue.message}`
}

/** The lines of a list of issues, as validators write them (`[{path, message}]`). */
const issuesOf = (found: unknown): string | undefined => {
  const lines = Array.isArray(found) ? found.map(issueOf) : []
  return lines.length > 0 && lines.every((line) => line !== undefined) ? lines.join("\n") : undefined
}

const told = (value: unknown): string | undefined => textOr(isObject(value) ? value.message : value) ?? issuesOf(value)

/** What an answer says about a failure: from `message`, `error`, `errors`, `detail`, `stderr`. */
export const saidBy = (answer: unknown): string | undefined => {
  const inner = isObject(answer) ? answer : {}
  const members = ["message", "error", "errors", "errorMessage", "detail", "stderr"]
  return issuesOf(answer) ?? members.map((key) => told(inner[key])).find((text) => text !== undefined)
}

/** What a failed call says, without the prefixes of the protocol. */
export const messageOf = (texts: ReadonlyArray<string>, structured: unknown): string => {
  const text = texts.join("\n").trim()
  const json = jsonInText(text)
  const said = saidBy(json?.value ?? structured)
  const lead =
    json === undefined || !Array.isArray(json.value)
      ? ""
      : `${json.before}\n\n${json.after}`
          .trim()
          .replace(/^Error:?$/, "")
          .replace(/:?$/, ":\n")
  return (
    said === undefined
      ? text || "The tool reported an error without a message."
      : `${lead.length > 2 ? lead : ""}${said}`
  )
    .replace(/^#+ Error\s+/i, "")
    .replace(/^(?:Error: )?MCP error -?\d+: /i, "")
    .replace(/^Error: (?=\S)/, "")
    .trim()
}
