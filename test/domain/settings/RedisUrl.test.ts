import { assert, describe, it } from "@effect/vitest"
import { redisAddress } from "../../../src/adapters/cache/redisSession.ts"
import { decodeConfigFile } from "../../../src/domain/settings/ConfigFile.ts"
import { REDIS_URL, REDIS_URL_RULES } from "../../../src/domain/settings/RedisUrl.ts"
import { NOT_SHOWN } from "../../../src/domain/settings/Secrets.ts"
import { Result } from "effect"

const reasonFor = (url: string): string | undefined => REDIS_URL_RULES.find(({ is }) => !is(url))?.expected

describe("REDIS_URL_RULES", () => {
  const right = [
    "redis://localhost",
    "redis://localhost/",
    "REDISS://example.com:6380/15",
    "redis://:p%40ss@127.0.0.1:6379",
    "redis://user:p:a@[::1]:6379/0",
    "redis://h:/1",
    "redis://h?family=6"
  ]
  for (const url of right) {
    it(`takes ${url}, as the client does`, () => {
      assert.isUndefined(reasonFor(url))
      assert.match(url, REDIS_URL)
      assert.isDefined(redisAddress(url))
      assert.isTrue(Result.isSuccess(decodeConfigFile({ cache: { url } })))
    })
  }

  const wrong: ReadonlyArray<readonly [url: string, reason: RegExp]> = [
    ["", /^a URL that begins with redis:/],
    ["http://localhost", /^a URL that begins with redis:/],
    ["redis:localhost", /^a URL that begins with redis:/],
    [" redis://localhost", /^a URL that begins with redis:/],
    ["redis://", /^a host/],
    ["redis://:6379", /^a host/],
    ["redis://user:pass@/1", /^a host/],
    ["redis://h:99999", /^a port/],
    ["redis://h:0", /^a port/],
    ["redis://h:port/1", /^a port/],
    ["redis://h:-1", /^a port/],
    ["redis://h/notanumber", /^the number of a database/],
    ["redis://h:1/1/2", /^the number of a database/],
    ["redis://h/-1", /^the number of a database/],
    ["redis://u:%zz@h", /percent-encoded/],
    ["redis://u:Hunter2/xyz==@h:6379/0", /percent-encoded/],
    ["redis://u:Hunter2#xyz@h:6379", /percent-encoded/],
    ["redis://u:6379?xyz@h", /percent-encoded/],
    ["redis://u/xyz@h", /percent-encoded/],
    ["u:Hunter2@h:6379", /^a URL that begins with redis:/],
    ["redis://a b", /^redis\[s\]:/],
    ["redis://[::1", /^a host/]
  ]
  for (const [url, reason] of wrong) {
    it(`says why ${JSON.stringify(url)} is refused, once`, () => {
      assert.match(reasonFor(url) ?? "", reason)
      const problems = Result.match(decodeConfigFile({ cache: { url } }), {
        onSuccess: () => [],
        onFailure: (all) => all
      })
      assert.lengthOf(problems, 1)
      assert.strictEqual(problems[0]?.text, `${NOT_SHOWN}; allowed: ${reasonFor(url)}`)
    })
  }
})
