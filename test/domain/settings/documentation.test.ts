import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { CONFIG_DEFAULTS } from "../../../src/domain/settings/ConfigDefaults.ts"
import { configFileJsonSchema } from "../../../src/domain/settings/ConfigFileJsonSchema.ts"
import { CONFIG_FLAGS } from "../../../src/domain/settings/ConfigFlags.ts"
import { root } from "../../fixtures/RawClient.ts"

const text = readFileSync(join(root, "docs/configuration.md"), "utf8")
const oauth = readFileSync(join(root, "docs/oauth.md"), "utf8")
const rows = text.split("\n").filter((line) => line.startsWith("|"))

interface Described {
  readonly properties?: Readonly<Record<string, Described>>
}

const keysOf = (schema: Described, path: string): ReadonlyArray<string> =>
  Object.entries(schema.properties ?? {}).flatMap(([name, value]) => {
    const inner = keysOf(value, `${path}${name}.`)
    return inner.length > 0 ? inner : [`${path}${name}`]
  })

const defaultAt = (key: string): unknown =>
  key
    .split(".")
    .reduce<unknown>(
      (value, name) =>
        typeof value === "object" && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined,
      CONFIG_DEFAULTS
    )

describe("docs/oauth.md", () => {
  it("has every key of upstream.oauth", () => {
    const keys = keysOf(configFileJsonSchema(), "").flatMap((key) => /^upstream\.oauth\.(\w+)$/.exec(key)?.[1] ?? [])
    assert.lengthOf(keys, 7)
    for (const key of keys) assert.match(oauth, new RegExp(`^\\|[^|]*\\|[^|]*\`${key}\``, "m"))
  })
})

describe("docs/configuration.md", () => {
  it("has every key of the file, with its default, and no other", () => {
    const keys = keysOf(configFileJsonSchema(), "").filter((key) => key !== "$schema")
    assert.isAbove(keys.length, 40)
    const documented = rows.flatMap((row) => /^\| `([a-z][\w.]+)` +\|([^|]*)\|/i.exec(row)?.slice(1, 3) ?? [])
    assert.sameMembers(
      documented.filter((_, index) => index % 2 === 0),
      [...keys]
    )
    for (const [index, key] of documented.entries()) {
      const value = index % 2 === 0 ? defaultAt(key) : undefined
      if (value === undefined) continue
      const written = typeof value === "string" ? value : JSON.stringify(value).replaceAll(",", ", ")
      assert.strictEqual(documented[index + 1]?.trim(), `\`${written}\``, key)
    }
  })

  it("has every flag with its variable", () => {
    for (const { flag, variable } of Object.values(CONFIG_FLAGS)) {
      assert.lengthOf(
        rows.filter((row) => new RegExp(`^\\| \`--${flag}[ \`].*\`${variable}\``).test(row)),
        1,
        flag
      )
    }
  })
})
