import type { AnyNode, Program } from "acorn"
import { APP_SPECIFIER, PARTS_SPECIFIER } from "../HtmlRules.ts"
import type { SourceParsers } from "../SourceParsers.ts"
import { applyEdits } from "../repair/TextEdits.ts"
import type { TextEdit } from "../repair/TextEdits.ts"

/** One binding of an import declaration; `imported` is `*` for the namespace. Offsets are those of the script. */
export interface ImportedName {
  readonly imported: string
  readonly local: string
  readonly start: number
}

/** An import, a re-export or a dynamic import. Offsets are those of the script. */
export interface ScriptImport {
  readonly kind: "static" | "reexport" | "dynamic"
  readonly start: number
  readonly end: number
  /** `null` if a dynamic import computes it. */
  readonly specifier: string | null
  /** Where the specifier starts, with its quotes. */
  readonly specifierStart: number
  readonly specifierEnd: number
  readonly names: ReadonlyArray<ImportedName>
}

const textOf = (node: AnyNode): string | null => {
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : null
  if (node.type === "TemplateLiteral" && node.expressions.length === 0) return node.quasis[0]?.value.cooked ?? null
  return null
}

const nameOf = (node: AnyNode): string => (node.type === "Identifier" ? node.name : (textOf(node) ?? ""))

export const importOf = (node: AnyNode): ScriptImport | null => {
  const read = (kind: ScriptImport["kind"], source: AnyNode, names: ReadonlyArray<ImportedName>): ScriptImport => ({
    kind,
    start: node.start,
    end: node.end,
    specifier: textOf(source),
    specifierStart: source.start,
    specifierEnd: source.end,
    names
  })
  switch (node.type) {
    case "ImportDeclaration":
      return read(
        "static",
        node.source,
        node.specifiers.map((specifier) => ({
          start: specifier.start,
          local: specifier.local.name,
          imported:
            specifier.type === "ImportSpecifier"
              ? nameOf(specifier.imported)
              : specifier.type === "ImportDefaultSpecifier"
                ? "default"
                : "*"
        }))
      )
    case "ExportNamedDeclaration":
    case "ExportAllDeclaration":
      return node.source ? read("reexport", node.source, []) : null
    case "ImportExpression":
      return read("dynamic", node.source, [])
    default:
      return null
  }
}

const countOf = (text: string, word: string): number => text.split(word).length - 1

/** All imports of a parsed script, in no particular order. */
const findImports = (parsers: SourceParsers, program: Program, code: string): ReadonlyArray<ScriptImport> => {
  const statements = program.body.flatMap((node) => importOf(node) ?? [])
  // An extra "import" in the text may be one inside a statement.
  const isAll = countOf(code, "import") === statements.filter(({ kind }) => kind === "static").length
  if (isAll) return statements
  const imports: Array<ScriptImport> = []
  parsers.walk.fullAncestor(program, (node) => {
    const found = importOf(node)
    if (found !== null) imports.push(found)
  })
  return imports
}

const APP_ENTRY_FILES: ReadonlySet<string> = new Set(["", "app", "app-with-deps", "dist", "src", "index", "+esm"])

const packagePath = (specifier: string): string => {
  try {
    return new URL(specifier).pathname
  } catch {
    return specifier
  }
}

/**
 * The specifier that a page should use for this one: `APP_SPECIFIER` for the ext-apps package on a CDN, with a version
 * or by its entry file; `PARTS_SPECIFIER` likewise. `null` for everything else, including `app-bridge` and `react` of
 * ext-apps.
 */
