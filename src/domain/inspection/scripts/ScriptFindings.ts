import { shortened } from "../../shortened.ts"
import type { Finding } from "../HtmlRules.ts"

const MAX_QUOTATION = 60

/** A piece of code, short enough for a message. */
export const quote = (text: string): string => shortened(text, MAX_QUOTATION)

/** The findings of one script, in the order of its nodes. Offsets are those of the script. */
export class ScriptFindings {
  readonly all: Array<Finding> = []

  report(rule: Finding["rule"], offset: number, written: string, advice?: string): void {
    const finding = { rule, offset, found: quote(written) }
    this.all.push(advice === undefined ? finding : { ...finding, advice })
  }

  add(findings: ReadonlyArray<Finding>): void {
    this.all.push(...findings)
  }
}
