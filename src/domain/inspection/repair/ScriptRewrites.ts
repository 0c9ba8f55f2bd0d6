import type { AnyNode, ExportDefaultDeclaration, ImportDeclaration, Program, VariableDeclaration } from "acorn"
import { APP_SPECIFIER, PARTS_SPECIFIER } from "../HtmlRules.ts"
import { canonicalSpecifier, importOf } from "../scripts/ScriptImports.ts"
import type { ImportedName } from "../scripts/ScriptImports.ts"
import { sameNameBut } from "./SimilarNames.ts"
import type { TextEdit } from "./TextEdits.ts"

/** What the two specifiers export. An empty set means unknown, and is not checked. */
export interface KnownExports {
  readonly partNames: ReadonlySet<string>
  readonly appNames: ReadonlySet<string>
}

/** Changes of whole statements in a script that parses. Offsets are those of its code. */
export interface ScriptRewrites {
  readonly edits: ReadonlyArray<TextEdit>
  readonly repairs: ReadonlyArray<string>
}

/** The names that a specifier exports; `null` if unknown. */
export const exportsOf = (specifier: string, known: KnownExports): ReadonlySet<string> | null => {
  const names = specifier === PARTS_SPECIFIER ? known.partNames : specifier === APP_SPECIFIER ? known.appNames : null
  return names === null || names.size === 0 ? null : names
}

const isNamed = ({ imported }: ImportedName): boolean => imported !== "*" && imported !== "default"

const importStatement = (specifier: string, names: ReadonlyArray<ImportedName>): string => {
  const byDefault = names.filter(({ imported }) => imported === "default").map(({ local }) => local)
  const namespace = names.filter(({ imported }) => imported === "*").map(({ local }) => `* as ${local}`)
  const named = names
    .filter(isNamed)
    .map(({ imported, local }) => (imported === local ? local : `${imported} as ${local}`))
  const clauses = [...byDefault, ...namespace, ...(named.length === 0 ? [] : [`{ ${named.join(", ")} }`])]
  return `import ${clauses.length === 0 ? "" : `${clauses.join(", ")} from `}${JSON.stringify(specifier)};`
}

/** How often a word occurs in the code, anywhere. */
const countOf = (code: string, word: string): number => code.split(word).length - 1

class Rewriter {
  readonly edits: Array<TextEdit> = []
  readonly repairs = new Set<string>()
  readonly #program: Program
  readonly #code: string
  readonly #known: KnownExports

  constructor(program: Program, code: string, known: KnownExports) {
    this.#program = program
    this.#code = code
    this.#known = known
  }

