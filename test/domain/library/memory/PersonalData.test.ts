import { assert, describe, it } from "@effect/vitest"
import { oneTimeCodes, withoutPersonalData } from "../../../../src/domain/library/memory/PersonalData.ts"

describe("withoutPersonalData", () => {
  const texts: ReadonlyArray<readonly [string, string]> = [
    ["Card 4111 1111 1111 1111 12/26", "Card [card number] 12/26"],
    ["5500-0055-5555-5559, 378282246310005.", "[card number], [card number]."],
    ["to DE89 3704 0044 0532 0130 00 THE BANK", "to [IBAN] THE BANK"],
    ["GB29NWBK60161331926819", "[IBAN]"],
    ["SSN 078-05-1120.", "SSN [social security number]."],
    ["Your verification code is 482913", "Your verification code is [code]"],
    ["One-time password: 482 913", "One-time password: [code]"],
    ["482913 is your Acme login code", "[code] is your Acme login code"],
    ["OTP: 4829, then again", "OTP: [code], then again"]
  ]
  for (const [text, expected] of texts) it(text, () => assert.strictEqual(withoutPersonalData(text), expected))

  const kept = [
    "4111 1111 1111 1112",
    "1234567890123456 and 9780306406157",
    "DE88370400440532013000",
    "666-05-1120, 078-00-1120, 2078-05-11201",
    "3f2504e0-4111-1111-1111-111111111111",
    "order 1234-5678-9012-3456 of 2026-01-01",
    "OTP 26.2.1 and error code 482913, verification 2026-01-01"
  ]
  for (const text of kept) it(`keeps ${text}`, () => assert.strictEqual(withoutPersonalData(text), text))

  it("tells the codes", () => {
    assert.deepStrictEqual(oneTimeCodes("Login code 123456. 4321 is your pin"), ["123456", "4321"])
  })

  it("takes time in proportion to the text", () => {
    for (const unit of ["1", "1234 ", "AB12CDEF", "AB12 ", "otp ", "login code ", "123 is your ", "1-"]) {
      const started = performance.now()
      withoutPersonalData(unit.repeat(Math.ceil(40_000 / unit.length)))
      assert.isBelow(performance.now() - started, 1000, unit)
    }
  })
})