export const canonicalSpecifier = (specifier: string): string | null => {
  if (specifier === PARTS_SPECIFIER || specifier === APP_SPECIFIER) return specifier
  const segments = packagePath(specifier).split("/")
  const bare = (segment: string | undefined): string => (segment ?? "").split("@")[0] ?? ""
  const scope = segments.findIndex((segment) => segment.endsWith("@modelcontextprotocol"))
  if (scope !== -1 && bare(segments[scope + 1]) === "ext-apps") {
    const rest = segments.slice(scope + 2).flatMap((segment) => segment.split("."))
    return rest.every(
      (word) => APP_ENTRY_FILES.has(word) || word === "js" || word === "mjs" || word === "bundle" || word === "min"
    )
      ? APP_SPECIFIER
      : null
  }
  const own = segments.findIndex((segment) => bare(segment) === "mcp-gen-ui")
  if (own !== -1) {
    const rest = segments.slice(own + 1).join("/")
    return rest === "" || rest === "parts" || rest === "parts.js" || rest === "parts/index.js" ? PARTS_SPECIFIER : null
  }
  return null
}

const NAMESPACES: Readonly<Record<string, { readonly global: string; readonly byDefault: string }>> = {
  [PARTS_SPECIFIER]: { global: "globalThis.mcpGenUi.parts", byDefault: "" },
  [APP_SPECIFIER]: { global: "globalThis.mcpGenUi.extApps", byDefault: ".App" }
}

/**
 * Replaces imports of the two known specifiers by reads of `globalThis.mcpGenUi`, which the page runtime sets, because
 * no host resolves them. The bindings become constants before the first statement, on its line, so that functions
 * called early see them. An unknown name is a `SyntaxError` there, as with a real import. A default import means `App`,
 * or all parts. Everything else stays byte for byte; other imports fail in the page.
 */
export const linkImports = (parsers: SourceParsers, code: string, sourceType: "module" | "script"): string => {
  const program = parsers.acorn.parse(code, { ecmaVersion: "latest", sourceType, allowHashBang: false })
  const edits: Array<TextEdit> = []
  const bindings: Array<string> = []
  for (const found of findImports(parsers, program, code)) {
    const namespace = found.specifier === null ? undefined : NAMESPACES[found.specifier]
    if (namespace === undefined) continue
    if (found.kind === "dynamic") {
      edits.push({ start: found.start, end: found.end, text: `Promise.resolve(${namespace.global})` })
      continue
    }
    edits.push({ start: found.start, end: found.end, text: ";" })
    const named = found.names.filter(({ imported }) => imported !== "*" && imported !== "default")
    for (const { imported, local } of found.names) {
      if (imported === "*") bindings.push(`const ${local}=${namespace.global};`)
      else if (imported === "default") {
        bindings.push(`const ${local}=${namespace.global}.default??${namespace.global}${namespace.byDefault};`)
      }
    }
    if (named.length === 0) continue
    const names = JSON.stringify(named.map(({ imported }) => imported))
    bindings.push(
      `for(const name of ${names})if(!(name in ${namespace.global}))throw new SyntaxError(` +
        `"${found.specifier} has no export "+name);`
    )
    const members = named.map(({ imported, local }) =>
      imported === local ? local : `${JSON.stringify(imported)}:${local}`
    )
    bindings.push(`const{${members.join(",")}}=${namespace.global};`)
  }
  return bindings.sort(checksFirst).join("") + applyEdits(code, edits)
}

const checksFirst = (a: string, b: string): number => Number(b.startsWith("for")) - Number(a.startsWith("for"))

const IMPORT_TOKENS: ReadonlySet<string> = new Set(["name", "{", "}", ",", "*", "default"])

/**
 * The imports of foreign specifiers among the first statements of an unfinished script. Stops at the first token
 * outside an import.
 */
export const leadingForeignImports = (
  parsers: SourceParsers,
  code: string
): ReadonlyArray<{ readonly start: number; readonly specifier: string }> => {
  const found: Array<{ readonly start: number; readonly specifier: string }> = []
  let start: number | null = null
  try {
    for (const { type, start: at, end } of parsers.acorn.tokenizer(code, {
      ecmaVersion: "latest",
      sourceType: "module"
    })) {
      if (start === null) {
        if (type.label === ";") continue
        if (type.label !== "import") break
        start = at
      } else if (type.label === "string") {
        const specifier = code.slice(at + 1, end - 1)
        if (canonicalSpecifier(specifier) === null) found.push({ start, specifier })
        start = null
      } else if (!IMPORT_TOKENS.has(type.label)) break
    }
  } catch {
    return found
  }
  return found
}
