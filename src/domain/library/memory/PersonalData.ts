const CARD = /(?<![\w.-])(?:\d{4}([ -]?)\d{4}\1\d{4}\1\d{4}|3[47]\d\d([ -]?)\d{6}\2\d{5})(?![\w-]|\.\d)/g
/** Visa, Mastercard, American Express, Discover. */
const ISSUER = /^(?:4|5[1-5]|2[2-7]|3[47]|6011|64[4-9]|65)/
const IBAN = /(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?!\w)/g
const SOCIAL_SECURITY = /(?<![\w.-])(?!000|666|9)\d{3}-(?!00)\d\d-(?!0000)\d{4}(?![\w-]|\.\d)/g

const ONE_TIME_CODE = String.raw`(?<![\d.,/-])(\d{3}[ -]\d{3}|\d{4,8})(?!\d|[./-]\d)`
const PURPOSE =
  "verification|confirmation|security|one[ -]?time|log-?in|sign-?in|two-factor|2fa|mfa|otp|authentication|authorization|access"
const CODE_AFTER = new RegExp(
  String.raw`(\b(?:(?:${PURPOSE})[ -]*(?:pass)?(?:code|pin|password)|otp|passcode)\b[^\d\n]{0,30}?)${ONE_TIME_CODE}`,
  "gi"
)
const CODE_BEFORE = new RegExp(
  String.raw`${ONE_TIME_CODE}(?= is your [^\n\d]{0,40}\b(?:code|otp|pin|passcode)\b)`,
  "gi"
)

/** The check digit of card numbers (ISO/IEC 7812-1, annex B). */
const isLuhn = (digits: string): boolean => {
  let sum = 0
  for (const [index, digit] of [...digits].toReversed().entries()) {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2)
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}

/** The check of an International Bank Account Number (ISO 13616). */
const isIban = (text: string): boolean => {
  const plain = text.replaceAll(" ", "")
  if (plain.length < 15 || plain.length > 34) return false
  let rest = 0
  for (const character of `${plain.slice(4)}${plain.slice(0, 4)}`) {
    const value = Number.parseInt(character, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}

/** The last group that looks like a part of the number may be the next word. */
const withoutIban = (found: string): string => {
  for (let end = found.length; end > 0; end = found.lastIndexOf(" ", end - 1)) {
    if (isIban(found.slice(0, end))) return `[IBAN]${found.slice(end)}`
  }
  return found
}

/** One-time codes, if the text beside the digits says so. */
export const oneTimeCodes = (text: string): ReadonlyArray<string> => [
  ...[...text.matchAll(CODE_AFTER)].flatMap((found) => found[2] ?? []),
  ...[...text.matchAll(CODE_BEFORE)].flatMap((found) => found[1] ?? [])
]

/** Without numbers of payment cards and bank accounts, US social security numbers and one-time codes. */
export const withoutPersonalData = (text: string): string => {
  if (!/\d{3}/.test(text)) return text
  return text
    .replaceAll(CARD, (found) => {
      const digits = found.replaceAll(/\D/g, "")
      return ISSUER.test(digits) && isLuhn(digits) ? "[card number]" : found
    })
    .replaceAll(IBAN, withoutIban)
    .replaceAll(SOCIAL_SECURITY, "[social security number]")
    .replaceAll(CODE_AFTER, "$1[code]")
    .replaceAll(CODE_BEFORE, "[code]")
}
