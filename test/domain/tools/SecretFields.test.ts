import { assert, describe, it } from "@effect/vitest"
import { inspectAnswer } from "../../../src/domain/inspection/AnswerInspection.ts"
import { inputNames, secretKind, takesSecret } from "../../../src/domain/tools/SecretFields.ts"
import { parsers } from "../inspection/inspectedCode.ts"

const ASKS: Readonly<Record<string, string>> = {
  password:
    "Password|password *|Confirm password|Password again|Password for the database|newPassword|db_password|Passphrase|Passwort|Kennwort:|Mot de passe|Contraseña|Senha|Wachtwoord|Пароль|密码|パスワード|current-password",
  credential:
    "API key|apiKey|Your API key *|X-Api-Key|OPENAI_API_KEY|Access token (optional)|GitHub token|Personal access token|Bearer token|Token|Secret|Client secret|privateKey|API-Schlüssel|Clé API|Clave de API",
  code: "PIN|Enter your PIN|PIN code|One-time code|OTP|Verification code|one-time-code",
  card: "Card number|Credit card number|CVV|CVC|Kartennummer|Numéro de carte|Número de tarjeta|cc-number|Social security number",
  seed: "Seed phrase|Recovery phrase|Secret recovery phrase|Mnemonic"
}
const OTHERS =
  "Token count|Max tokens|Tokens|Page token|nextPageToken|Design token|Token limit|Key|Keyboard|Keywords|Primary key|Sort key|Issue key|Object key|Password length|Password manager|Passwort-Manager|Password policy|Password strength|Pin to top|Pinned|Pinterest|Spin|Secret Santa|Card|Card title|Business card|Number|Code|Country code|Postal code|QR code|Discount code|Error code|Seed|Random seed|Tan colour|Search|Passage|Passenger|Security|Security group|Recovery point|Author"

describe("a label or a name", () => {
  it.each(Object.entries(ASKS).flatMap(([kind, labels]) => labels.split("|").map((label) => [label, kind] as const)))(
    "%s asks for a secret: %s",
    (label, kind) => {
      assert.strictEqual(secretKind(label), kind)
    }
  )

  it.each(OTHERS.split("|"))("%s asks for none", (label) => {
    assert.isNull(secretKind(label))
  })

  it("is read in no time, however long it is", () => {
    for (const part of ["api ", "one time ", "the token ", "(", "aA", "password for "]) {
      assert.isNull(secretKind(part.repeat(200_000)))
    }
  })
})

describe("the fields of a schema", () => {
  it("are found at any depth", () => {
    const deep = {
      type: "object",
      properties: { to: { $ref: "#/$defs/a" } },
      $defs: { a: { properties: { api_key: {} } } }
    }
    assert.sameMembers([...inputNames(deep)], ["to", "api_key"])
    assert.deepStrictEqual(inputNames(true), [])
  })

  it("take what is asked for under another name of the same kind", () => {
    assert.isTrue(takesSecret("API key", ["token"]))
    assert.isFalse(takesSecret("API key", ["password", "query"]))
    assert.isTrue(takesSecret("password", ["client_secret"]))
    assert.isFalse(takesSecret("password", ["query"]))
  })
})

const inspect = (page: string, inputs: ReadonlyArray<string> = []) => {
  const context = { toolNames: [], inputNames: inputs, maxHtmlBytes: 1e5 }
  const known = { partNames: new Set(["show", "form", "input", "h", "button", "table"]), appNames: new Set(["App"]) }
  const inspection = inspectAnswer(parsers, `<!-- rich -->\n${page}`, { ...context, ...known })
  return inspection._tag === "Rejected" ? inspection.problems.map(({ rule }) => rule) : []
}
const parts = (code: string): string =>
  `<script type="module">import { show, form, input, h, button, table } from "mcp-gen-ui/parts"\nshow((data, ctx) => [${code}])</script>`
const page = (markup: string, code = `app.callServerTool({ name: "count", arguments: {} })`): string =>
  `${markup}<script type="module">import { App } from "@modelcontextprotocol/ext-apps"
   const app = new App({}); app.ontoolresult = (result) => { document.title = result.content[0].text }
   document.querySelector("form")?.addEventListener("submit", (event) => { ${code} }); await app.connect()</script>`

const ASKING: ReadonlyArray<readonly [way: string, answer: string]> = [
  ["the type of an input", page("<form><label>Mail <input type=password></label></form>")],
  ["a label", page("<form><label for=a>API key</label><input id=a></form>")],
  ["a label around", page("<form><label><b>Card number</b> <input></label></form>")],
  ["a placeholder", page("<form><input aria-label=a placeholder='Your token'></form>")],
  ["autocomplete", page("<form><input aria-label=a autocomplete=cc-csc></form>")],
  ["a name", page("<form><textarea aria-label=a name=seed_phrase></textarea></form>")],
  [
    "markup of the script",
    page(
      "<form></form>",
      `document.forms[0].innerHTML = '<input type="password" aria-label="a">'; app.callServerTool({})`
    )
  ],
  [
    "a template of the script",
    page(
      "<form></form>",
      "document.forms[0].innerHTML = `<label>PIN <input value='${event.type}'></label>`; app.callServerTool({})"
    )
  ],
  [
    "a property",
    page("<form></form>", `const i = document.createElement("input"); i.type = "password"; app.sendMessage({})`)
  ],
  [
    "an attribute",
    page("<form></form>", `document.createElement("input").setAttribute("placeholder", "API key"); app.openLink({})`)
  ],
  [
    "properties",
    page(
      "<form></form>",
      `Object.assign(document.createElement("input"), { placeholder: "Passwort" }); app.callServerTool({})`
    )
  ],
  [
    "form of the parts",
    parts(`form([{ key: "user" }, { key: "password", label: "Pass" }], (values) => ctx.call(values))`)
  ],
  ["form with labels", parts(`form({ key: "API key" }, (values) => ctx.say(values.key))`)],
  ["form with names", parts(`form(["user", "password"], (values) => ctx.call(values))`)],
  ["input of the parts", parts(`input("API key", { onEnter: (value) => ctx.call({ value }) })`)],
  ["h", parts(`h("input", { type: "password", "aria-label": "a" }), button("Go", () => ctx.call({}))`)],
  [
    "the context taken apart",
    `<script type="module">import { show, input } from "mcp-gen-ui/parts"\nshow((data, { say }) => input("PIN", { onEnter: say }))</script>`
  ]
]

describe("a page that asks for a secret", () => {
  it.each(ASKING)("by %s is refused", (_way, answer) => {
    assert.deepStrictEqual([...new Set(inspect(answer))], ["secret-field"])
  })

  it.each(ASKING)("by %s is taken where the tool has it", (_way, answer) => {
    const inputs = ["login.password", "password", "api_key", "pin", "card_number", "cvv", "seedPhrase"]
    assert.deepStrictEqual(inspect(answer, inputs), [])
  })

  it.each([
    ["keeps it", page("<form><input type=password aria-label=a></form>", "event.preventDefault()")],
    [
      "shows it as data",
      parts(
        `table(data.users, { columns: [{ key: "password", label: "Password" }] }), button("Go", () => ctx.call({}))`
      )
    ],
    ["asks for a number of tokens", parts(`input("Max tokens", { type: "number", onEnter: (n) => ctx.call({ n }) })`)],
    ["searches for keys", page("<form><label>Key <input name=key></label></form>")],
    ["chooses by a box", page("<form><label><input type=checkbox> Password</label></form>")]
  ])("and %s is taken", (_what, answer) => {
    assert.deepStrictEqual(inspect(answer), [])
  })
})
