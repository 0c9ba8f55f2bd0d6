import { createScript, uncurried } from "./platform.ts"

const nonceOf = Object.getOwnPropertyDescriptor(HTMLElement.prototype, "nonce")
const setNonce = uncurried(nonceOf?.set ?? (() => undefined)) as (self: HTMLElement, nonce: string) => void

/** Scripts run where they carry it: see the policy of `documentHtml`. */
const nonce = document.currentScript?.nonce ?? ""

const replace = uncurried(Element.prototype.replaceWith)

/** A script with the attributes and the text of another one. */
export const copyOfScript = (script: Element, text: string): HTMLScriptElement => {
  const made = createScript() as HTMLScriptElement
  script.getAttributeNames().forEach((name) => made.setAttribute(name, script.getAttribute(name) ?? ""))
  made.async = false
  made.text = text
  return made
}

/**
 * Sets a script in the place of another one, where the policy of the document lets it run. It carries the nonce no longer
 * than that: code that it runs could change what else carries it.
 */
export const runInPlaceOf = (script: Element, made: HTMLScriptElement): void => {
  setNonce(made, nonce)
  replace(script, made)
  setNonce(made, "")
}

/**
 * Takes from the document what names the nonce, before any code of a view runs: the policy itself, which stays in force,
 * and everything that quotes it.
 */
export const hideNonce = (): void => {
  for (const meta of document.querySelectorAll("meta")) {
    // A host may have put the document into the body of another one, where a policy is ignored.
    if (meta.parentElement !== document.head) document.head.append(meta)
    meta.remove()
  }
  for (const script of document.scripts) script.removeAttribute("nonce")
  const hidden = { get: () => "", configurable: false }
  Object.defineProperty(HTMLElement.prototype, "nonce", hidden)
  Object.defineProperty(SecurityPolicyViolationEvent.prototype, "originalPolicy", hidden)
  Reflect.deleteProperty(window, "ReportingObserver")
}
