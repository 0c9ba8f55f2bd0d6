import type { AnyNode, Program } from "acorn"
import { GUARDED } from "../DeniedNames.ts"
import { ScriptNames } from "../scripts/ScriptNames.ts"
import { unwrapped, writtenName } from "../scripts/ScriptSyntax.ts"
import type { SourceParsers } from "../SourceParsers.ts"
import { applyEdits } from "../repair/TextEdits.ts"
import type { TextEdit } from "../repair/TextEdits.ts"

/** The page's runtime checks with this global; no script can replace it. */
const NAMES = "mcpGenUiNames"

const OUTWARD: ReadonlySet<string> = new Set(GUARDED)
const NOTHING_KNOWN = { partNames: new Set<string>(), appNames: new Set<string>() }

const NUMERIC: ReadonlySet<string> = new Set("- * / % ** | & ^ << >> >>>".split(" "))

const isKnown = (key: AnyNode): boolean => {
  if (key.type === "ParenthesizedExpression") return isKnown(key.expression)
  if (key.type === "Literal") return typeof key.value === "string" || typeof key.value === "number"
  return key.type === "UpdateExpression" || (key.type === "BinaryExpression" && NUMERIC.has(key.operator))
}

/** `new` takes everything up to the first `(` as the constructor, so our call needs parentheses of its own. */
const isConstructed = (ancestors: ReadonlyArray<AnyNode>): boolean => {
  let at = ancestors.length - 1
  const isObjectOf = (parent: AnyNode | undefined): boolean =>
    (parent?.type === "MemberExpression" && parent.object === ancestors[at]) ||
    (parent?.type === "TaggedTemplateExpression" && parent.tag === ancestors[at])
  while (isObjectOf(ancestors[at - 1])) at--
  const parent = ancestors[at - 1]
  return parent?.type === "NewExpression" && parent.callee === ancestors[at]
}

/** A `?.` stands earlier in the chain. */
const isOptional = (node: AnyNode): boolean => {
  if (node.type === "MemberExpression") return node.optional || isOptional(node.object)
  return node.type === "CallExpression" && (node.optional || isOptional(node.callee))
}

/** What a pattern takes apart, if it is evaluated just before. */
const takenApart = (pattern: AnyNode, parent: AnyNode | undefined): AnyNode | null => {
  if (parent?.type === "VariableDeclarator" && parent.id === pattern) return parent.init ?? null
  return parent?.type === "AssignmentExpression" && parent.left === pattern ? parent.right : null
}

/** Where statements begin after directives (`"use strict"`). */
const afterDirectives = ({ body }: Program): number => {
  const last = body.findLast((node) => node.type === "ExpressionStatement" && node.directive !== undefined)
  return last?.end ?? 0
}

/** What a part of a pattern puts its value into, if it can be read again. */
const takenInto = (value: AnyNode): AnyNode | null => {
  if (value.type === "AssignmentPattern") return takenInto(value.left)
  if (value.type !== "MemberExpression") return value.type === "Identifier" ? value : null
  return !value.computed && /^(Identifier|ThisExpression)$/u.test(value.object.type) ? value : null
}

type Loop = Extract<
  AnyNode,
  { readonly type: "WhileStatement" | "DoWhileStatement" | "ForStatement" | "ForOfStatement" }
>

const isLoop = (node: AnyNode): node is Loop => /^(?:While|DoWhile|For|ForOf)Statement$/u.test(node.type)

/**
 * Where the call that counts the rounds of a loop stands, and what separates it. One statement over a list needs none:
 * if the list has no end, what makes it has a loop.
 */
const roundOf = (loop: Loop, code: string): readonly [offset: number, separator: string] | undefined => {
  if (loop.body.type === "BlockStatement") return [loop.body.start + 1, ";"]
  if (loop.type === "ForOfStatement") return undefined
  const part = loop.test ?? (loop.type === "ForStatement" ? loop.update : null)
  // `for (;;) f()`
  return part ? [part.start, ","] : [code.lastIndexOf(")", loop.body.start), ""]
}

