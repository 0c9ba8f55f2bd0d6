import { createScript, uncurried } from "./platform.ts"

const nonceOf = Object.getOwnPropertyDescriptor(HTMLElement.prototype, "nonce")
const setNonce = uncurried(nonceOf?.set ?? (() => undefined)) as (self: HTMLElement, nonce: string) => void

/** Scripts run where they carry it: see the policy of `documentHtml`. */
export const nonce = document.currentScript?.nonce ?? ""

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
 * Puts a script in the place of another one, where the document's policy lets it run. The nonce stays on it only that
 * long: code that it runs could change other elements with the nonce.
 */
export const runInPlaceOf = (script: Element, made: HTMLScriptElement): void => {
  setNonce(made, nonce)
  replace(script, made)
  setNonce(made, "")
}

/**
 * Removes the nonce from the document before any code of a view runs: the policy element, which stays in force, and
 * everything that quotes it.
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
