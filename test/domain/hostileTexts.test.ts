import { describe, it } from "@effect/vitest"
import { argumentsFromJson } from "../../src/domain/forms/FormReading.ts"
import { matchesPattern } from "../../src/domain/forms/SchemaValidation.ts"
import { logLine } from "../../src/domain/observability/LogLine.ts"
import { makeRedactor } from "../../src/domain/observability/Redaction.ts"
import { LearnedTool } from "../../src/domain/library/memory/LearnedTool.ts"
import { withoutPersonalData } from "../../src/domain/library/memory/PersonalData.ts"
import { providerFailure } from "../../src/domain/generation/ProviderErrors.ts"
import { columnOf } from "../../src/domain/results/ResultColumn.ts"
import { resultShape } from "../../src/domain/results/ResultShape.ts"
import {
  looksLikeMarkdown,
  saysDone,
  saysNothing,
  textKind,
  withoutEscapes
} from "../../src/domain/results/ResultText.ts"

/** Where time grew with the square of the length, or worse, each of these would take minutes. */
const LENGTH = 300_000

const TOKENS = [
  "<!--[-->",
  "<!--",
  "<?",
  "\n",
  "\r",
  "\u2028",
  " ",
  "\t",
  "`",
  "``",
  "```json\n",
  "[",
  "[a](",
  "![",
  "* ",
  "*a ",
  "|",
  "|-|",
  "- ",
  "# ",
  "a",
  "A",
  "0",
  "a.b-",
  "1,",
  "curl -u-u",
  " -p",
  "sk-ant-",
  "-eyJ",
  "eyJaaaaaa.",
  "http://",
  "a://b:",
  "token:'",
  "password: a ",
  "Bearer ",
  "data:a/b;",
  "a@",
  "4111 ",
  "AA12 ",
  "{",
  '{"a":',
  '"',
  '\\"',
  "<a",
  "&sig=",
  "key: v\n",
  "a,b\n"
]

const redactor = makeRedactor(["a secret of the run"])

const learn = (result: unknown): void => {
  new LearnedTool({ redactor, keepsResults: true }).add({}, result)
}

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  textKind,
  looksLikeMarkdown,
  withoutEscapes,
  saysDone,
  saysNothing,
  columnOf: (text) => [columnOf("x", [text]), columnOf(text, [1])],
  "a result": (text) => resultShape({ content: [{ type: "text", text }] }),
  "an error": (text) => resultShape({ content: [{ type: "text", text }], isError: true }),
  "structured content": (text) =>
    resultShape({ content: [{ type: "text", text }], structuredContent: { a: text, [text]: 1 } }),
  "a redactor": redactor.text,
  "a line of a log": (text) =>
    logLine(
      { time: new Date(0), level: "Info", message: text, annotations: { text, [text]: 1 }, cause: text },
      "json",
      redactor
    ),
  "personal data": (text) => withoutPersonalData(text.slice(0, 20_000)),
  "what is learned": (text) =>
    learn({ content: [{ type: "text", text }], structuredContent: { a: text, [text]: [text] } }),
  "an error of a provider": (text) =>
    providerFailure(new Error(text), { stage: "opening", secrets: ["a secret of the run"], nowMs: 0 }),
  "JSON of a form": argumentsFromJson,
  "a pattern of a schema": (text) => [matchesPattern(text, "aaaa"), matchesPattern("^(\\w|\\s|a)*$", text)]
}

describe("a text that somebody else wrote takes time in proportion to its length in", () => {
  for (const [name, read] of Object.entries(READERS)) {
    it(name, () => {
      for (const token of TOKENS) {
        const body = token.repeat(Math.ceil(LENGTH / token.length))
        for (const text of [body, `x${body}\u0001`]) read(text)
      }
    })
  }

  it("patterns of a schema that take exponential time, with texts of the length that people type", () => {
    for (const [pattern, text] of [
      ["^(a|a|a|a)*$", "aaaaaaaaaaaaaaaaaa!"],
      ["^(\\w|\\d|[a-f])*-$", "abcdefabcdefabcdef!"],
      ["^(((a+)+)+)+$", "aaaaaaaaaaaaaaaaaa!"]
    ] as const)
      matchesPattern(pattern, text)
  })
})
