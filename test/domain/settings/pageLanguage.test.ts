import { assert, describe, it } from "@effect/vitest"
import { languageWords } from "../../../src/domain/settings/pageLanguage.ts"

const words = (name: string): string =>
  `The person reads ${name}: write headlines, labels and buttons in it. Data stay as they are.`

describe("languageWords", () => {
  it.each([
    ["what is told", "pt-BR", {}, true, words("Brazilian Portuguese (pt-BR)")],
    ["what is told, before the machine", "fr", { LANG: "de_DE.UTF-8" }, true, words("French (fr)")],
    ["the machine", undefined, { LANG: "de_DE.UTF-8" }, true, words("German (Germany) (de-DE)")],
    ["its first variable", undefined, { LC_ALL: "ja", LANG: "de_DE" }, true, words("Japanese (ja)")],
    ["a modifier", undefined, { LANG: "ca_ES@valencia" }, true, words("Catalan (Spain) (ca-ES)")],
    ["nothing of English", "en-GB", { LANG: "de_DE" }, true, undefined],
    ["nothing of an English machine", undefined, { LANG: "en_US.UTF-8" }, true, undefined],
    ["nothing of none", undefined, { LANG: "C.UTF-8" }, true, undefined],
    ["nothing of an odd one", undefined, { LANG: "POSIX; rm" }, true, undefined],
    ["nothing of a machine that hosts reach over HTTP", undefined, { LANG: "de_DE" }, false, undefined]
  ])("%s", (_, told, environment, isLocal, expected) =>
    assert.strictEqual(languageWords(told, environment, isLocal), expected)
  )
})
