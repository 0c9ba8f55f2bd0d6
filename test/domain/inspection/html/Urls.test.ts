import { assert, describe, it } from "@effect/vitest"
import {
  isScriptUrl,
  srcsetUrls,
  staysInPage,
  UNKNOWN_PART,
  urlScheme
} from "../../../../src/domain/inspection/html/Urls.ts"

describe("Urls", () => {
  it.each([
    ["javascript:x", "javascript"],
    [" \u0001java\tscr\nipt:x", "javascript"],
    ["HTTPS://x", "https"],
    ["//x.test", "//"],
    ["\\\\x.test", "//"],
    ["a/b:c", ""],
    ["", ""],
    [`${UNKNOWN_PART}x`, null],
    [`java${UNKNOWN_PART}`, null],
    [`//${UNKNOWN_PART}`, "//"],
    [`images/${UNKNOWN_PART}.png`, ""],
    [`https://${UNKNOWN_PART}`, "https"]
  ])("reads the scheme of %j as %j", (url, scheme) => {
    assert.strictEqual(urlScheme(url), scheme)
  })

  it("knows script URLs in disguise", () => {
    assert.isTrue(isScriptUrl("\u0000 VBScript\n:x"))
    assert.isFalse(isScriptUrl("/javascript:x"))
  })

  it("lets data, fragments and unknown values stay", () => {
    assert.deepStrictEqual(["data:,x", "#a", "", UNKNOWN_PART, "a.png", "blob:x", "https://x"].map(staysInPage), [
      true,
      true,
      true,
      true,
      false,
      false,
      false
    ])
  })

  it("keeps commas of data URLs in a srcset", () => {
    assert.deepStrictEqual(srcsetUrls("data:image/png;base64,AA 1x, b.png 2x"), ["data:image/png;base64,AA", "b.png"])
  })
})
