import type { AnyNode, Pattern } from "acorn"

/** The nodes around a node, outermost first, the node itself last. */
export type Ancestors = ReadonlyArray<AnyNode>

export interface BoundValue {
  readonly node: AnyNode
  /** The members that destructuring takes from it. */
  readonly keys: ReadonlyArray<string>
  readonly ancestors: Ancestors
  /** What it is known to be, where `node` does not say it: see MemberPaths.ts. */
  readonly path?: string
  /** Only one of the calls of a function gives it: it is no constant. */
  readonly isArgument?: boolean
}

/** One name in one scope, and everything that is seen to be put into it. */
export interface Binding {
  readonly values: Array<BoundValue>
  /** The function that a declaration binds to it. */
  fn: AnyNode | null
  /** Where an import takes it from; `name` is `*` for the namespace. */
  imported: { readonly specifier: string; readonly name: string } | null
}

/** A member that destructuring takes; its last key is `UNKNOWN_PART` where only running code knows it. */
export interface Destructured {
  readonly at: number
  readonly value: BoundValue
  /** What it is put into. */
  readonly target: Pattern
}

export const FUNCTIONS: ReadonlySet<string> = new Set([
  "FunctionDeclaration",
  "FunctionExpression",
  "ArrowFunctionExpression"
])

/** Which name means what where. */
export class ScriptBindings {
  /** The bindings that got values, until who follows values takes them out. */
  readonly changed = new Set<Binding>()
  /** By name first: most names are those of globals, which no scope declares. */
  readonly #declared = new Map<string, Map<AnyNode, Binding>>()

  /** The binding of a name in the scope that this node makes; a new one if there is none. */
  declare(scope: AnyNode, name: string): Binding {
    const scopes = this.#declared.get(name) ?? new Map<AnyNode, Binding>()
    this.#declared.set(name, scopes)
    const binding = scopes.get(scope) ?? { values: [], fn: null, imported: null }
    scopes.set(scope, binding)
    return binding
  }

  /** The binding of a name in one scope, not in those around it. */
  own(scope: AnyNode, name: string): Binding | undefined {
    return this.#declared.get(name)?.get(scope)
  }

  /** The binding that a name at this place refers to; `undefined` for a global. */
  resolve(name: string, ancestors: Ancestors): Binding | undefined {
    const scopes = this.#declared.get(name)
    if (scopes === undefined) return undefined
    for (let index = ancestors.length - 1; index >= 0; index--) {
      const node = ancestors[index]
      const binding = node === undefined ? undefined : scopes.get(node)
      if (binding !== undefined) return binding
    }
    return undefined
  }

  addValue(binding: Binding, value: BoundValue): void {
    binding.values.push(value)
    this.changed.add(binding)
  }
}
