import { staysInPage } from "./Urls.ts"
import type { Finding } from "../HtmlRules.ts"

type CssRule = "css-import" | "css-url"

const NAME_CHARACTER = /[-\w\u0080-\u{10FFFF}]/u
const HEX = /^[0-9a-f]{1,6}/iu

/** Functions whose string arguments are loaded. */
const LOADING_FUNCTIONS: ReadonlySet<string> = new Set(["url", "src", "image", "image-set", "-webkit-image-set"])

/**
 * Finds what CSS would load, by the tokens of CSS Syntax Level 3: comments, strings, escapes (`\75rl(`), unquoted
 * `url(` and at-keywords. Works on a style sheet and on the value of a `style` attribute. `offset` is added to
 * every position.
 */
export const findCssUrls = (css: string, offset: number): ReadonlyArray<Finding<CssRule>> => {
  const findings: Array<Finding<CssRule>> = []
  const open: Array<string> = []
  let index = 0

  const readEscape = (): string => {
    index++
    const hex = HEX.exec(css.slice(index, index + 6))?.[0]
    if (hex !== undefined) {
      index += hex.length
      if (" \t\n\r\f".includes(css[index] ?? "x")) index++
      const code = Number.parseInt(hex, 16)
      return code === 0 || code > 0x10ffff ? "\uFFFD" : String.fromCodePoint(code)
    }
    const character = css[index] ?? ""
    index++
    return character
  }

  const readName = (): string => {
    let name = ""
    while (index < css.length) {
      const character = String.fromCodePoint(css.codePointAt(index) ?? 0)
      if (character === "\\" && css[index + 1] !== "\n") name += readEscape()
      else if (NAME_CHARACTER.test(character)) {
        name += character
        index += character.length
      } else break
    }
    return name.toLowerCase()
  }

  const readString = (quote: string): string => {
    let text = ""
    index++
    while (index < css.length && css[index] !== quote && css[index] !== "\n") {
      if (css[index] === "\\") {
        if (css[index + 1] === "\n") index += 2
        else text += readEscape()
      } else text += css[index++]
    }
    index++
    return text
  }

  const readUnquotedUrl = (): string => {
    let url = ""
    while (index < css.length && css[index] !== ")") {
      if (css[index] === "\\") url += readEscape()
      else url += css[index++]
    }
    index++
    return url.trim()
  }

  const report = (rule: CssRule, at: number, found: string): void => {
    findings.push({ rule, offset: offset + at, found })
  }

  while (index < css.length) {
    const at = index
    const character = css[index] ?? ""
    if (character === "/" && css[index + 1] === "*") {
      const end = css.indexOf("*/", index + 2)
      index = end === -1 ? css.length : end + 2
    } else if (character === '"' || character === "'") {
      const text = readString(character)
      if (LOADING_FUNCTIONS.has(open.at(-1) ?? "") && !staysInPage(text)) report("css-url", at, text)
    } else if (character === "@") {
      index++
      if (readName() === "import") report("css-import", at, "@import")
    } else if (character === "\\" || NAME_CHARACTER.test(character) || (css.codePointAt(index) ?? 0) > 0xffff) {
      const name = readName()
      if (index === at) index++
      if (css[index] !== "(") continue
      index++
      if (name !== "url") {
        open.push(name)
        continue
      }
      while (" \t\n\r\f".includes(css[index] ?? "x")) index++
      if (css[index] === '"' || css[index] === "'") open.push(name)
      else {
        const url = readUnquotedUrl()
        if (!staysInPage(url)) report("css-url", at, `url(${url})`)
      }
    } else {
      if (character === "(") open.push("")
      else if (character === ")") open.pop()
      index++
    }
  }
  return findings
}
