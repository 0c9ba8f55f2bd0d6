import { SCRIPT_SCHEMES } from "../HtmlRules.ts"

/** Stands for a part of a text that only running code knows. */
export const UNKNOWN_PART = "\uFFFC"

const isControlOrSpace = (code: number): boolean => code <= 0x20
const isTabOrLineEnd = (code: number): boolean => code === 0x09 || code === 0x0a || code === 0x0d

/** Removes what the URL standard ignores: controls and spaces at the ends, tabs and line ends everywhere. */
export const stripUrl = (url: string): string => {
  let start = 0
  let end = url.length
  while (start < end && isControlOrSpace(url.charCodeAt(start))) start++
  while (end > start && isControlOrSpace(url.charCodeAt(end - 1))) end--
  let stripped = ""
  for (let index = start; index < end; index++) {
    if (!isTabOrLineEnd(url.charCodeAt(index))) stripped += url[index]
  }
  return stripped
}

const SCHEME = /^([a-z][a-z0-9+.-]*):/iu

/**
 * The scheme of a URL as a browser reads it, in lower case: `""` for a relative URL, `"//"` for one without its own
 * scheme, `null` when only running code can know it.
 */
export const urlScheme = (url: string): string | null => {
  const stripped = stripUrl(url)
  const scheme = SCHEME.exec(stripped)?.[1]
  if (scheme !== undefined) return scheme.toLowerCase()
  const unknown = stripped.indexOf(UNKNOWN_PART)
  if (unknown !== -1 && !/[/\\?#]/u.test(stripped.slice(0, unknown))) return null
  return stripped.startsWith("//") || stripped.startsWith("\\\\") || stripped.startsWith("/\\") ? "//" : ""
}

/** Loads nothing: a `data:` URL, a fragment, an empty value, or a value that only running code knows. */
export const staysInPage = (url: string): boolean => {
  const scheme = urlScheme(url)
  const stripped = stripUrl(url)
  return scheme === "data" || scheme === null || stripped === "" || stripped.startsWith("#")
}

export const isScriptUrl = (url: string): boolean => SCRIPT_SCHEMES.has(urlScheme(url) ?? "")

const isSpace = (character: string): boolean => " \t\n\r\f".includes(character)

/** The URLs of a `srcset` value (HTML, "Parsing a srcset attribute"); a comma may be part of a URL. */
export const srcsetUrls = (srcset: string): ReadonlyArray<string> => {
  const urls: Array<string> = []
  let index = 0
  while (index < srcset.length) {
    while (index < srcset.length && (isSpace(srcset[index] ?? "") || srcset[index] === ",")) index++
    const start = index
    while (index < srcset.length && !isSpace(srcset[index] ?? "")) index++
    if (index === start) break
    const url = srcset.slice(start, index)
    urls.push(url)
    if (url.endsWith(",")) continue
    let depth = 0
    for (; index < srcset.length; index++) {
      if (srcset[index] === "(") depth++
      else if (srcset[index] === ")") depth--
      else if (srcset[index] === "," && depth <= 0) break
    }
  }
  return urls
}
