import { Result, Schema } from "effect"
import { findJsonTextProblem } from "../findJsonTextProblem.ts"
import { schemaProblems } from "../schemaProblems.ts"
import { shortened } from "../shortened.ts"

/** A larger file declares nothing. */
export const MAX_DECLARATION_BYTES = 20_000

const MAX_DOMAINS = 50
const MAX_SHOWN = 60

/** What cannot end a directive of a policy or begin another one. */
const ORIGIN = /^(?:https?|wss?):\/\/(?:\*\.)?[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*(?::\d{1,5})?$/

const domains = Schema.optionalKey(
  Schema.Array(
    Schema.String.check(Schema.isPattern(ORIGIN, { expected: "an origin such as https://example.com" }))
  ).check(Schema.isMaxLength(MAX_DOMAINS, { expected: `at most ${MAX_DOMAINS} origins` }))
)

/**
 * What a person declares of a UI made by hand, in `<tool>.json` beside its HTML. What is not declared stays closed.
 *
 * @example
 * import type { UiDeclaration } from "mcp-gen-ui"
 *
 * const map: UiDeclaration = { csp: { resourceDomains: ["https://tiles.example.com"] }, permissions: ["geolocation"] }
 */
export const UiDeclaration = Schema.Struct({
  /** The domains that the page may reach, as MCP Apps names them. */
  csp: Schema.optionalKey(
    Schema.Struct({
      connectDomains: domains,
      resourceDomains: domains,
      frameDomains: domains,
      baseUriDomains: domains
    })
  ),
  permissions: Schema.optionalKey(
    Schema.Array(Schema.Literals(["camera", "microphone", "geolocation", "clipboardWrite"]))
  ),
  prefersBorder: Schema.optionalKey(Schema.Boolean),
  displayModes: Schema.optionalKey(Schema.Array(Schema.Literals(["inline", "fullscreen", "pip"]))),
  /** Of the document, if that has none, and of the resource. */
  title: Schema.optionalKey(Schema.String.check(Schema.isMinLength(1, { expected: "a text that is not empty" })))
})
export type UiDeclaration = typeof UiDeclaration.Type

const found = (value: unknown): string => `found ${shortened(JSON.stringify(value) ?? "nothing", MAX_SHOWN)}`

/** Reads the file; a failure names the member, what was found there and what is allowed. */
export const parseUiDeclaration = (text: string): Result.Result<UiDeclaration, string> => {
  const malformed = findJsonTextProblem(text)
  if (malformed !== undefined) {
    const { column, expected, found, line } = malformed
    return Result.fail(`line ${line}, column ${column}: expected ${expected}, found ${found}`)
  }
  const document: unknown = JSON.parse(text)
  return Result.mapError(
    Schema.decodeUnknownResult(UiDeclaration, { errors: "all", onExcessProperty: "error" })(document),
    (error) =>
      schemaProblems(error.issue, [], document, found)
        .map(({ path, text }) => (path === "" ? text : `${path}: ${text}`))
        .join("; ")
  )
}