/**
 * Puts a check around every name that a script computes: `list[key]` becomes `list[$.name(list,(key))]`. There the
 * page's runtime answers with the name, or throws if it leads out of the page (`computedNames.ts`). An object that is
 * not a variable is evaluated once: `$.of(object)[$.name($.base(),(key))]`. The same holds for what a pattern takes
 * apart, at its first part. Written names that may lead out are checked too (`w.fetch`), except globals, which
 * inspection already knows. Where a pattern takes such a name, the value is checked: `{ open: f }` becomes `{ open: f,
 * [$.own(f)]: {} = 1 }`. Each round of a loop begins with `$.round()`, which throws if the loop does not end. Throws
 * what acorn throws.
 */
export const guardNames = (
  parsers: SourceParsers,
  code: string,
  sourceType: "module" | "script",
  index: number
): string => {
  const program = parsers.acorn.parse(code, {
    ecmaVersion: "latest",
    sourceType,
    allowHashBang: false,
    preserveParens: true
  })
  let scopes: ScriptNames | undefined
  const isGlobal = (node: AnyNode): boolean => {
    scopes ??= new ScriptNames(parsers, program, NOTHING_KNOWN)
    return scopes.globalName(unwrapped(node)) !== ""
  }
  const used = new Set<string>()
  const places: Array<(guard: string) => ReadonlyArray<TextEdit>> = []
  const at = (offset: number, text: string): TextEdit => ({ start: offset, end: offset, text })
  const around = ({ start, end }: AnyNode, before: string, after: string): ReadonlyArray<TextEdit> => [
    at(start, before),
    at(end, after)
  ]
  parsers.walk.fullAncestor(program, (node, _state, ancestors) => {
    if (node.type === "Identifier") used.add(node.name)
    for (const [index, part] of node.type === "ObjectPattern" ? node.properties.entries() : []) {
      if (part.type !== "Property") continue
      const name = writtenName(part) ?? ""
      const into = OUTWARD.has(name) || name === "open" ? takenInto(part.value) : null
      if (into !== null) {
        places.push((guard) => [at(part.end, `,[${guard}.own(${code.slice(into.start, into.end)})]:{}=1`)])
      }
      if (!part.computed || isKnown(part.key)) continue
      const source = index === 0 ? takenApart(node, ancestors.at(-2)) : null
      places.push((guard) => [
        ...around(part.key, `${guard}.name(${guard}${source === null ? "" : ".base()"},(`, "))"),
        ...(source === null ? [] : around(source, ` ${guard}.of(`, ")"))
      ])
    }
    const round = isLoop(node) ? roundOf(node, code) : undefined
    if (round !== undefined) places.push((guard) => [at(round[0], `${guard}.round()${round[1]}`)])
    if (node.type !== "MemberExpression") return
    const written = writtenName(node) ?? ""
    const parent = ancestors.at(-2)
    const isOpening = written === "open" && parent?.type === "CallExpression" && parent.callee === node
    const isOutward = (OUTWARD.has(written) || isOpening) && node.object.type !== "Super" && !isGlobal(node.object)
    if (!isOutward && (!node.computed || isKnown(node.property))) return
    /** The checked name; the object is inserted before it. */
    const named = (guard: string, base: string): ReadonlyArray<TextEdit> =>
      node.computed
        ? around(node.property, `${guard}.name(${base},(`, "))")
        : [
            {
              start: node.object.end,
              end: node.property.end,
              text: `${node.optional || isOptional(node.object) ? "?." : ""}[${guard}.name(${base},"${written}")]`
            }
          ]
    const { object } = node
    const isSuper = object.type === "Super"
    if (isSuper || object.type === "Identifier" || object.type === "ThisExpression") {
      const again = code.slice(object.start, object.end)
      places.push((guard) => named(guard, isSuper ? guard : again))
      return
    }
    // The space separates it from a word before (`return[1, 2][n]`).
    const [open, close] = isConstructed(ancestors) ? ["(", ")"] : [" ", ""]
    const link = !node.optional && isOptional(object) ? "?." : ""
    places.push((guard) => [
      ...around(object, `${open}${guard}.of(`, `)${close}${node.computed ? link : ""}`),
      ...named(guard, `${guard}.base()`)
    ])
  })
  if (places.length === 0) return code
  let guard = `$${index}`
  while (used.has(guard)) guard += "$"
  // Nodes come from the inside out; where two begin at the same place, the outermost must come first.
  const edits = places.toReversed().flatMap((place) => place(guard))
  // A script that declares our name would get its own.
  const names = used.has(NAMES) ? "null" : NAMES
  const begin = at(afterDirectives(program), `;const ${guard}=${names};`)
  return applyEdits(code, [begin, ...edits])
}
