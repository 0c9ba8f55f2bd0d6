/**
 * What kind of text a tool result is, judged by its looks: servers seldom say. Only the beginning of long text is
 * judged.
 */
export type TextKind = "blank" | "svg" | "diff" | "html" | "xml" | "log" | "markdown" | "code" | "prose"

/** Colours and cursor movements of terminals (ECMA-48). */
// oxlint-disable-next-line no-control-regex -- these sequences begin with a control character
const escapes = /\u001B(?:\[[\d;?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|[@-Z\\^_])/g

export const withoutEscapes = (text: string): string => (text.includes("\u001B") ? text.replaceAll(escapes, "") : text)

/** Whether a text is the source of an SVG drawing, whatever comes before its first element. */
export const isSvg = (text: string): boolean =>
  // `{2}`: the beginning of an HTML comment, spelled out, would change how the rest of an inline script is read.
  /^(\s|<\?[^>]*>|<!-{2}(?:(?!-->)[^])*-->|<!doctype svg[^>[]*>)*<svg[\s>]/i.test(text)

const isDiff = (text: string): boolean =>
  /^(@@ .* @@|diff --git )/m.test(text) ||
  (/^\+ \S/m.test(text) &&
    /^- \S/m.test(text) &&
    text
      .replace(/\n$/, "")
      .split("\n")
      .every((line) => /^([-+ ] |[-+ ]?$)/.test(line)))

const logLine =
  /^\[?(\d{4}-\d\d-\d\d[T ]\d|\d\d:\d\d:\d\d|[A-Z][a-z]{2} +\d+ \d\d:\d\d)|^\W?(TRACE|DEBUG|INFO|NOTICE|WARN(ING)?|ERROR|FATAL|CRITICAL|LOG)\b/
const traceLine = /^\s+at \S.*[:(]\d+|^\s+File ".*", line \d+|^Traceback |^\s+at [\w$.<>]+\(/

/** Lines of code, columns, boxes and drawings, which need a monospaced font. */
const codeLine =
  /[;{}]\s*$|^\s*(import|export|const|let|var|function|def|class|return|if|for|package|use|fn|func|#include|SELECT|CREATE|INSERT|FROM)\b.*[\w;:({,)]$|^( {2,}|\t)\S|\S {2,}\S|\t|[│├└┌─|+]/

/** Whether text has the marks of Markdown, so that it reads better rendered. */
export const looksLikeMarkdown = (text: string): boolean =>
  [
    /^#{1,6} \S/m,
    /^[ \t]*[-*] \S.*\n\s*[-*] \S/m,
    /^```/m,
    /\*\*[^*\n]+\*\*/,
    /\[[^[\]\n]{1,300}\]\(https?:/,
    /^\|?[^|\n\r\u2028\u2029]+\|.*\r?\n[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*\|/m,
    /^\d+\. \S.*\n\s*\d+\. \S/m
  ].some((mark) => mark.test(text.slice(0, 20_000)))

/** The kind of `text`. A MIME type (`text/markdown`) decides if it is specific; `text/plain` is not. */
export const textKind = (text: string, mimeType = ""): TextKind => {
  const sample = text.slice(0, 4000).trim()
  const type = mimeType.toLowerCase()
  if (sample === "") return "blank"
  if (sample.includes("\u001B")) return "code"
  if (isSvg(sample) || type.startsWith("image/svg")) return "svg"
  if (/diff|patch/.test(type) || isDiff(text.slice(0, 4000))) return "diff"
  if (
    type.startsWith("text/html") ||
    /^<(!doctype html|html|table|div|h\d|body|head|p|ul|ol|section|article)[\s>]/i.test(sample)
  )
    return "html"
  if (/[/+]xml/.test(type) || /^<\?xml\s|^<([A-Za-z][\w.:-]*)[\s>/][^]*<\/\1>$/.test(sample)) return "xml"
  if (type.startsWith("text/markdown")) return "markdown"
  if (/javascript|typescript|python|x-sh|css|yaml|toml|sql/.test(type) || /^#!\/|^<\?php/.test(sample)) return "code"
  const lines = sample
    .split("\n")
    .slice(0, 40)
    .filter((line) => line.trim() !== "")
  const shareOf = (pattern: RegExp): number => lines.filter((line) => pattern.test(line)).length / lines.length
  const isLong = lines.length > 1
  if (isLong && (shareOf(logLine) >= 0.6 || shareOf(traceLine) * lines.length > 1)) return "log"
  if (looksLikeMarkdown(text)) return "markdown"
  return isLong && lines.every((line) => line.length <= 160) && shareOf(codeLine) > 0.4 ? "code" : "prose"
}

const isLine = (text: string): boolean => text.length <= 240 && !/\n.*\S/.test(text.trim())

/** Whether a short text says that there is nothing: "No matches found", "null", "[]". */
export const saysNothing = (text: string): boolean =>
  isLine(text) &&
  /^(null|none|nothing( found)?|empty|undefined|n\/a|\[\]|\{\}|""|\(?(no|0) \w.*|there (are|is) no .*|.* not found)[.!]?$/i.test(
    text.trim()
  )

/** Whether a short text says that something was done, and nothing else. */
export const saysDone = (text: string): boolean =>
  isLine(text) &&
  !/\b(not|no|fail\w*|errors?|unable|can't|couldn't|without)\b/i.test(text) &&
  /^(ok|okay|done|completed?)[.!]?$|\bsuccess(ful|fully)?\b|\bsucceeded\b|\b(has|have|was|were) (been )?\w+ed\b|^(created|deleted|removed|updated|saved|added|moved|renamed|sent|wrote|written|set|copied) \S|\b(created|deleted|removed|updated|saved|sent|moved|copied)[.!]?$/i.test(
    text.trim()
  )
