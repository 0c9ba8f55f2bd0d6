import type { AnyNode, CallExpression, NewExpression, Program } from "acorn"
import { BoundPatterns } from "./BoundPatterns.ts"
import { ConstantTexts } from "./ConstantTexts.ts"
import { GlobalPaths } from "./GlobalPaths.ts"
import { ScriptBindings } from "./ScriptBindings.ts"
import type { Ancestors, Binding, Destructured } from "./ScriptBindings.ts"
import { declareNames } from "./ScriptDeclarations.ts"
import type { ScriptImport } from "./ScriptImports.ts"
import type { SourceParsers } from "./SourceParsers.ts"
import { StepBudget } from "./StepBudget.ts"
import { ValueFlow } from "./ValueFlow.ts"

/** Answers what the names in a script mean. It follows constants, aliases and destructuring, not calls. */
export interface ScriptScope {
  /** See {@link ScriptBindings.resolve}. */
  readonly resolve: (name: string, ancestors: Ancestors) => Binding | undefined
  /** See {@link GlobalPaths.of}. */
  readonly globalPaths: (node: AnyNode, ancestors: Ancestors) => ReadonlyArray<string>
  /** See {@link ConstantTexts.textOf}. */
  readonly staticText: (node: AnyNode, ancestors: Ancestors) => string | null
  /** See {@link ConstantTexts.memberName}. */
  readonly memberName: (node: AnyNode, ancestors: Ancestors) => string | null
  /** Every name that destructuring binds to a member of something, for checks of `const { fetch } = window`. */
  readonly destructured: ReadonlyArray<Destructured>
  /** See {@link ValueFlow.followsArgument}. */
  readonly followsArgument: (call: CallExpression | NewExpression, index: number, ancestors: Ancestors) => boolean
  /** Counts work that grows with the script. `false` when there was too much: then answers may be incomplete. */
  readonly spend: (steps: number) => boolean
  /** The work that was done up to now. */
  readonly steps: () => number
  /** See {@link ValueFlow.isShow}. */
  readonly isShow: (callee: AnyNode, ancestors: Ancestors) => boolean
  readonly imports: ReadonlyArray<ScriptImport>
}

/** Goes through a parsed script once and remembers what every name is bound to. */
export const scopeOf = (parsers: SourceParsers, program: Program, sourceType: "module" | "script"): ScriptScope => {
  const budget = new StepBudget(program.end)
  const bindings = new ScriptBindings()
  const texts = new ConstantTexts(bindings, budget)
  const patterns = new BoundPatterns(texts)
  const paths = new GlobalPaths(bindings, texts, budget, sourceType)
  const flow = new ValueFlow(bindings, texts, patterns, paths)
  const { imports, unbound } = declareNames(parsers, program, bindings, patterns)
  flow.bind(unbound.toReversed())
  paths.finish()
  texts.forget()
  return {
    resolve: (name, ancestors) => bindings.resolve(name, ancestors),
    globalPaths: (node, ancestors) => paths.of(node, ancestors),
    staticText: (node, ancestors) => texts.textOf(node, ancestors),
    memberName: (node, ancestors) => texts.memberName(node, ancestors),
    destructured: patterns.destructured,
    followsArgument: (call, index, ancestors) => flow.followsArgument(call, index, ancestors),
    spend: (steps) => budget.spend(steps),
    steps: () => budget.steps,
    isShow: (callee, ancestors) => flow.isShow(callee, ancestors),
    imports
  }
}
