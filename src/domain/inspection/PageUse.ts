import { attribute } from "./html/HtmlCheck.ts"
import type { Markup, MarkupElement } from "./html/HtmlMarkup.ts"
import type { Finding } from "./HtmlRules.ts"
import type { InspectionContext } from "./Inspection.ts"
import type { ScriptInspection } from "./scripts/ScriptInspection.ts"

const CONTROLS: ReadonlyArray<string> = ["form", "input", "button", "select", "textarea"]
/** Inputs in which the Enter key does not send the form. */
const SILENT_INPUTS: ReadonlySet<string> = new Set(["hidden", "button", "reset", "checkbox", "radio", "file", "range"])

const isInside = (element: MarkupElement, outer: MarkupElement): boolean => {
  for (let parent = element.parent; parent !== null; parent = parent.parent) if (parent === outer) return true
  return false
}

const isDialog = (element: MarkupElement, name: string): boolean => attribute(element, name)?.toLowerCase() === "dialog"

/** The element submits its form. */
const sends = (element: MarkupElement): boolean => {
  const type = attribute(element, "type")?.toLowerCase()
  if (isDialog(element, "formmethod")) return false
  if (element.name === "button") return type === undefined || type === "submit"
  return element.name === "input" && !SILENT_INPUTS.has(type ?? "text")
}

/** Finds what a person cannot reach or use: a form that does nothing, or a tool that needs input and gets none. */
export const pageUseFindings = (
  markup: Markup,
  scripts: ReadonlyArray<ScriptInspection>,
  context: InspectionContext
): ReadonlyArray<Finding> => {
  const findings: Array<Finding> = []
  const behaviours = scripts.flatMap(({ element, facts }) =>
    facts === null ? [] : [{ element, behaviour: facts.behaviour }]
  )
  if (!behaviours.some(({ behaviour }) => behaviour.listensToSubmit)) {
    for (const form of markup.elements) {
      if (form.name !== "form" || isDialog(form, "method")) continue
      if (!markup.elements.some((element) => isInside(element, form) && sends(element))) continue
      findings.push({ rule: "form-without-handler", offset: form.start, found: "<form>" })
    }
    for (const { element, behaviour } of behaviours) {
      if (!behaviour.elements.has("form")) continue
      findings.push({ rule: "form-without-handler", offset: element.start, found: "a <form> of the script" })
    }
  }
  const first = behaviours[0]
  if (context.inputRequired !== true || first === undefined) return findings
  const hasForm = behaviours.some(({ behaviour }) => behaviour.callsShow && !behaviour.hidesForm)
  const hasControl =
    markup.elements.some(({ name }) => CONTROLS.includes(name)) ||
    behaviours.some(({ behaviour }) => behaviour.usesControls || CONTROLS.some((name) => behaviour.elements.has(name)))
  const callsTools = behaviours.some(({ behaviour }) => behaviour.callsTools)
  if (!hasForm && !(hasControl && callsTools)) {
    findings.push({ rule: "no-form", offset: first.element.start, found: "<script>" })
  }
  return findings
}
