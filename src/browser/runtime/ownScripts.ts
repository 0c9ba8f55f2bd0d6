import { createScript, uncurried } from "./platform.ts"

const nonceOf = Object.getOwnPropertyDescriptor(HTMLElement.prototype, "nonce")
const setNonce = uncurried(nonceOf?.set ?? (() => undefined)) as (self: HTMLElement, nonce: string) => void

/** Scripts run where they carry it: see the policy of `documentHtml`. */
const nonce = document.currentScript?.nonce ?? ""

/** A script that the policy of the document lets run, with the attributes and the text of another one. */
export const copyOfScript = ({ attributes }: HTMLScriptElement, text: string): HTMLScriptElement => {
  const made = createScript() as HTMLScriptElement
  for (const { name, value } of attributes) made.setAttribute(name, value)
  made.async = false
  setNonce(made, nonce)
  made.text = text
  return made
}

/**
 * Takes from the document what names the nonce, before any code of a view runs: the policy itself, which stays in force,
 * and everything that quotes it.
 */
export const hideNonce = (): void => {
  for (const meta of document.querySelectorAll("meta")) meta.remove()
  for (const script of document.scripts) script.removeAttribute("nonce")
  const hidden = { get: () => "", configurable: false }
  Object.defineProperty(HTMLElement.prototype, "nonce", hidden)
  Object.defineProperty(SecurityPolicyViolationEvent.prototype, "originalPolicy", hidden)
  Reflect.deleteProperty(window, "ReportingObserver")
}
