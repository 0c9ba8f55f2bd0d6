import { REDACTED, type Redactor } from "../../observability/Redaction.ts"
import { withoutEscapes } from "../../results/ResultText.ts"
import { withoutPersonalData } from "./PersonalData.ts"

/** Only this much of a text is read; a tenth of it is kept at most. */
const LOOKED_AT = 4000

/** The first characters of a text, an ellipsis included, never half of a surrogate pair. */
export const cutAt = (text: string, max: number): string => {
  if (text.length <= max) return text
  const end = max - 1
  const last = text.charCodeAt(end - 1)
  return `${text.slice(0, last >= 0xd800 && last <= 0xdbff ? end - 1 : end)}…`
}

/** Bytes for people: `12 kB`. */
export const roundBytes = (bytes: number): string => {
  if (bytes < 1000) return `${Math.round(bytes)} bytes`
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${Math.round(bytes / 100_000) / 10} MB`
}

const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g
const DATA_URL = /data:[^\s,"']{0,160}?;base64,[A-Za-z0-9+/=_-]{32,}/g
const BASE64 = /^[A-Za-z0-9+/\r\n]{80,}={0,2}$/
const HEX = /(?<![\w-])(?:0x)?[0-9A-Fa-f]{32,}(?![\w-])/g
/** Digits and both cases, without a break: keys in formats that we do not know. */
const OPAQUE = /(?<![\w-])(?=[\w-]{0,200}\d)(?=[\w-]{0,200}[a-z])(?=[\w-]{0,200}[A-Z])[\w-]{32,}={0,2}/g
const MAIL = /(?<![\w.+-])[\w.+-]+@(?=[\w-]{1,63}\.[a-z])[\w.-]{3,120}\w/gi

const hasAll = (text: string): boolean => /\d/.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text)

/**
 * Makes a text safe for an example, at most `max` characters long. It removes secrets that the redactor knows, what
 * looks like one (private keys, long hexadecimal and opaque words), and numbers of cards, accounts and persons. All
 * e-mail addresses become the same one, encoded files a note of their size. A placeholder says what each value was.
 */
export const sampleText = (text: string, redactor: Redactor, max: number): string => {
  const start = withoutEscapes(text.slice(0, LOOKED_AT))
  if (BASE64.test(start) && hasAll(start)) return `[base64, ${roundBytes(text.length * 0.75)}]`
  if (start.startsWith("data:")) {
    const type = /^data:([\w.+-]+\/[\w.+-]+)/.exec(start)?.[1] ?? "text/plain"
    if (text.length > 200) return `[data URL, ${type}, ${roundBytes(text.length * 0.75)}]`
  }
  const clean = withoutPersonalData(redactor.text(start.replaceAll(PRIVATE_KEY, "[private key]")))
    .replaceAll(DATA_URL, "[data URL]")
    .replaceAll(HEX, (found) => `[${found.length} hexadecimal digits]`)
    .replaceAll(OPAQUE, REDACTED)
    .replaceAll(MAIL, "someone@example.com")
  return cutAt(clean, max)
}
