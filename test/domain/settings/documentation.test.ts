import { assert, describe, it } from "@effect/vitest"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import { CONFIG_DEFAULTS } from "../../../src/domain/settings/ConfigDefaults.ts"
import type { ConfigFile } from "../../../src/domain/settings/ConfigFile.ts"
import { configFileJsonSchema } from "../../../src/domain/settings/ConfigFileJsonSchema.ts"
import { CONFIG_FLAGS, readPlainArguments } from "../../../src/domain/settings/ConfigFlags.ts"
import { resolveSettings } from "../../../src/layers/settings/Settings.ts"
import { root } from "../../fixtures/RawClient.ts"
import { itEffect } from "../../fixtures/itEffect.ts"

const folder = mkdtempSync(join(tmpdir(), "mcp-gen-ui-documentation-"))
afterAll(() => rmSync(folder, { recursive: true }))

const text = readFileSync(join(root, "docs/configuration.md"), "utf8")
const oauth = readFileSync(join(root, "docs/oauth.md"), "utf8")
const readme = readFileSync(join(root, "README.md"), "utf8")
const rows = text.split("\n").filter((line) => line.startsWith("|"))
const examples = (markdown: string) =>
  [...markdown.matchAll(/^```json\n([^]*?)^```/gm)].map(([, json = ""]) => JSON.parse(json) as Example)

interface Example extends ConfigFile {
  readonly mcpServers?: Readonly<
    Record<
      string,
      {
        readonly command?: string
        readonly args?: ReadonlyArray<string>
        readonly env?: Readonly<Record<string, string>>
        readonly url?: string
      }
    >
  >
}

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

  itEffect("has examples that work, as those of the README and of docs/oauth.md do", function* () {
    let files = 0
    let wrappers = 0
    for (const { mcpServers, ...config } of [text, oauth, readme].flatMap(examples)) {
      if (mcpServers === undefined) {
        const file = join(folder, "example.json")
        writeFileSync(file, JSON.stringify(config))
        const environment = { ANTHROPIC_API_KEY: "secret", ISSUES_KEY: "secret", ISSUES_CLIENT_SECRET: "secret" }
        yield* resolveSettings({ flags: { config: file }, command: undefined, environment })
        files++
        continue
      }
      for (const { args, command, env = {}, url } of Object.values(mcpServers)) {
        if (url !== undefined) continue
        wrappers++
        assert.deepStrictEqual([command, args?.slice(0, 2)], ["npx", ["-y", "mcp-gen-ui"]])
        const given = readPlainArguments(args?.slice(2) ?? []) ?? assert.fail(args?.join(" "))
        // The dots stand for a secret.
        const environment = Object.fromEntries(
          Object.entries(env).map(([name, value]) => [name, value === "…" ? "secret" : value])
        )
        yield* resolveSettings({ ...given, environment })
      }
    }
    assert.isAbove(files, 1)
    assert.isAbove(wrappers, 3)
  })
})