  #replace(node: { readonly start: number; readonly end: number }, text: string, repair: string): void {
    this.edits.push({ start: node.start, end: node.end, text })
    this.repairs.add(repair)
  }

  run(): ScriptRewrites {
    for (const node of this.#program.body) {
      if (node.type === "ImportDeclaration") this.#import(node)
      else if (node.type === "VariableDeclaration") this.#require(node)
      else if (node.type === "ExportDefaultDeclaration") this.#exportDefault(node)
      else if (node.type === "ExportNamedDeclaration" && !node.source) {
        const text = node.declaration ? this.#code.slice(node.declaration.start, node.end) : ";"
        this.#replace(node, text, "left out the word export: nothing imports this page")
      }
    }
    return { edits: this.edits, repairs: [...this.repairs] }
  }

  #import(node: ImportDeclaration): void {
    const found = importOf(node)
    const specifier = found?.specifier === null || found === null ? null : canonicalSpecifier(found.specifier)
    if (found === null || specifier === null) return
    if (specifier !== found.specifier) {
      const text = JSON.stringify(specifier)
      const place = { start: found.specifierStart, end: found.specifierEnd }
      this.#replace(place, text, `imports ${specifier} by its own name instead of ${found.specifier}`)
    }
    const exported = exportsOf(specifier, this.#known)
    if (exported === null) return
    const other = specifier === PARTS_SPECIFIER ? APP_SPECIFIER : PARTS_SPECIFIER
    const kept: Array<ImportedName> = []
    const moved: Array<ImportedName> = []
    const repairs: Array<string> = []
    for (const name of found.names) {
      const { imported, local } = name
      const similar = sameNameBut(imported, exported)
      if (!isNamed(name) || exported.has(imported)) kept.push(name)
      else if (exportsOf(other, this.#known)?.has(imported) === true) {
        moved.push(name)
        repairs.push(`imports ${imported} from ${other}, where it is`)
      } else if (similar !== null) {
        kept.push({ ...name, imported: similar })
        repairs.push(`imports ${similar} instead of ${imported}, which does not exist`)
      } else if (countOf(this.#code, local) === (imported === local ? 1 : countOf(`${imported} ${local}`, local))) {
        repairs.push(`left out the import of ${imported}, which does not exist and is not used`)
      } else kept.push(name)
    }
    if (repairs.length === 0) return
    const statements = [
      ...(kept.length > 0 ? [importStatement(specifier, kept)] : []),
      ...(moved.length > 0 ? [importStatement(other, moved)] : [])
    ]
    this.edits.push({ start: node.start, end: node.end, text: statements.join(" ") || ";" })
    // The new statement already has the canonical specifier.
    const inside = this.edits.findIndex(({ start }) => start === found.specifierStart)
    if (inside !== -1) this.edits.splice(inside, 1)
    for (const repair of repairs) this.repairs.add(repair)
  }

  /** `const { show } = require("mcp-gen-ui/parts")`. */
  #require(node: VariableDeclaration): void {
    const [declarator, ...others] = node.declarations
    const call = declarator?.init
    if (declarator === undefined || others.length > 0 || call?.type !== "CallExpression") return
    const [argument] = call.arguments
    if (call.callee.type !== "Identifier" || call.callee.name !== "require" || argument?.type !== "Literal") return
    const specifier = typeof argument.value === "string" ? canonicalSpecifier(argument.value) : null
    const names = specifier === null ? null : patternNames(declarator.id)
    if (specifier === null || names === null) return
    this.#replace(node, importStatement(specifier, names), `imports ${specifier} instead of requiring it`)
  }

  /** Frameworks show what a default export returns; without a call of `show` it is taken for that. */
  #exportDefault(node: ExportDefaultDeclaration): void {
    const { declaration } = node
    const text = this.#code.slice(declaration.start, declaration.end)
    const isFunction = FUNCTIONS.has(declaration.type)
    if (isFunction && !this.#callsShow()) {
      this.#replace(node, `show(${text});`, "gave the function that the script exports to show")
    } else if ("id" in declaration && declaration.id) {
      this.#replace(node, text, "left out the word export: nothing imports this page")
    } else this.#replace(node, `;(${text});`, "left out the word export: nothing imports this page")
  }

  #callsShow(): boolean {
    const local = this.#program.body
      .flatMap((node) => importOf(node)?.names ?? [])
      .find(({ imported }) => imported === "show")?.local
    return this.#code.includes(`${local ?? "show"}(`) || this.#code.includes(".show(") || countOf(this.#code, "App") > 0
  }
}

const FUNCTIONS: ReadonlySet<string> = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"])

const patternNames = (pattern: AnyNode): ReadonlyArray<ImportedName> | null => {
  if (pattern.type === "Identifier") return [{ imported: "*", local: pattern.name, start: pattern.start }]
  if (pattern.type !== "ObjectPattern") return null
  const names = pattern.properties.map((property) =>
    property.type === "Property" &&
    !property.computed &&
    property.key.type === "Identifier" &&
    property.value.type === "Identifier"
      ? { imported: property.key.name, local: property.value.name, start: property.start }
      : null
  )
  return names.every((name) => name !== null) ? names : null
}

/**
 * Mends what the top-level statements of a module show: imports of the two specifiers by other addresses, from the
 * wrong one, or by a name that differs in case or number; `require` of them; exports. A name that is not even nearly
 * known stays for the inspector to refuse.
 */
export const rewriteScript = (program: Program, code: string, known: KnownExports): ScriptRewrites =>
  new Rewriter(program, code, known).run()
